import assert from 'node:assert/strict';
import { parse } from 'jsonc-parser';
import type { ServerDraft } from '../../../../../src/host/config/edit/serverDraft.ts';
import type { WrittenLaunch } from '../../../../../src/host/config/serverDefinition.ts';
import { withDefinition } from '../../../../../src/host/config/edit/withDefinition.ts';
import { settingsIn } from '../../../../../src/host/config/edit/withServer.ts';

const text = `{
  // Mine.
  "mcpHost.servers": {
    "git": {
      "command": "uvx", // from astral
      "args": ["mcp-server-git", /* where */ "--repository", "/a"],
      "env": {
        "LEVEL": "1", // quiet
        "OLD": "x"
      },
      "roots": ["\${workspaceFolder}"],
      "timeout": 90000, // slow
      "unknown": { "kept": true }
    }, // the one
    "other": { "command": "other" }
  }
}
`;

function draft(launch: WrittenLaunch, more: Partial<ServerDraft> = {}): ServerDraft {
  return { name: 'git', launch, inputs: [], values: new Map(), ...more };
}

const launch: WrittenLaunch = {
  type: 'stdio',
  command: 'uvx',
  args: ['mcp-server-git', '--repository', '/a'],
  env: { LEVEL: '1', OLD: 'x' },
};

suite('A definition is changed in place', () => {
  test('not at all if its launch stays the same', () => {
    assert.equal(withDefinition(text, 'settings', draft(launch)), text);
  });

  test('with every comment kept', () => {
    const changed = {
      ...launch,
      args: ['mcp-server-git', '--repository', '/b'],
      env: { LEVEL: '2', OLD: 'x' },
    };
    assert.equal(
      withDefinition(text, 'settings', draft(changed)),
      text.replace('"/a"', '"/b"').replace('"LEVEL": "1"', '"LEVEL": "2"'),
    );
  });

  test('with fields added and removed, and all others kept', () => {
    const changed = { ...launch, args: ['x'], env: { LEVEL: '1', NEW: 'y' }, cwd: '/c' };
    const result = withDefinition(text, 'settings', draft(changed));
    for (const comment of ['// Mine.', '// from astral', '// quiet', '// slow', '// the one']) {
      assert.ok(result.includes(comment), `${comment} in ${result}`);
    }
    assert.deepEqual(JSON.parse(JSON.stringify(settingsIn(result, 'settings').servers)), {
      git: {
        command: 'uvx',
        args: ['x'],
        env: { LEVEL: '1', NEW: 'y' },
        roots: ['${workspaceFolder}'],
        timeout: 90000,
        unknown: { kept: true },
        cwd: '/c',
      },
      other: { command: 'other' },
    });
  });

  test('with the inputs that it now refers to', () => {
    const inputs = [{ type: 'promptString', id: 'git-key', password: true }] as const;
    const changed = { ...launch, env: { LEVEL: '1', OLD: '${input:git-key}' } };
    const result = withDefinition(text, 'settings', draft(changed, { inputs }));
    assert.deepEqual(JSON.parse(JSON.stringify(settingsIn(result, 'settings').inputs)), [
      { type: 'promptString', id: 'git-key', password: true },
    ]);
    // One that the file declares stays as it is written.
    assert.equal(
      withDefinition(result, 'settings', draft(changed, { inputs: [{ ...inputs[0], password: false }] })),
      result,
    );
  });

  test('with the only variable gone, and an empty list kept as it is', () => {
    const short = '{ "mcpHost.servers": { "git": { "command": "uvx", "env": { "A": "1", }, "args": [] } } }';
    const result = withDefinition(short, 'settings', draft({ ...launch, args: [], env: {} }));
    assert.equal(result, '{ "mcpHost.servers": { "git": { "command": "uvx", "args": [] } } }');
  });

  test('not if it no longer exists', () => {
    assert.throws(() => withDefinition('{}', 'settings', draft(launch)), /no server 'git' in this file/);
  });
});

