import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createScanner, parse, type ParseError } from 'jsonc-parser';
import type { ServersFile } from '../../../../../src/host/config/edit/serversFile.ts';
import { oneEdit } from '../../../../../src/host/config/edit/oneEdit.ts';
import type { ServerDraft } from '../../../../../src/host/config/edit/serverDraft.ts';
import { problemOfName, takenNames, withServer } from '../../../../../src/host/config/edit/withServer.ts';

const git: ServerDraft = {
  name: 'git',
  launch: { type: 'stdio', command: 'uvx', args: ['mcp-server-git'], env: {} },
  inputs: [],
  values: new Map(),
};
const sentry: ServerDraft = {
  name: 'sentry',
  launch: {
    type: 'http',
    url: 'https://mcp.sentry.dev/mcp',
    headers: { Authorization: 'Bearer ${input:sentry}' },
  },
  inputs: [{ type: 'promptString', id: 'sentry', description: 'Token', password: true }],
  values: new Map([['sentry', 'never in the file']]),
};

function parsed(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ''), errors, {
    allowTrailingComma: true,
    allowEmptyContent: true,
  });
  assert.deepEqual(errors, [], text);
  return value;
}

function commentsOf(text: string): readonly string[] {
  const scanner = createScanner(text);
  const comments: string[] = [];
  // 12 and 13 are line and block comments, 17 is the end.
  for (let kind: number = scanner.scan(); kind !== 17; kind = scanner.scan()) {
    if (kind === 12 || kind === 13) {
      comments.push(scanner.getTokenValue().trimEnd());
    }
  }
  return comments;
}

suite('A server is written in the dialect of its file', () => {
  const client: ServerDraft = {
    ...git,
    launch: { type: 'http', url: 'https://x.example', headers: {}, oauth: { clientId: 'a' } },
  };
  const port: ServerDraft = {
    ...git,
    launch: {
      type: 'http',
      url: 'https://x.example',
      headers: {},
      oauth: { clientId: 'a', redirectUri: 'http://localhost:3118/callback' },
    },
  };
  const stdio = { type: 'stdio', command: 'uvx', args: ['mcp-server-git'] };
  const http = { type: 'http', url: 'https://x.example' };
  const copilot = { type: 'local', command: 'a', args: [], tools: ['*'] };
  const cases: [what: string, before: object, draft: ServerDraft, path: string[], written: object][] = [
    ['"servers"', { servers: { a: { command: 'a' } } }, git, ['servers'], stdio],
    ['no wrapper', { a: { command: 'a' } }, git, [], stdio],
    [
      'none yet, with the arguments that Copilot CLI requires',
      {},
      { ...git, launch: { type: 'stdio', command: 'uvx', args: [], env: {} } },
      ['mcpServers'],
      { ...stdio, args: [] },
    ],
    ['"mcpServers"', { mcpServers: {}, servers: { a: { command: 'a' } } }, git, ['mcpServers'], stdio],
    [
      "Copilot's",
      { mcpServers: { a: copilot } },
      git,
      ['mcpServers'],
      { ...stdio, type: 'local', tools: ['*'] },
    ],
    [
      "Copilot's, with a client",
      { mcpServers: { a: copilot } },
      client,
      ['mcpServers'],
      { ...http, oauthClientId: 'a', tools: ['*'] },
    ],
    [
      "Copilot's, with a client and scopes",
      { mcpServers: { a: copilot } },
      {
        ...git,
        launch: {
          type: 'http',
          url: 'https://x.example',
          headers: {},
          oauth: { clientId: 'a', scopes: ['b', 'c'] },
        },
      },
      ['mcpServers'],
      { ...http, oauthClientId: 'a', oauthScopes: ['b', 'c'], tools: ['*'] },
    ],
    ['any other, with a client', {}, client, ['mcpServers'], { ...http, oauth: { clientId: 'a' } }],
    [
      "any other, with Claude Code's port",
      {},
      port,
      ['mcpServers'],
      { ...http, oauth: { clientId: 'a', callbackPort: 3118 } },
    ],
  ];
  for (const [what, before, draft, path, expected] of cases) {
    test(what, () => {
      const after = parsed(withServer(JSON.stringify(before), 'mcpJson', draft));
      const servers = path.reduce<unknown>((held, name) => (held as Record<string, unknown>)[name], after);
      assert.deepEqual((servers as Record<string, unknown>)['git'], expected);
    });
  }
});

