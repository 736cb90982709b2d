import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import * as fc from 'fast-check';
import { parse as parseJsonc } from 'jsonc-parser';
import { notedFields } from '../../../../src/host/config/dialects.ts';
import { launchFields, typeFields } from '../../../../src/host/config/fields.ts';
import type { Field } from '../../../../src/host/config/fieldTypes.ts';
import { definitionOf, type ServerDraft } from '../../../../src/host/config/edit/serverDraft.ts';
import type { ImportDialect } from '../../../../src/host/config/import/importLocations.ts';
import { withServer } from '../../../../src/host/config/edit/withServer.ts';
import { readImport } from '../../../../src/host/config/import/readImport.ts';
import { readSnippet } from '../../../../src/host/config/import/readSnippet.ts';
import type { ImportedServer } from '../../../../src/host/config/import/mapServer.ts';
import { readDefinitions } from '../../../../src/host/config/readDefinitions.ts';
import type {
  DefinitionOrigin,
  DefinitionProblem,
  ServerDefinition,
  WrittenLaunch,
} from '../../../../src/host/config/serverDefinition.ts';
import { mapTexts, textParts, variableText } from '../../../../src/host/config/variables.ts';
import { compiledSchema } from '../../../../src/host/schemas/compiledSchema.ts';
import { dialectFiles } from './dialectFiles.ts';

const folder = { uri: 'file:///projects/api', name: 'api' };
const mcpJson: DefinitionOrigin = { scope: 'folder', format: 'mcpJson', place: 'file:///m', folder };

type Compared = Omit<ServerDefinition, 'id' | 'origin' | 'name'>;

function live(text: string) {
  return readDefinitions([{ origin: mcpJson, text }]);
}

/** Without what depends on the place. Settings have no default for a variable, and no sandbox to ask for. */
function compared({ id: _id, origin, name: _name, ...rest }: ServerDefinition): Compared {
  return mapTexts(rest, (text) =>
    textParts(text, origin.format)
      .map((part) => (typeof part === 'string' ? part : variableText(part, 'settings')))
      .join(''),
  );
}

function liveServers(text: string): Readonly<Record<string, Compared>> {
  return Object.fromEntries(live(text).definitions.map((one) => [one.name, compared(one)]));
}

function drafts(servers: readonly ImportedServer[]): Readonly<Record<string, Compared>> {
  const made = servers.flatMap(({ draft }) => (draft ? [draft] : []));
  return Object.fromEntries(made.map((draft: ServerDraft) => [draft.name, compared(inSettings(draft))]));
}

function inSettings(draft: ServerDraft): ServerDefinition {
  return definitionOf(draft, { scope: 'user', format: 'settings', place: '' });
}

function expectedOf(servers: Readonly<Record<string, object>>): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => {
      const kind = 'url' in server ? { headers: {} } : { type: 'stdio', args: [], env: {} };
      return [name, { disabled: false, inputs: [], ...kind, ...server }];
    }),
  );
}

function pathsOf(problems: readonly DefinitionProblem[], severity: DefinitionProblem['severity']): string[] {
  return problems.filter((one) => one.severity === severity).map(({ path = [] }) => path.join('.'));
}

suite('A .mcp.json as another program writes it', () => {
  test('has a table of at least 25 files of five programs', () => {
    assert.ok(dialectFiles.length >= 25);
    assert.equal(new Set(dialectFiles.map(({ dialect }) => dialect)).size, 5);
  });

  for (const { dialect, what, text, servers, noted = [], warned = [], errors = [] } of dialectFiles) {
    test(`is read: ${dialect}, ${what}`, () => {
      const { problems } = live(text);
      assert.deepEqual(liveServers(text), expectedOf(servers));
      assert.deepEqual(pathsOf(problems, 'error'), errors);
      assert.deepEqual(pathsOf(problems, 'warning'), warned);
      assert.deepEqual(pathsOf(problems, 'note').sort(), [...noted].sort());
    });

    const expected = Object.fromEntries(
      Object.entries(expectedOf(servers)).map(([name, server]) => {
        const { asksForSandbox: _, ...rest } = server as { asksForSandbox?: true };
        return [name, rest];
      }),
    );
    test(`is the same when it is imported and when it is pasted: ${dialect}, ${what}`, () => {
      for (const read of [readImport(text, dialect).servers, readSnippet(text) ?? []]) {
        const found = Object.entries(drafts(read)).filter(([name]) => Object.hasOwn(servers, name));
        assert.deepEqual(Object.fromEntries(found), expected);
      }
    });
  }
});

