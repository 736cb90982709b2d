import assert from 'node:assert/strict';
import path from 'node:path';
import * as fc from 'fast-check';
import { CancellationError } from '../../../../src/base/lifetime/cancellation.ts';
import type { DefinitionOrigin, InputDeclaration } from '../../../../src/host/config/serverDefinition.ts';
import { textParts, variablesIn } from '../../../../src/host/config/variables.ts';
import { HostError } from '../../../../src/host/errors/hostError.ts';
import { httpServer, ofUser, stdioServer } from '../../support/definitions.ts';
import { startedAs, type StartContext } from '../../support/launches.ts';
import { pathOnDisk, uriOnDisk } from '../../support/onDisk.ts';

const api = { uri: uriOnDisk('/projects/api'), name: 'api' };
const web = { uri: uriOnDisk('/projects/web'), name: 'web' };
const notes = { uri: 'memfs:/notes', name: 'notes' };
const inWeb: DefinitionOrigin = { scope: 'folder', format: 'settings', place: 'file:///s', folder: web };
const ofWorkspace: DefinitionOrigin = { scope: 'workspace', format: 'settings', place: 'file:///w' };
const mcpJson: DefinitionOrigin = { scope: 'folder', format: 'mcpJson', place: 'file:///m', folder: web };
const token: InputDeclaration = { type: 'promptString', id: 'token', password: true };
const level: InputDeclaration = {
  type: 'pickString',
  id: 'level',
  options: [{ label: 'High', value: 'high' }],
};

function contextOf(more: Partial<StartContext> = {}): StartContext {
  return {
    folders: [notes, api, web],
    home: '/home/me',
    env: { NAME: 'value', EMPTY: '' },
    input: ({ id }) => Promise.resolve(`the ${id}`),
    ...more,
  };
}

/** What one text comes to as an argument. */
async function expanded(
  text: string,
  origin: DefinitionOrigin = ofUser,
  context = contextOf(),
  inputs: readonly InputDeclaration[] = [token, level],
): Promise<string | undefined> {
  const definition = await startedAs(stdioServer([text], { origin, inputs }), context);
  return definition.type === 'stdio' ? definition.args[0] : undefined;
}

function fails(work: Promise<unknown>, message: RegExp): Promise<void> {
  return assert.rejects(
    work,
    (error) =>
      error instanceof HostError && error.code === 'invalidDefinition' && message.test(error.message),
  );
}