suite('How to sign in is changed in place', () => {
  const written = `{
  "mcpServers": {
    "git": {
      "url": "https://x.example",
      "oauth": {
        "clientId": "a", // ours
        "callbackPort": 3118, // of another program
        "scopes": "read  write"
      }
    }
  }
}
`;
  const address: WrittenLaunch = { type: 'http', url: 'https://x.example', headers: {} };
  const oauth = { clientId: 'a', scopes: ['read', 'write'], redirectUri: 'http://localhost:3118/callback' };
  const changedTo = (more: Extract<WrittenLaunch, { url: string }>['oauth']): string =>
    withDefinition(written, 'mcpJson', draft({ ...address, ...(more && { oauth: more }) }));

  test('not at all if it stays the same', () => {
    assert.equal(changedTo(oauth), written);
  });

  test('with what other programs read, and comments', () => {
    assert.equal(changedTo({ ...oauth, clientId: 'b' }), written.replace('"a"', '"b"'));
    const more = changedTo({ ...oauth, issuer: 'https://y.example' });
    assert.equal(more.replace(/,\s*"issuer": "https:\/\/y.example"/, ''), written);
    const port = changedTo({ ...oauth, redirectUri: 'http://localhost:1/callback' });
    assert.ok(port.includes('"redirectUri": "http://localhost:1/callback"'), port);
  });

  test('with fields removed, and the whole of it if nothing is left', () => {
    const { redirectUri: _, ...less } = oauth;
    assert.deepEqual(parse(changedTo(less)), {
      mcpServers: { git: { url: 'https://x.example', oauth: { clientId: 'a', scopes: 'read  write' } } },
    });
    const none = changedTo(undefined);
    assert.ok(!none.includes('oauth') && none.includes('"url": "https://x.example"'), none);
  });

  test('with other scopes, as a text, and a list of the same as it is', () => {
    const other = changedTo({ ...oauth, scopes: ['read'] });
    assert.deepEqual(
      (settingsIn(other, 'mcpJson').servers as Record<string, { oauth: { scopes: unknown } }>)['git']?.oauth
        .scopes,
      'read',
    );
    const list = written.replace('"read  write"', '["read", /* and */ "write"]');
    const unchanged = withDefinition(list, 'mcpJson', draft({ ...address, oauth }));
    assert.equal(unchanged, list);
  });
});

suite('A definition of another program is changed in place', () => {
  const a = { command: 'a', args: ['x'], env: { PORT: '1' } };
  const address = { url: 'https://x.example', headers: {} };
  const cases: [what: string, written: string, changed: WrittenLaunch, before: string, after: string][] = [
    [
      "in Copilot's dialect",
      '{ "mcpServers": { "git": { "type": "local", "command": "a", "args": ["x"], "env": { "PORT": 1 }, "tools": ["*"] } } }',
      { type: 'stdio', ...a, args: ['y'] },
      '"x"',
      '"y"',
    ],
    [
      "in Copilot's dialect, without an argument",
      '{ "mcpServers": { "git": { "type": "local", "command": "a", "args": ["x"], "env": { "PORT": 1 }, "tools": ["*"] } } }',
      { type: 'stdio', ...a, args: [] },
      '["x"]',
      '[]',
    ],
    [
      "with Copilot's client",
      '{ "mcpServers": { "git": { "type": "http", "url": "https://x.example", "oauthClientId": "a", "tools": ["*"] } } }',
      { type: 'http', ...address, oauth: { clientId: 'b' } },
      '"a"',
      '"b"',
    ],
    [
      "with Cursor's client",
      '{ "mcpServers": { "git": { "url": "https://x.example", "auth": { "CLIENT_ID": "a", "CLIENT_SECRET": "${env:S}" } } } }',
      { type: 'http', ...address, oauth: { clientId: 'b' } },
      '"a"',
      '"b"',
    ],
    [
      'without a wrapper',
      '{ "git": { "serverUrl": "https://x.example", "transport": "streamable-http" } }',
      { type: 'http', ...address, url: 'https://y.example' },
      'https://x.example',
      'https://y.example',
    ],
    [
      "in VS Code's dialect",
      '{ "servers": { "git": { "type": "stdio", "command": "${env:A}", "args": ["x"], "env": { "PORT": 1, "B": null } } } }',
      { type: 'stdio', ...a, command: '${env:A}', cwd: '/c' },
      '"B": null } }',
      '"B": null }, "cwd": "/c" }',
    ],
    [
      'to the other transport',
      '{ "git": { "type": "http", "transport": "sse", "url": "https://x.example" } }',
      { type: 'http', ...address },
      '"transport": "sse", ',
      '',
    ],
  ];
  for (const [what, written, changed, before, after] of cases) {
    test(what, () => {
      const result = withDefinition(written, 'mcpJson', draft(changed));
      const [one, other] = [result, written.replace(before, after)].map(
        (text) => JSON.parse(text) as unknown,
      );
      assert.deepEqual(one, other);
    });
  }
});