test('The schema of a .mcp.json marks nothing in a file of another program that is read without an error', () => {
  const url = new URL('../../../../media/mcpJson.schema.json', import.meta.url);
  const check = compiledSchema(AjvJsonSchemaValidator, JSON.parse(readFileSync(url, 'utf8')));
  for (const { dialect, what, text, errors = [] } of dialectFiles) {
    const isMarked = check(parseJsonc(text)) !== undefined;
    assert.ok(!isMarked || errors.length > 0, `${dialect}, ${what}`);
  }
});

/** What a server can be in every dialect. */
interface AnyServer {
  readonly stdio?: { readonly command: string; readonly args: readonly string[]; readonly env: object };
  readonly http?: { readonly url: string; readonly headers: object };
  readonly tools: readonly string[];
  readonly clientId: string;
}

interface Writer {
  readonly dialect: ImportDialect;
  readonly write: (server: AnyServer) => object;
}

const writers: Readonly<Record<string, Writer>> = {
  'VS Code': {
    dialect: 'vscode',
    write: ({ stdio, http, clientId }) => ({
      servers: {
        a: { type: stdio ? 'stdio' : 'http', ...stdio, ...http, ...(http && { oauth: { clientId } }) },
      },
    }),
  },
  'VS Code without a wrapper': {
    dialect: 'vscode',
    write: ({ stdio, http, clientId }) => ({
      a: { ...stdio, ...http, ...(http && { oauthClientId: clientId }) },
    }),
  },
  Copilot: {
    dialect: 'copilotCli',
    write: ({ stdio, http, clientId, tools }) => ({
      mcpServers: {
        a: {
          type: stdio ? 'local' : 'http',
          ...stdio,
          ...http,
          ...(http && { oauthClientId: clientId }),
          tools,
        },
      },
    }),
  },
  'Claude Code': {
    dialect: 'claudeCode',
    write: ({ stdio, http, clientId }) => ({
      mcpServers: { a: { ...stdio, ...(http && { type: 'http', ...http, oauth: { clientId } }) } },
    }),
  },
  Cursor: {
    dialect: 'cursor',
    write: ({ stdio, http, clientId }) => ({
      mcpServers: { a: { ...stdio, ...http, ...(http && { auth: { CLIENT_ID: clientId } }) } },
    }),
  },
  'Claude Desktop': {
    dialect: 'claudeDesktop',
    write: ({ stdio, http, clientId }) => ({
      globalShortcut: '',
      mcpServers: { a: { ...stdio, ...http, ...(http && { oauth: { clientId } }) } },
    }),
  },
};

suite('A secret of a sign-in', () => {
  const signIn = (more: object): string => JSON.stringify({ a: { url: 'https://x.example', ...more } });

  test('is noted and left out where another program reads it, and nothing keeps the server from starting', () => {
    for (const secret of ['${env:SECRET}', 's3cret']) {
      const text = signIn({ auth: { CLIENT_ID: 'abc', CLIENT_SECRET: secret } });
      const { definitions, problems } = live(text);
      assert.deepEqual(
        definitions.map((one) => one.type !== 'stdio' && one.oauth),
        [{ clientId: 'abc' }],
      );
      assert.deepEqual(pathsOf(problems, 'note'), ['a.auth.CLIENT_SECRET']);
      assert.equal(problems.length, 1);
      assert.ok(!problems.some(({ message }) => message.includes('s3cret')));
    }
  });

  test('is read where it is an input, and an error in "oauth"', () => {
    const inputs = [{ type: 'promptString', id: 'secret', password: true }];
    const auth = { CLIENT_ID: 'abc', CLIENT_SECRET: '${input:secret}' };
    const [read] = live(JSON.stringify({ a: { url: 'https://x.example', auth }, inputs })).definitions;
    assert.deepEqual(read?.type !== 'stdio' && read?.oauth, {
      clientId: 'abc',
      clientSecret: '${input:secret}',
    });
    const { problems } = live(signIn({ oauth: { clientSecret: 's3cret' } }));
    assert.deepEqual(pathsOf(problems, 'error'), ['a.oauth.clientSecret']);
  });
});

suite('What a .mcp.json says of a text or a field', () => {
  const messagesOf = (server: object): readonly string[] =>
    live(JSON.stringify({ mcpServers: { a: server } })).problems.map(
      ({ severity, message, path = [] }) => `${severity} ${path.join('.')}: ${message}`,
    );

  test('notes a variable as only Copilot CLI writes it, without the text, which may be a secret', () => {
    const [note = '', ...others] = messagesOf({
      command: 'x',
      args: ['$5', '${A}'],
      env: { KEY: 'pa$sword' },
    });
    assert.match(note, /^note a\.env\.KEY: A name after "\$" is plain text here/);
    assert.ok(!note.includes('sword'));
    assert.deepEqual(others, []);
    const servers = { a: { command: 'x', args: ['$HOME'] } };
    assert.deepEqual(
      readDefinitions([{ origin: { scope: 'user', format: 'settings', place: '' }, servers }]).problems,
      [],
    );
  });

  test('warns of a field of the other kind of server by its name in the file', () => {
    assert.deepEqual(messagesOf({ command: 'x', type: 'local', oauthClientId: 'a' }), [
      'warning a.oauthClientId: "oauthClientId" is not a field of a stdio server.',
    ]);
    assert.deepEqual(messagesOf({ command: 'x', type: 'local', serverUrl: 'https://x.example' }), [
      'warning a.serverUrl: "serverUrl" is not a field of a stdio server.',
    ]);
  });
});