suite('Variables', () => {
  const values: [string, DefinitionOrigin, string][] = [
    ['${workspaceFolder}/src', ofUser, `${pathOnDisk('/projects/api')}/src`],
    ['${workspaceFolder}/src', ofWorkspace, `${pathOnDisk('/projects/api')}/src`],
    ['${workspaceFolder}/src', inWeb, `${pathOnDisk('/projects/web')}/src`],
    ['${workspaceFolder:api}', inWeb, pathOnDisk('/projects/api')],
    ['${userHome}/x', ofUser, '/home/me/x'],
    ['a${pathSeparator}b${/}c', ofUser, ['a', 'b', 'c'].join(path.sep)],
    ['${env:NAME}, ${env:NAME}', ofUser, 'value, value'],
    ['${env:EMPTY}', ofUser, ''],
    ['--token=${input:token}', ofUser, '--token=the token'],
    ['${input:level}', ofUser, 'the level'],
    ['$NAME $${env:NAME} %NAME% $(NAME) {x}', ofUser, '$NAME $value %NAME% $(NAME) {x}'],
    ['${NAME}', mcpJson, 'value'],
    ['${LOST:-a:-b}', mcpJson, 'a:-b'],
    ['${LOST:-}', mcpJson, ''],
    ['${NAME:-other}', mcpJson, 'value'],
    ['${EMPTY:-other}', mcpJson, ''],
    ['${input:token}', mcpJson, 'the token'],
    ['${env:NAME}', mcpJson, 'value'],
    ['${workspaceFolder}/src', mcpJson, `${pathOnDisk('/projects/web')}/src`],
    ['${userHome}/x', mcpJson, '/home/me/x'],
  ];
  for (const [text, origin, value] of values) {
    test(`are replaced: ${text} of the ${origin.scope}, ${origin.format}`, async () => {
      assert.equal(await expanded(text, origin), value);
    });
  }

  const unknown: [string, DefinitionOrigin['format'], RegExp][] = [
    ['${NAME}', 'settings', /write \$\{env:NAME\}\.$/],
    ['${file}', 'settings', /use \$\{workspaceFolder\}/],
    ['${command:x.y}', 'settings', /^(in \.mcp\.json )?use /],
    ['${config:x}', 'settings', /^(in \.mcp\.json )?use /],
    ['${env:}', 'settings', /^(in \.mcp\.json )?use /],
    ['${input:}', 'settings', /^(in \.mcp\.json )?use /],
    ['${}', 'settings', /^(in \.mcp\.json )?use /],
    ['${env:${env:NAME}}', 'settings', /^(in \.mcp\.json )?use /],
    ['${input:${env:NAME}}', 'settings', /^(in \.mcp\.json )?use /],
    ['${file}', 'mcpJson', /in \.mcp\.json use \$\{NAME\}/],
    ['${pathSeparator}', 'mcpJson', /in \.mcp\.json write \/\.$/],
    ['${workspaceFolder:api}', 'mcpJson', /in \.mcp\.json use/],
    ['${env:NAME:-x}', 'mcpJson', /in \.mcp\.json use/],
    ['${command:x.y}', 'mcpJson', /in \.mcp\.json use/],
    ['${A:-${B}}', 'mcpJson', /in \.mcp\.json use/],
    ['${A:=b}', 'mcpJson', /^(in \.mcp\.json )?use /],
    ['${A B}', 'mcpJson', /^(in \.mcp\.json )?use /],
  ];
  for (const [text, format, advice] of unknown) {
    test(`that do not exist have advice: ${text} of ${format}`, () => {
      const [first] = variablesIn(text, format);
      assert.ok(first?.kind === 'unknown');
      assert.match(first.advice, advice);
    });
  }

  const missing: [string, DefinitionOrigin, Partial<StartContext>, RegExp][] = [
    ['${workspaceFolder}', ofUser, { folders: [] }, /^no folder is open that \$\{workspaceFolder\}/],
    ['${workspaceFolder}', ofUser, { folders: [notes] }, /^no folder is open/],
    ['${workspaceFolder}', { ...inWeb, folder: notes }, {}, /^no folder is open/],
    ['${workspaceFolder:lost}', ofUser, {}, /^no folder named "lost" is open/],
    ['${env:LOST}', ofUser, {}, /^the environment variable LOST, which it uses, is not set$/],
    ['${LOST}', mcpJson, {}, /^the environment variable LOST/],
    ['${input:other}', ofUser, {}, /^the input "other" is not declared beside it$/],
    ['${nothing}', ofUser, {}, /^\$\{nothing\} is no variable/],
    ['${env:NUL}', ofUser, { env: { NUL: 'a\0b' } }, /^its "args" contains a NUL/],
  ];
  for (const [text, origin, context, message] of missing) {
    test(`without a value are an error: ${text} ${message.source}`, async () => {
      await fails(expanded(text, origin, contextOf(context)), message);
    });
  }

  test('are replaced everywhere, and the result has only plain values', async () => {
    const all = await startedAs(
      stdioServer(['${env:NAME}'], {
        command: '${userHome}/bin',
        env: { A: '${env:NAME}', '${env:NAME}': 'a name is no value' },
        cwd: '${workspaceFolder:web}',
        inputs: [token],
        timeout: 5,
      }),
      contextOf(),
    );
    assert.deepEqual(
      all,
      stdioServer(['value'], {
        command: '/home/me/bin',
        env: { A: 'value', '${env:NAME}': 'a name is no value' },
        cwd: pathOnDisk('/projects/web'),
        timeout: 5,
      }),
    );
    const url = await startedAs(
      httpServer('https://${env:HOST}/mcp', {
        headers: { Authorization: 'Bearer ${input:token}' },
        inputs: [token],
      }),
      contextOf({ env: { HOST: 'example.org' } }),
    );
    assert.deepEqual(
      url,
      httpServer('https://example.org/mcp', { headers: { Authorization: 'Bearer the token' } }),
    );
  });

  test('do not make an invalid address or header', async () => {
    const context = contextOf({ env: { URL: 'file:///etc/passwd', BREAK: 'a\r\nHost: evil', NONE: '' } });
    await fails(startedAs(httpServer('${env:URL}'), context), /no http: or https: address/);
    const broken = httpServer('https://x.example', { headers: { A: '${env:BREAK}' } });
    await fails(startedAs(broken, context), /^its header "A" has a line break/);
    await fails(startedAs(stdioServer([], { command: '${env:NONE}' }), context), /"command" is empty/);
  });

  test('ask for an input once, and only if it is used', async () => {
    const asked: string[] = [];
    const input = ({ id }: InputDeclaration): Promise<string> => {
      asked.push(id);
      return Promise.resolve('x');
    };
    await expanded('${input:token}${input:token}', ofUser, contextOf({ input }));
    assert.deepEqual(asked, ['token']);
  });

  test('are no longer replaced when the start is canceled', async () => {
    const abort = new AbortController();
    const input = (): Promise<string> => {
      abort.abort();
      return Promise.resolve('x');
    };
    const definition = stdioServer(['${input:token}'], { inputs: [token] });
    await assert.rejects(startedAs(definition, contextOf({ input }), abort.signal), CancellationError);
  });

  test('have secret values if they are inputs, environment variables or headers, except PATH', async () => {
    const secrets = new Set<string>();
    const env = { NAME: 'named', PATH: '/bin' };
    await startedAs(
      stdioServer(['${env:NAME}', '${input:token}', '${env:PATH}'], {
        env: { KEY: 'k-${env:PATH}' },
        inputs: [token],
      }),
      contextOf({ env, secrets }),
    );
    await startedAs(httpServer('https://x.example', { headers: { K: 'header' } }), contextOf({ secrets }));
    assert.deepEqual([...secrets].sort(), ['header', 'k-/bin', 'named', 'the token']);
  });
});