suite('A server is written', () => {
  const layouts: readonly [string, ServersFile, string, string][] = [
    [
      'into an empty file',
      'mcpJson',
      '',
      `{
  "mcpServers": {
    "git": {
      "type": "stdio",
      "command": "uvx",
      "args": [
        "mcp-server-git"
      ]
    }
  }
}
`,
    ],
    [
      'behind the comments of a file that has nothing else',
      'mcpJson',
      '// What the team uses.\n',
      `// What the team uses.
{
  "mcpServers": {
    "git": {
      "type": "stdio",
      "command": "uvx",
      "args": [
        "mcp-server-git"
      ]
    }
  }
}
`,
    ],
    [
      'behind the last one, whose comment stays with it',
      'settings',
      `{
\t// Look
\t"editor.fontSize": 12, // points
\t"mcpHost.servers": {
\t\t"a": { "command": "a" } // the first
\t\t// "old": { "command": "old" }
\t},
\t/* the end */
}`,
      `{
\t// Look
\t"editor.fontSize": 12, // points
\t"mcpHost.servers": {
\t\t"a": { "command": "a" }, // the first
\t\t// "old": { "command": "old" }
\t\t"git": {
\t\t\t"type": "stdio",
\t\t\t"command": "uvx",
\t\t\t"args": [
\t\t\t\t"mcp-server-git"
\t\t\t]
\t\t}
\t},
\t/* the end */
}`,
    ],
    [
      'behind a trailing comma, which it gets, too',
      'settings',
      '{\n  "mcpHost.servers": {\n    "a": { "command": "a" }, // the first\n  },\n}\n',
      `{
  "mcpHost.servers": {
    "a": { "command": "a" }, // the first
    "git": {
      "type": "stdio",
      "command": "uvx",
      "args": [
        "mcp-server-git"
      ]
    },
  },
}
`,
    ],
    [
      'into a file on one line',
      'mcpJson',
      '{ "mcpServers": { "a": { "command": "a" } } }',
      `{ "mcpServers": { "a": { "command": "a" },
  "git": {
    "type": "stdio",
    "command": "uvx",
    "args": [
      "mcp-server-git"
    ]
  }
} }`,
    ],
    [
      'into the settings of a workspace file',
      'workspaceFile',
      '{\n    "folders": [{ "path": "." }]\n}\n',
      `{
    "folders": [{ "path": "." }],
    "settings": {
        "mcpHost.servers": {
            "git": {
                "type": "stdio",
                "command": "uvx",
                "args": [
                    "mcp-server-git"
                ]
            }
        }
    }
}
`,
    ],
  ];
  for (const [how, where, before, after] of layouts) {
    test(how, () => assert.equal(withServer(before, where, git), after));
  }

  test('with its inputs, and never with their values', () => {
    const once = withServer('{}', 'settings', sentry);
    assert.deepEqual(parsed(once), {
      'mcpHost.servers': {
        sentry: {
          type: 'http',
          url: 'https://mcp.sentry.dev/mcp',
          headers: { Authorization: 'Bearer ${input:sentry}' },
        },
      },
      'mcpHost.inputs': [{ type: 'promptString', id: 'sentry', description: 'Token', password: true }],
    });
    const twice = withServer(once, 'settings', { ...sentry, name: 'sentry-2' });
    assert.equal((parsed(twice) as { 'mcpHost.inputs': unknown[] })['mcpHost.inputs'].length, 1);
    assert.deepEqual(takenNames(twice, 'settings'), {
      servers: new Set(['sentry', 'sentry-2']),
      inputs: new Set(['sentry']),
    });
  });

  test('into the one that counts of duplicate members', () => {
    const text = withServer('{"mcpServers":{"a":{}},"mcpServers":{"b":{}}}', 'mcpJson', git);
    assert.deepEqual(Object.keys((parsed(text) as { mcpServers: object }).mcpServers), ['b', 'git']);
  });

  const refused: readonly [string, ServersFile, string, ServerDraft, RegExp][] = [
    [
      'broken JSON',
      'settings',
      '{\n  "a": }\n',
      git,
      /^Line 2 is not valid JSON: a value is missing\. Fix it/,
    ],
    ['a list', 'settings', '[]', git, /^The file is not an object/],
    ['servers that are a list', 'mcpJson', '{"mcpServers":[]}', git, /^"mcpServers" in this file is not/],
    ['settings that are a text', 'workspaceFile', '{"settings":"x"}', git, /^"settings" in this file is not/],
    [
      'inputs that are an object',
      'settings',
      '{"mcpHost.inputs":{}}',
      sentry,
      /"mcpHost.inputs" is not a list/,
    ],
    ['a name that is taken', 'mcpJson', '{"mcpServers":{"git":{}}}', git, /already a server 'git'/],
    [
      'another input of the same id',
      'settings',
      '{"mcpHost.inputs":[{"type":"promptString","id":"sentry"}]}',
      sentry,
      /another input 'sentry'/,
    ],
  ];
  for (const [what, where, text, draft, message] of refused) {
    test(`not, with a sentence, for ${what}`, () => {
      assert.throws(() => withServer(text, where, draft), { name: 'HostError', message });
    });
  }

  test('under a valid name', () => {
    assert.equal(problemOfName('git', new Set(['a'])), undefined);
    for (const name of ['', ' ', ' git', '__proto__', 'a']) {
      assert.ok(problemOfName(name, new Set(['a'])), name);
    }
  });
});

