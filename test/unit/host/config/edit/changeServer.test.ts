import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { createScanner, parse, type ParseError } from 'jsonc-parser';
import {
  isEditable,
  withField,
  withFolderInPath,
  withoutServer,
  withRenamedServer,
} from '../../../../../src/host/config/edit/changeServer.ts';
import { pathInFile, type ServersFile } from '../../../../../src/host/config/edit/serversFile.ts';

function parsed(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
  assert.deepEqual(errors, [], text);
  return value;
}

function commentsOf(text: string): readonly string[] {
  const scanner = createScanner(text.replace(/^\uFEFF/, ''));
  const comments: string[] = [];
  // 12 and 13 are line and block comments, 17 is the end.
  for (let kind: number = scanner.scan(); kind !== 17; kind = scanner.scan()) {
    if (kind === 12 || kind === 13) {
      comments.push(scanner.getTokenValue().trim());
    }
  }
  return comments;
}

const settings = `{
    // mine
    "editor.tabSize": 2, // two
    "mcpHost.servers": {
        // first
        "git": {
            "command": "uvx", // the runner
            "args": ["mcp-server-git"]
        },
        // second
        "web": { "url": "https://example.com/mcp" } /* last */
    }
}
`;

suite('A folder in the PATH of a definition', () => {
  const folder = '/home/me/.nvm/bin';
  const added = (text: string, platform: NodeJS.Platform = 'linux'): string =>
    withFolderInPath(text, 'settings', 'git', folder, platform);

  test('is first, before what the server inherits', () => {
    assert.equal(
      added(settings),
      settings.replace(
        '["mcp-server-git"]\n',
        `["mcp-server-git"],\n            "env": { "PATH": "${folder}:\${env:PATH}" }\n`,
      ),
    );
    assert.match(added(settings, 'win32'), /"PATH": "\/home\/me\/\.nvm\/bin;\$\{env:PATH\}"/);
    assert.match(
      withFolderInPath('{ "mcpServers": { "git": { "command": "a" } } }', 'mcpJson', 'git', '/b', 'linux'),
      /"env": \{ "PATH": "\/b:\$\{PATH\}" \}/,
    );
  });

  test('is before the PATH that it has, and beside its other variables', () => {
    const having = settings.replace('"args":', '"env": { "A": "1" /* one */ }, "args":');
    const withPath = added(having);
    assert.match(withPath, /"env": \{ "A": "1", "PATH": "[^"]*:\$\{env:PATH\}" \/\* one \*\/ \}/);
    assert.match(added(withPath), /"PATH": "(\/home\/me\/\.nvm\/bin:){2}\$\{env:PATH\}"/);
  });
});

suite('A field of a definition', () => {
  test('is added on its own line, or on the line of a definition of one line', () => {
    assert.equal(
      withField(settings, 'settings', 'git', 'disabled', true),
      settings.replace('["mcp-server-git"]\n', '["mcp-server-git"],\n            "disabled": true\n'),
    );
    assert.equal(
      withField(settings, 'settings', 'web', 'disabled', true),
      settings.replace('mcp" }', 'mcp", "disabled": true }'),
    );
  });

  test('is removed again without a trace', () => {
    for (const name of ['git', 'web']) {
      const on = withField(settings, 'settings', name, 'disabled', true);
      assert.deepEqual(parsed(withField(on, 'settings', name, 'disabled', undefined)), parsed(settings));
    }
    const on = withField(settings, 'settings', 'git', 'disabled', true);
    assert.equal(withField(on, 'settings', 'git', 'disabled', undefined), settings);
  });

  test('is changed, renamed and removed in every dialect', () => {
    const [a, b] = ['"a": { "command": "a" }', '"b": { "command": "b" }'];
    for (const [before, after] of [
      ['{ "mcpServers": { ', ' } }'],
      ['{ "servers": { ', ' } }'],
      ['{ ', ' }'],
    ] as const) {
      const text = `${before}${a}, ${b}${after}`;
      const on = withField(text, 'mcpJson', 'b', 'disabled', true);
      assert.equal(on, text.replace('"b" }', '"b", "disabled": true }'));
      assert.equal(withRenamedServer(text, 'mcpJson', 'b', 'c'), text.replace('"b":', '"c":'));
      assert.deepEqual(parsed(withoutServer(text, 'mcpJson', 'b').text), parsed(`${before}${a}${after}`));
    }
  });

  test('is "enabled" where another program calls it that', () => {
    const text = '{"a":{"command":"x","enabled":false}}';
    assert.equal(withField(text, 'mcpJson', 'a', 'disabled', undefined), text.replace('false', 'true'));
    assert.equal(withField(text, 'mcpJson', 'a', 'disabled', true), text);
    const inSettings = `{"mcpHost.servers":${text}}`;
    assert.match(
      withField(inSettings, 'settings', 'a', 'disabled', true),
      /"enabled":false, "disabled": true/,
    );
  });

  test('is replaced in its place', () => {
    const text = '{"mcpServers":{"a":{"disabled":"yes","command":"x"}}}';
    assert.equal(
      withField(text, 'mcpJson', 'a', 'disabled', true),
      '{"mcpServers":{"a":{"disabled":true,"command":"x"}}}',
    );
  });

  test('is removed with its duplicates', () => {
    const text = '{"mcpServers":{"a":{"disabled":true,"command":"x","disabled":false}}}';
    assert.equal(
      withField(text, 'mcpJson', 'a', 'disabled', undefined),
      '{"mcpServers":{"a":{"command":"x"}}}',
    );
  });

  test('keeps the mark at the beginning, line ends, trailing commas and an empty object', () => {
    assert.equal(
      withField('\uFEFF{"mcpServers":{"a":{}}}', 'mcpJson', 'a', 'disabled', true),
      '\uFEFF{"mcpServers":{"a":{ "disabled": true }}}',
    );
    assert.equal(
      withField('{"mcpServers":{"a":{"command":"x",},},}', 'mcpJson', 'a', 'disabled', true),
      '{"mcpServers":{"a":{"command":"x", "disabled": true,},},}',
    );
    const dos = settings.replaceAll('\n', '\r\n');
    assert.ok(!/[^\r]\n/.test(withField(dos, 'settings', 'git', 'disabled', true)));
  });

  test('is refused if the server is not there, or the text is not valid', () => {
    assert.throws(() => withField(settings, 'settings', 'gone', 'disabled', true), /no server 'gone'/);
    assert.throws(() => withField('{', 'mcpJson', 'a', 'disabled', true), /Line 1 is not valid/);
    assert.throws(
      () => withField('{"mcpServers":{"a":1}}', 'mcpJson', 'a', 'disabled', true),
      /not an object/,
    );
  });
});

suite('A server that is removed', () => {
  test('leaves the others, and the comments around it', () => {
    const { text, inputs } = withoutServer(settings, 'settings', 'git');
    assert.deepEqual(inputs, []);
    assert.deepEqual(parsed(text), {
      'editor.tabSize': 2,
      'mcpHost.servers': { web: { url: 'https://example.com/mcp' } },
    });
    assert.deepEqual(commentsOf(text), ['// mine', '// two', '// first', '// second', '/* last */']);
    assert.deepEqual(parsed(withoutServer(text, 'settings', 'web').text), {
      'editor.tabSize': 2,
      'mcpHost.servers': {},
    });
  });

  test('takes along the inputs that nothing else refers to', () => {
    const text = JSON.stringify({
      mcpServers: {
        a: { command: 'x', args: ['${input:own}', '${input:shared}'] },
        b: { command: 'y', env: { KEY: '${input:shared}' } },
      },
      inputs: [
        { type: 'promptString', id: 'own' },
        { type: 'promptString', id: 'shared' },
        { type: 'promptString', id: 'unused' },
      ],
    });
    const first = withoutServer(text, 'mcpJson', 'a');
    assert.deepEqual(first.inputs, ['own']);
    const second = withoutServer(first.text, 'mcpJson', 'b');
    assert.deepEqual(second.inputs, ['shared']);
    assert.deepEqual(parsed(second.text), {
      mcpServers: {},
      inputs: [{ type: 'promptString', id: 'unused' }],
    });
  });

  test('is removed with its duplicates', () => {
    const text = '{"mcpServers":{"a":{"command":"old"},"b":{},"a":{"command":"new"}}}';
    assert.deepEqual(parsed(withoutServer(text, 'mcpJson', 'a').text), { mcpServers: { b: {} } });
  });
});

suite('A server that is renamed', () => {
  test('keeps its place and everything else', () => {
    assert.equal(
      withRenamedServer(settings, 'settings', 'git', 'git "2"'),
      settings.replace('"git": {', String.raw`"git \"2\"": {`),
    );
  });

  test('gets no name that is taken in this file, or is not valid', () => {
    assert.throws(() => withRenamedServer(settings, 'settings', 'git', 'web'), /already a server 'web'/);
    assert.throws(() => withRenamedServer(settings, 'settings', 'git', ' '), /needs a name/);
    assert.throws(() => withRenamedServer(settings, 'settings', 'gone', 'git2'), /no server 'gone'/);
  });
});

test('Definitions in settings and in .mcp.json can be changed, and no others', () => {
  const place = { scope: 'folder', place: 'file:///a' } as const;
  assert.equal(isEditable({ ...place, format: 'settings' }), true);
  assert.equal(isEditable({ ...place, format: 'mcpJson' }), true);
  assert.equal(isEditable({ ...place, format: 'elsewhere' as 'settings' }), false);
});

/** JSON with comments, laid out on one line or on several, with or without trailing commas. */
function written(value: unknown, layout: Layout, path: readonly number[] = []): string {
  const depth = path.length;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return JSON.stringify(value);
  }
  const isInline = layout.isInline && depth > 2;
  const [line, pad] = isInline ? [' ', ''] : [layout.lineEnd, '  '.repeat(depth + 1)];
  const entries = Object.entries(value);
  const members = entries.map(([name, held], index) => {
    const at = [...path, index];
    const comma = index < entries.length - 1 || layout.hasTrailing ? ',' : '';
    const comment = isInline ? '' : layout.comments ? ` // after ${at.join('.')}` : '';
    const before = layout.comments && !isInline ? `${pad}/* before ${at.join('.')} */${line}` : '';
    return `${before}${pad}${JSON.stringify(name)}: ${written(held, layout, at)}${comma}${comment}${line}`;
  });
  return entries.length === 0 ? '{}' : `{${line}${members.join('')}${isInline ? '' : '  '.repeat(depth)}}`;
}