suite('Any text', () => {
  const format = fc.constantFrom('settings' as const, 'mcpJson' as const);
  /** Texts in which variables, and what looks like them, are frequent. */
  const text = fc
    .array(
      fc.oneof(
        fc.string(),
        fc.constantFrom(
          '${',
          '}',
          '$',
          '${env:NAME}',
          '${NAME}',
          '${input:token}',
          '${workspaceFolder}',
          ':-',
        ),
      ),
    )
    .map((parts) => parts.join(''));

  test('is split without loss', () => {
    fc.assert(
      fc.property(text, format, (one, form) => {
        const parts = textParts(one, form);
        const plain = parts.filter((part) => typeof part === 'string').join('');
        assert.equal(plain, one.replaceAll(/\$\{[^}]*\}/g, ''));
      }),
    );
  });

  test('without a variable stays as it is', async () => {
    const plain = fc.string().filter((one) => !one.includes('\0') && !/\$\{[^}]*\}/.test(one));
    await fc.assert(fc.asyncProperty(plain, async (one) => assert.equal(await expanded(one), one)));
  });

  test('as a value is never expanded again, and does not affect another value', async () => {
    const value = text.filter((one) => !one.includes('\0'));
    await fc.assert(
      fc.asyncProperty(value, value, async (first, second) => {
        const result = await startedAs(
          stdioServer(['${input:token}', '[${env:NAME}]', '${input:token}${env:NAME}', 'plain'], {
            env: { A: '${env:NAME}', B: '${input:token}' },
            inputs: [token],
          }),
          contextOf({ env: { NAME: second }, input: () => Promise.resolve(first) }),
        );
        assert.ok(result.type === 'stdio');
        assert.deepEqual(result.args, [first, `[${second}]`, first + second, 'plain']);
        assert.deepEqual(result.env, { A: second, B: first });
      }),
    );
  });

  test('gives a definition or a HostError, nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(ofUser, mcpJson, inWeb), async (one, origin) => {
        await expanded(one, origin).catch((error: unknown) => assert.ok(error instanceof HostError));
      }),
    );
  });
});