suite('The document of what other programs write', () => {
  const text = readFileSync(new URL('../../../../docs/internals/definitions.md', import.meta.url), 'utf8');
  const [, section = ''] = /^## Files that other programs write$([^]*?)^## /m.exec(text) ?? [];

  test('names each field that is noted, and each other name that is read', () => {
    const aliases = Object.values<Field>({
      ...launchFields.stdio,
      ...launchFields.http,
      type: typeFields.http,
    })
      .flatMap(({ aliases = [] }) => aliases)
      .filter((name) => name !== 'transportType');
    for (const name of [...Object.keys(notedFields), ...aliases, 'oauthClientId', 'enabled']) {
      assert.ok(section.includes(`\`${name}\``), name);
    }
  });

  test('says of each variable what it is here', () => {
    const rows = section
      .split('\n')
      .filter((line) => line.startsWith('| `$') || line.startsWith('| any other'));
    const kinds = {
      environment: /environment|the same, or/,
      workspaceFolder: /folder/,
      userHome: /home/,
      input: /input/,
    };
    for (const row of rows) {
      const [, variable = '', meaning = ''] = row.split(' | ').join('|').split('|');
      const [, written = ''] = /`([^`]+)`/.exec(variable) ?? [];
      const [part] = textParts(written.replace('NAME', 'A'), 'mcpJson');
      const kind = typeof part === 'object' ? part.kind : 'plain';
      const expected = { ...kinds, pathSeparator: /^$/, unknown: /error/, plain: /plain text/ }[kind];
      assert.match(meaning, expected, row);
    }
    assert.equal(rows.length, 8);
  });
});

suite('A server that is written in the dialect of', () => {
  const text = fc.string().filter((one) => !one.includes('$'));
  const named = fc.dictionary(fc.stringMatching(/^[A-Za-z]\w{0,8}$/), text).map((one) => ({ ...one }));
  const name = fc.stringMatching(/^[a-z][a-z*]{0,8}$/);
  const server: fc.Arbitrary<AnyServer> = fc.oneof(
    fc.record({
      stdio: fc.record({ command: text.filter((one) => one !== ''), args: fc.array(text), env: named }),
      tools: fc.array(name),
      clientId: fc.constant(''),
    }),
    fc.record({
      http: fc.record({
        url: fc.constantFrom('https://x.example/mcp', 'http://127.0.0.1:80'),
        headers: named,
      }),
      tools: fc.array(name),
      clientId: fc.stringMatching(/^[a-z]{1,8}$/),
    }),
  );
  for (const [program, { dialect, write }] of Object.entries(writers)) {
    test(`${program} is read back equal, also when it is imported or pasted`, () => {
      fc.assert(
        fc.property(server, (one) => {
          const written = JSON.stringify(write(one));
          const { stdio, http, tools, clientId } = one;
          const expected = expectedOf({
            a: {
              ...stdio,
              ...(http && { type: 'http', ...http, oauth: { clientId } }),
              ...(program === 'Copilot' && { tools }),
            },
          });
          assert.deepEqual(live(written).problems, []);
          assert.deepEqual(liveServers(written), expected);
          assert.deepEqual(drafts(readImport(written, dialect).servers), expected);
          assert.deepEqual(drafts(readSnippet(written) ?? []), expected);
        }),
      );
    });
  }

  test('a file in any of them stays equal when it is written into it', () => {
    fc.assert(
      fc.property(
        server,
        fc.constantFrom(...Object.values(writers)),
        ({ stdio, http, clientId }, { write }) => {
          const before = JSON.stringify(
            write({ stdio: { command: 'x', args: [], env: {} }, tools: ['*'], clientId }),
          );
          const [other] = live(before).definitions;
          const kept = { ...stdio, ...(http && { ...http, oauth: { clientId } }) };
          const launch = { ...expectedOf({ a: kept })['a'], type: stdio ? 'stdio' : 'http' } as WrittenLaunch;
          const text = withServer(before, 'mcpJson', { name: 'b', launch, inputs: [], values: new Map() });
          const [same, added] = live(text).definitions;
          assert.deepEqual(same, other);
          assert.deepEqual(added && compared(added), { disabled: false, inputs: [], ...launch });
        },
      ),
    );
  });
});