interface Layout {
  readonly isInline: boolean;
  readonly comments: boolean;
  readonly hasTrailing: boolean;
  readonly lineEnd: string;
}

suite('Whatever the file looks like', () => {
  const layouts = fc.record<Layout>({
    isInline: fc.boolean(),
    comments: fc.boolean(),
    hasTrailing: fc.boolean(),
    lineEnd: fc.constantFrom('\n', '\r\n'),
  });
  const names = fc
    .string({ minLength: 1, maxLength: 6 })
    .filter((name) => name.trim() === name && name !== '__proto__');
  const definitions = fc.dictionary(
    names,
    fc.record(
      { command: fc.string(), args: fc.array(fc.string(), { maxLength: 2 }), disabled: fc.boolean() },
      { requiredKeys: [] },
    ),
    { minKeys: 1, maxKeys: 4 },
  );
  const files = fc.constantFrom<ServersFile>('settings', 'workspaceFile', 'mcpJson');
  const cases = fc.tuple(definitions, files, layouts, fc.nat(), names);

  const nested = (where: ServersFile, servers: unknown): Record<string, unknown> =>
    pathInFile(where, 'servers').reduceRight<unknown>(
      (held, name) => ({ before: 1, [name]: held, after: [2] }),
      servers,
    ) as Record<string, unknown>;

  test('a change changes nothing else', () => {
    fc.assert(
      fc.property(cases, ([generated, where, layout, which, other]) => {
        // Without the prototype-less objects of the generator.
        const servers = JSON.parse(JSON.stringify(generated)) as typeof generated;
        const all = Object.keys(servers);
        const name = all[which % all.length] ?? '';
        const text = written(nested(where, servers), layout);
        const own = { ...servers[name] };

        const on = withField(text, where, name, 'disabled', true);
        assert.deepEqual(parsed(on), nested(where, { ...servers, [name]: { ...own, disabled: true } }));
        assert.deepEqual(commentsOf(on), commentsOf(text));

        const off = withField(on, where, name, 'disabled', undefined);
        const { disabled: _, ...rest } = own;
        assert.deepEqual(parsed(off), nested(where, { ...servers, [name]: rest }));
        assert.deepEqual(commentsOf(off), commentsOf(text));

        const { [name]: __, ...others } = servers;
        const without = withoutServer(text, where, name).text;
        assert.deepEqual(parsed(without), nested(where, others));
        const left = commentsOf(without);
        assert.deepEqual(
          commentsOf(text).filter((comment) => left.includes(comment)),
          left,
        );

        if (!all.includes(other)) {
          const renamed = withRenamedServer(text, where, name, other);
          assert.deepEqual(parsed(renamed), nested(where, { ...others, [other]: own }));
          assert.equal(withRenamedServer(renamed, where, other, name), text);
        }
      }),
      { numRuns: 300 },
    );
  });
});
