import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isPlaceholder, looksLikeSecret } from '../../../../../src/base/text/secretShapes.ts';
import { secretsIn, withSecretsAsInputs } from '../../../../../src/host/config/edit/secrets.ts';
import type { WrittenLaunch } from '../../../../../src/host/config/serverDefinition.ts';
import { expandableTexts } from '../../../../../src/host/config/variables.ts';
import { splitCommandLine } from '../../../../../src/host/config/edit/splitCommandLine.ts';
import { suggestName } from '../../../../../src/host/config/edit/suggestName.ts';

/** A command line that `splitCommandLine` takes apart into exactly these words. */
function joinCommandLine(words: readonly string[], platform: NodeJS.Platform): string {
  return words
    .map((word) => {
      if (/^[\w@%+=:,./^~${}*?![\]-]+$/.test(word) && !word.includes('$(')) {
        return word;
      }
      return platform === 'win32'
        ? `"${word.replaceAll('"', '\\"')}"`
        : `'${word.replaceAll("'", String.raw`'\''`)}'`;
    })
    .join(' ');
}

function textsIn(launch: WrittenLaunch): readonly string[] {
  return expandableTexts(launch).map(({ text }) => text);
}

function stdio(
  command: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): WrittenLaunch {
  return { type: 'stdio', command, args, env };
}

function http(url: string, headers: Record<string, string> = {}): WrittenLaunch {
  return { type: 'http', url, headers };
}

function draftOf(launch: WrittenLaunch) {
  return { name: 'git hub', launch, inputs: [], values: new Map<string, string>() };
}