suite('Whatever a file holds', () => {
  const space = fc.constantFrom('', ' ', '\n', '\n  ', '\n\t', '\r\n    ', ' // note\n', ' /* note */ ');
  const value: fc.Arbitrary<string> = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('1', 'true', 'null', '"text"', '"// no comment"', '"{"', '"a,}"'),
      tie('object'),
      tie('list'),
    ),
    list: fc
      .tuple(fc.array(fc.tuple(space, tie('value')), { maxLength: 3 }), space, fc.boolean())
      .map(([items, end, comma]) =>
        bracketed(
          '[',
          items.map((item) => item.join('')),
          end,
          comma,
          ']',
        ),
      ),
    object: fc
      .tuple(
        fc.uniqueArray(fc.tuple(space, fc.constantFrom('a', 'b c', 'ü', '\\"q'), space, tie('value')), {
          maxLength: 3,
          selector: ([, name]) => name,
        }),
        space,
        fc.boolean(),
      )
      .map(([members, end, comma]) =>
        bracketed(
          '{',
          members.map(([before, name, gap, held]) => `${before}"${name}"${gap}:${String(held)}`),
          end,
          comma,
          '}',
        ),
      ),
  })).value as fc.Arbitrary<string>;

  function bracketed(
    open: string,
    items: readonly string[],
    end: string,
    comma: boolean,
    close: string,
  ): string {
    return `${open}${items.join(',')}${comma && items.length > 0 ? ',' : ''}${end}${close}`;
  }

  const file = fc
    .record({
      where: fc.constantFrom<ServersFile>('settings', 'workspaceFile', 'mcpJson'),
      mark: fc.constantFrom('', '\uFEFF'),
      spaces: fc.array(space, { minLength: 6, maxLength: 6 }),
      other: value,
      server: value,
      kind: fc.constantFrom('none', 'empty', 'other', 'servers', 'comma'),
    })
    .map(({ where, mark, spaces: [a = '', b = '', c = '', d = '', e = '', f = ''], other, server, kind }) => {
      const key = where === 'mcpJson' ? 'mcpServers' : 'mcpHost.servers';
      const servers = `"${key}":${b}{${c}"old"${d}:${server}${e}}`;
      const inner = where === 'workspaceFile' ? `"settings": {${servers}}` : servers;
      const texts = {
        none: a,
        empty: `${a}{${b}}${c}`,
        other: `${a}{${b}"x":${other}${c}}${d}`,
        servers: `${a}{"x":${other},${f}${inner}${a}}${b}`,
        comma: `{${a}${inner},${b}"x":${other},${f}}`,
      };
      return { where, text: mark + texts[kind] };
    });

  const draft = fc
    .record({
      name: fc.string({ minLength: 1 }).filter((name) => problemOfName(name, new Set(['old'])) === undefined),
      args: fc.array(fc.string()),
      env: fc.dictionary(
        fc.string().filter((name) => name !== '__proto__'),
        fc.string(),
      ),
      hasInput: fc.boolean(),
    })
    .map(({ name, args, env, hasInput }): ServerDraft => ({
      ...git,
      name,
      launch: { type: 'stdio', command: 'x', args, env },
      inputs: hasInput ? sentry.inputs : [],
    }));

  const cases = fc.record({ file, draft });

  test('it has one server more, and nothing else has changed', () => {
    fc.assert(
      fc.property(cases, ({ file: { where, text }, draft: wanted }) => {
        const after = withServer(text, where, wanted);
        const expected = structuredClone((parsed(text) ?? {}) as Record<string, Record<string, unknown>>);
        const layer = where === 'workspaceFile' ? (expected['settings'] ??= {}) : expected;
        const key = where === 'mcpJson' ? 'mcpServers' : 'mcpHost.servers';
        const { args, env } = wanted.launch as unknown as { args: string[]; env: Record<string, string> };
        (layer[key] ??= {} as never)[wanted.name as never] = {
          type: 'stdio',
          command: 'x',
          ...((args.length > 0 || where === 'mcpJson') && { args }),
          ...(Object.keys(env).length > 0 && { env }),
        } as never;
        if (wanted.inputs.length > 0) {
          layer[where === 'mcpJson' ? 'inputs' : 'mcpHost.inputs'] = [
            { type: 'promptString', id: 'sentry', description: 'Token', password: true },
          ] as never;
        }
        assert.deepEqual(normal(parsed(after)), normal(expected));
      }),
      { numRuns: 500 },
    );
  });

  test('its comments stay, in their order', () => {
    fc.assert(
      fc.property(cases, ({ file: { where, text }, draft: wanted }) => {
        assert.deepEqual(commentsOf(withServer(text, where, wanted)), commentsOf(text));
      }),
      { numRuns: 500 },
    );
  });

  test('what one edit removes again leaves it as it was', () => {
    fc.assert(
      fc.property(cases, ({ file: { where, text }, draft: wanted }) => {
        const after = withServer(text, where, wanted);
        const there = oneEdit(text, after);
        assert.equal(
          text.slice(0, there.offset) + there.content + text.slice(there.offset + there.length),
          after,
        );
        const back = oneEdit(after, text);
        assert.equal(
          after.slice(0, back.offset) + back.content + after.slice(back.offset + back.length),
          text,
        );
        // No character of what was there is lost on the way, commas and line ends apart.
        assert.equal(isContained(text, after), true);
      }),
      { numRuns: 500 },
    );
  });

  test('its line ends are kept', () => {
    const text = '{\r\n    "a": 1\r\n}\r\n';
    assert.equal(/(?<!\r)\n/.test(withServer(text, 'settings', sentry)), false);
  });
});

/** True when all characters of `inner` are in `outer` in their order. */
function isContained(inner: string, outer: string): boolean {
  const bare = inner.trimEnd();
  let index = 0;
  for (const character of outer) {
    index += character === bare[index] ? 1 : 0;
  }
  return index >= bare.length;
}

/** As JSON, which tells no own `__proto__` from the inherited one. */
function normal(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