suite('A command line is split', () => {
  const lines: readonly [string, readonly string[]][] = [
    ['npx -y @scope/server "a b"', ['npx', '-y', '@scope/server', 'a b']],
    [String.raw`a 'b "c"' "d 'e' \"f\"" g\ h`, ['a', 'b "c"', `d 'e' "f"`, 'g h']],
    [`a "" '' --x="y z"`, ['a', '', '', '--x=y z']],
    ['  $ uvx   mcp-server-git\t', ['uvx', 'mcp-server-git']],
    [
      'node ~/server.js $HOME *.txt ${workspaceFolder}',
      ['node', '~/server.js', '$HOME', '*.txt', '${workspaceFolder}'],
    ],
    ['a \'x|y\' "z;&" \\>', ['a', 'x|y', 'z;&', '>']],
    ['docker run \\\n  -i image', ['docker', 'run', '-i', 'image']],
    ['a b # comment', ['a', 'b']],
    ['a b#c', ['a', 'b#c']],
  ];
  for (const [text, words] of lines) {
    test(`as a shell does: ${JSON.stringify(text)}`, () => {
      const [command, ...args] = words;
      assert.deepEqual(splitCommandLine(text, 'linux'), { line: { env: {}, command, args } });
    });
  }

  test('into variables before the command', () => {
    assert.deepEqual(splitCommandLine('A=1 B="x y" run C=2', 'darwin'), {
      line: { env: { A: '1', B: 'x y' }, command: 'run', args: ['C=2'] },
    });
  });

  test('with backslashes in paths on Windows', () => {
    assert.deepEqual(splitCommandLine(String.raw`C:\bin\node.exe "C:\my files\x.js" it's`, 'win32'), {
      line: { env: {}, command: String.raw`C:\bin\node.exe`, args: [String.raw`C:\my files\x.js`, `it's`] },
    });
  });

  for (const text of [
    '',
    '  ',
    '# only',
    'A=1',
    'a | b',
    'a; b',
    'a && b',
    'a > f',
    'a $(b)',
    'a `b`',
    'a "b',
    "a 'b",
  ]) {
    test(`not, with a sentence, for ${JSON.stringify(text)}`, () => {
      const result = splitCommandLine(text, 'linux');
      assert.ok('problem' in result && result.problem.endsWith('.'), JSON.stringify(result));
    });
  }

  test('into the words that it was joined from', () => {
    const word = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(fc.array(word), (args) => {
        const result = splitCommandLine(joinCommandLine(['run', ...args], 'linux'), 'linux');
        assert.deepEqual(result, { line: { env: {}, command: 'run', args } });
      }),
    );
    fc.assert(
      fc.property(fc.array(word.filter((text) => !/[\\"]/.test(text))), (args) => {
        const result = splitCommandLine(joinCommandLine(['run', ...args], 'win32'), 'win32');
        assert.deepEqual(result, { line: { env: {}, command: 'run', args } });
      }),
    );
  });
});

suite('A secret is recognized by its name or its form', () => {
  const secrets: readonly [string, string][] = [
    ['GITHUB_TOKEN', 'abc'],
    ['apiKey', 'abc'],
    ['X-API-Key', 'abc'],
    ['DB_PASSWORD', '1234'],
    ['Authorization', 'Bearer x'],
    ['PLAIN', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'],
    ['PLAIN', 'sk-proj-abcdef'],
    ['PLAIN', '8f14e45fceea167a5a36dedd4bea2543'],
    ['DATABASE_URL', 'postgres://user:pass@host/db'],
  ];
  for (const [name, value] of secrets) {
    test(`${name}=${value} is a secret`, () => assert.equal(looksLikeSecret(name, value), true));
  }
  const others: readonly [string, string][] = [
    ['GITHUB_TOKEN', '${env:GITHUB_TOKEN}'],
    ['GITHUB_TOKEN', ''],
    ['MAX_TOKENS', '4096'],
    ['AUTH', 'true'],
    ['TOKEN_FILE', '/run/secrets/token'],
    ['API_KEY', '/run/secrets/key'],
    ['KEYBOARD', 'qwerty'],
    ['PUBLIC_KEY', 'abc'],
    ['LOG_LEVEL', 'debug'],
    ['URL', 'https://mcp.example.com/v1/very/long/path/with/2/numbers'],
    ['', '@modelcontextprotocol/server-filesystem'],
    ['', 'mcp-server-fetch-2025-11-25'],
    ['', '/Users/username/Library/Application1/Support2/x'],
  ];
  for (const [name, value] of others) {
    test(`${name}=${value} is not a secret`, () => assert.equal(looksLikeSecret(name, value), false));
  }

  for (const value of [
    '<YOUR_TOKEN>',
    'YOUR-API-KEY',
    'Bearer your_token',
    'sk-xxxxxx',
    'abc...',
    'insert_key_here',
  ]) {
    test(`${value} is only an example`, () => assert.equal(isPlaceholder(value), true));
  }
});

suite('Secrets of a launch become inputs', () => {
  const cases: readonly [WrittenLaunch, readonly string[], Record<string, string>][] = [
    [
      stdio('npx', ['-y', 'server', '--api-key', 'abc', '--token=def', '--verbose'], {
        MY_TOKEN: 'ghi',
        A: 'b',
      }),
      [
        'npx',
        '-y',
        'server',
        '--api-key',
        '${input:git-hub-api-key}',
        '--token=${input:git-hub-token}',
        '--verbose',
        '${input:git-hub-my-token}',
        'b',
      ],
      { 'git-hub-api-key': 'abc', 'git-hub-token': 'def', 'git-hub-my-token': 'ghi' },
    ],
    [
      stdio('npx', ['mcp-remote', 'https://x', '--header', 'Authorization: Bearer abc', '-e', 'TOKEN=def']),
      [
        'npx',
        'mcp-remote',
        'https://x',
        '--header',
        'Authorization: Bearer ${input:git-hub-authorization}',
        '-e',
        'TOKEN=${input:git-hub-token}',
      ],
      { 'git-hub-authorization': 'abc', 'git-hub-token': 'def' },
    ],
    [
      http('https://x/mcp?api_key=abc&v=1', { Authorization: 'Bearer abc', Accept: 'text/plain' }),
      ['https://x/mcp?api_key=${input:git-hub-api-key}&v=1', 'Bearer ${input:git-hub-api-key}', 'text/plain'],
      { 'git-hub-api-key': 'abc' },
    ],
    [
      stdio('docker', ['run', '-e', 'GITHUB_TOKEN', 'image'], { GITHUB_TOKEN: '<YOUR_TOKEN>' }),
      ['docker', 'run', '-e', 'GITHUB_TOKEN', 'image', '${input:git-hub-github-token}'],
      {},
    ],
  ];
  for (const [launch, texts, values] of cases) {
    test(`of ${textsIn(launch).join(' ')}`, () => {
      const after = withSecretsAsInputs(draftOf(launch), secretsIn(launch));
      assert.deepEqual(textsIn(after.launch), texts);
      assert.deepEqual(Object.fromEntries(after.values), values);
      assert.ok(after.inputs.every((input) => input.type === 'promptString' && input.password));
      assert.deepEqual(secretsIn(after.launch), []);
    });
  }

  test('under ids that are free', () => {
    const launch = stdio('x', [], { TOKEN: 'abc' });
    const { inputs } = withSecretsAsInputs(draftOf(launch), secretsIn(launch), new Set(['git-hub-token']));
    assert.deepEqual(
      inputs.map(({ id }) => id),
      ['git-hub-token-2'],
    );
  });
});

suite('A name is suggested', () => {
  const names: readonly [WrittenLaunch, string][] = [
    [stdio('npx', ['-y', '@modelcontextprotocol/server-filesystem@1.2.3', '/tmp']), 'filesystem'],
    [stdio('npx', ['@playwright/mcp@latest']), 'playwright'],
    [stdio('uvx', ['mcp-server-git']), 'git'],
    [stdio('uvx', ['weather[all]==1.2']), 'weather'],
    [stdio('uvx', ['.notes.-']), 'notes'],
    [stdio('uvx', ['--from', 'git+https://x/serena', 'serena', 'start']), 'serena'],
    [stdio('docker', ['run', '-i', '--rm', '-e', 'TOKEN', 'ghcr.io/github/github-mcp-server:1']), 'github'],
    [stdio('node', ['/projects/tools/weather-mcp.js']), 'weather'],
    [stdio('python3', ['-m', 'my_server']), 'my_server'],
    [stdio('/usr/local/bin/gopls'), 'gopls'],
    [stdio('C:\\tools\\Server.exe'), 'tools'],
    [
      stdio('node', ['/home/me/node_modules/@modelcontextprotocol/server-everything/dist/index.js']),
      'everything',
    ],
    [stdio('uv', ['--directory', '/path/to/weather', 'run', 'server.py']), 'weather'],
    [stdio('python', ['-m', 'mcp_server_fetch']), 'fetch'],
    [stdio('node', ['build/index.js']), 'node'],
    [stdio('server'), 'my-server'],
    [http('https://notes.example.co.uk/mcp'), 'example'],
    [http('https://weather.me.workers.dev/sse'), 'me'],
    [http('https://mcp.sentry.dev/mcp'), 'sentry'],
    [http('https://api.githubcopilot.com/mcp/'), 'githubcopilot'],
    [http('http://localhost:3000/mcp'), 'localhost'],
    [http('http://127.0.0.1:3000/mcp'), '127-0-0-1'],
  ];
  for (const [launch, name] of names) {
    test(`${name} for ${textsIn(launch).join(' ')}`, () => {
      assert.equal(suggestName(launch, new Set()).toLowerCase(), name);
    });
  }

  test('that is not taken', () => {
    assert.equal(suggestName(stdio('git'), new Set(['git', 'git-2'])), 'git-3');
  });
});
