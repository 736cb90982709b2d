import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { checkUp, type CheckUpPorts } from '../../../../src/host/checkUp/checkUp.ts';
import type { CheckStep } from '../../../../src/host/checkUp/checkStep.ts';
import { withFolderInPath } from '../../../../src/host/config/edit/changeServer.ts';
import { settingsIn } from '../../../../src/host/config/edit/withServer.ts';
import { readDefinitions } from '../../../../src/host/config/readDefinitions.ts';
import type { ServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import { wholeFailure } from '../../../../src/host/connection/failures/failureWord.ts';
import { HostBed } from '../../support/hostBed.ts';
import {
  serveModern,
  serveSse,
  serveStatus,
  serveStreamableHttp,
} from '../../../fixtures/servers/httpServers.ts';
import {
  httpServer,
  legacyServer,
  modernServer,
  ofUser,
  serverScript,
  stdioServer,
} from '../../support/definitions.ts';
import { perTest } from '../../support/perTest.ts';
import { untilSeen } from '../../support/until.ts';

suite('The check-up of a server', () => {
  let host: HostBed;
  suiteSetup(function () {
    if (process.platform === 'win32') {
      this.skip(); // its programs are scripts of a shell
    }
  });
  perTest(() => (host = new HostBed()));

  const steps = async (
    definition: ServerDefinition,
    more: Partial<CheckUpPorts> = {},
    signal = new AbortController().signal,
    of = host,
  ): Promise<readonly CheckStep[]> => {
    const server = of.host.server(definition.id);
    assert.ok(server);
    const found: CheckStep[] = [];
    const env = { SHELL: '/bin/sh', PATH: '/usr/bin:/bin', HOME: host.bed.directory };
    await checkUp(
      server,
      {
        host: of.host,
        place: 'your user settings',
        proxy: undefined,
        env,
        home: host.bed.directory,
        ...more,
      },
      (step) => found.push(step),
      signal,
    );
    return found;
  };
  const outcomes = (found: readonly CheckStep[]): readonly string[] =>
    found.map(({ title, outcome }) => `${title}: ${outcome}`);
  const textOf = (found: readonly CheckStep[], title: string): string =>
    found.find((step) => step.title === title)?.text ?? assert.fail(`there is no step '${title}'`);

  const failing = async (definition: ServerDefinition): Promise<ServerDefinition> => {
    host.configure([definition]);
    host.answerAll('allow');
    await host.until(definition, 'failed');
    return definition;
  };

  test('goes no further than the question about its launch, and starts nothing', async () => {
    const definition = stdioServer(['-e', ''], { command: 'no-such-command', env: { KEY: '${env:NONE}' } });
    host.configure([definition]);
    const found = await steps(definition, { env: { SHELL: '/no/shell' } });
    assert.deepEqual(outcomes(found), ['Definition: ok', 'Permission to start: failed']);
    assert.match(textOf(found, 'Permission to start'), /^'server' is waiting for your decision\. Until/);
    assert.deepEqual(found.at(-1)?.action, { kind: 'review' });
    assert.equal(host.stateOf(definition), 'awaitingApproval');
    assert.deepEqual(host.bed.pids, []);
  });

  test('goes no further than the trust in the workspace', async () => {
    const restricted = new HostBed({ isTrusted: false });
    const definition = stdioServer([], { envFile: '.env' });
    try {
      restricted.configure([definition]);
      const found = await steps(definition, {}, undefined, restricted);
      assert.deepEqual(outcomes(found), ['Definition: ok', 'Permission to start: failed']);
      assert.match(found.at(-1)?.text ?? '', /the workspace isn't trusted/);
      assert.equal(restricted.envFileReads, 0);
    } finally {
      await restricted.close();
    }
  });

  test('goes no further than a rule of the organization, and names its setting', async () => {
    const definition = legacyServer();
    host.rules = { 'chat.mcp.access': 'none' };
    host.configure([definition]);
    const found = await steps(definition);
    assert.deepEqual(outcomes(found), ['Definition: ok', 'Permission to start: failed']);
    assert.deepEqual(found.at(-1)?.action, { kind: 'setting', setting: 'chat.mcp.access' });
  });

  test('names each variable without a value', async () => {
    const env = { A: '${env:CHECK_UP_NONE}', B: '${input:undeclared}' };
    const found = await steps(await failing(stdioServer([], { env })));
    assert.equal(
      textOf(found, 'Variables'),
      'The environment variable CHECK_UP_NONE, which it uses, is not set.\nThe input "undeclared" is not declared beside it.',
    );
  });

  test('names a command that is nowhere, with what installs it', async () => {
    const found = await steps(await failing(stdioServer([], { command: 'uvx', env: { PATH: '/nowhere' } })));
    assert.deepEqual(outcomes(found).slice(3), [
      'Working directory: ok',
      'Command: failed',
      'Command in the login shell: noted',
      'Command in known folders: noted',
      'Start and handshake: failed',
    ]);
    assert.equal(textOf(found, 'Command'), "The command 'uvx' was not found\nSearched PATH: /nowhere");
    assert.equal(textOf(found, 'Command'), textOf(found, 'Start and handshake'));
    assert.equal(found.at(-1)?.advice, 'Install uv.');
    assert.equal(found.at(-1)?.action?.kind, 'install');
  });

  test('finds a command in the folder of a version manager, the newest version first', async () => {
    const folders = ['v9.0.0', 'v18.1.0'].map((version) =>
      path.join(host.bed.directory, '.nvm/versions/node', version, 'bin'),
    );
    folders.forEach((folder) => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'a-runner'), '#!/bin/sh\n', { mode: 0o755 });
    });
    const command = { command: 'a-runner', env: { PATH: '/nowhere' } };
    const found = await steps(await failing(stdioServer([], command)));
    const [old = '', recent = ''] = folders;
    assert.equal(
      textOf(found, 'Command in known folders'),
      `nvm has it: ${recent}/a-runner\nnvm has it: ${old}/a-runner`,
    );
    const { advice } = found.find(({ title }) => title === 'Command in known folders') ?? {};
    assert.ok(advice?.endsWith(`"PATH": "${recent}:\${env:PATH}"`), advice);
  });

  for (const [manager, folder, profile] of [
    ['nvm', '.nvm/versions/node/v20.1.0/bin', 'PATH="$HOME/.nvm/versions/node/v20.1.0/bin:$PATH"'],
    ['Volta', '.volta/bin', 'PATH="$HOME/.volta/bin:$PATH"'],
    [
      'fnm',
      '.local/share/fnm/node-versions/v20.1.0/installation/bin',
      'mkdir -p ~/fnm_multishells/$$; ln -s ~/.local/share/fnm/node-versions/v20.1.0/installation/bin ~/fnm_multishells/$$/bin; PATH="$HOME/fnm_multishells/$$/bin:$PATH"',
    ],
  ] as const) {
    test(`finds a command of ${manager} in the login shell, and the server runs with that path`, async () => {
      const home = host.bed.directory;
      const bin = path.join(home, folder);
      mkdirSync(bin, { recursive: true });
      writeFileSync(path.join(bin, 'a-node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, {
        mode: 0o755,
      });
      // As npx does, it finds Node.js on PATH.
      writeFileSync(path.join(bin, 'a-npx'), '#!/bin/sh\nexec /usr/bin/env a-node "$@"\n', { mode: 0o755 });
      writeFileSync(path.join(home, '.bash_profile'), `${profile}\n`);
      const args = [serverScript('legacyServer')];
      const definition = await failing(stdioServer(args, { command: 'a-npx' }));
      const env = { SHELL: '/bin/bash', PATH: '/usr/bin:/bin', HOME: home };
      const { action } =
        (await steps(definition, { env })).find(({ title }) => title === 'Command in the login shell') ?? {};
      assert.deepEqual(action, { kind: 'usePath', folder: bin });
      const text = JSON.stringify({ 'mcpHost.servers': { server: { command: 'a-npx', args } } });
      const changed = withFolderInPath(text, 'settings', 'server', action.folder);
      const { servers } = settingsIn(changed, 'settings');
      const [corrected] = readDefinitions([{ origin: ofUser, servers, inputs: [] }]).definitions;
      assert.ok(corrected);
      host.configure([corrected]);
      assert.equal(host.launches.length, 1, 'the changed launch is asked about');
      host.answerAll('allow');
      await host.until(corrected, 'running');
    });
  }

  test('offers a copy in your settings with that path for a server of the workspace', async () => {
    const bin = path.join(host.bed.directory, 'bin');
    mkdirSync(bin);
    writeFileSync(path.join(bin, 'a-program'), '#!/bin/sh\n', { mode: 0o755 });
    writeFileSync(path.join(host.bed.directory, '.profile'), `PATH="${bin}:$PATH"\n`);
    const origin = { scope: 'workspace', format: 'settings', place: 'file:///shop.code-workspace' } as const;
    const definition = await failing(stdioServer([], { command: 'a-program', origin }));
    const found = await steps(definition);
    const { action } = found.find(({ title }) => title === 'Command in the login shell') ?? {};
    assert.deepEqual(action, { kind: 'usePath', folder: bin, isCopied: true });
  });

  test('names a file that is not executable, and a script whose program is not there', async () => {
    const bin = path.join(host.bed.directory, 'bin');
    mkdirSync(bin);
    writeFileSync(path.join(bin, 'plain'), 'text');
    writeFileSync(path.join(bin, 'script'), '#!/no/such/program\n', { mode: 0o755 });
    const launch = (command: string) => stdioServer([], { name: command, command, env: { PATH: bin } });
    const plain = launch('plain');
    const script = launch('script');
    host.configure([plain, script]);
    host.answerAll('allow');
    await Promise.all([host.until(plain, 'failed'), host.until(script, 'failed')]);
    assert.equal(
      textOf(await steps(plain), 'Command'),
      `You have no permission to run the command '${bin}/plain'`,
    );
    assert.equal(
      textOf(await steps(script), 'Command'),
      `${bin}/script is a script for /no/such/program, which isn't there.`,
    );
  });

  test('compares the version of Node.js on its PATH with what its package requires', async () => {
    const bin = path.join(host.bed.directory, 'bin');
    const script = path.join(host.bed.directory, 'package/dist/index.js');
    mkdirSync(bin);
    mkdirSync(path.dirname(script), { recursive: true });
    writeFileSync(path.join(bin, 'node'), '#!/bin/sh\necho v16.20.0\n', { mode: 0o755 });
    writeFileSync(path.join(bin, 'npx'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const wanting = (node: string): string =>
      JSON.stringify({ name: 'a-server', version: '1.2.3', engines: { node } });
    const manifest = path.join(host.bed.directory, 'package/package.json');
    const ofNode = await failing(stdioServer([script], { command: 'node', env: { PATH: bin } }));
    for (const [range, outcome] of [
      ['>=18.2', 'failed'],
      ['>= 16', 'ok'],
      ['^14 || >=20', 'failed'],
      ['14.x || 16 - 18', 'ok'],
      ['the newest', 'noted'],
    ] as const) {
      writeFileSync(manifest, wanting(range));
      const found = await steps(ofNode);
      const step = found.find(({ title }) => title === 'Node.js');
      assert.equal(step?.text, `The launch uses Node.js v16.20.0. a-server 1.2.3 requires Node.js ${range}.`);
      assert.equal(step.outcome, outcome);
    }
    const run = createHash('sha512').update('a-server@latest').digest('hex').slice(0, 16);
    const cached = path.join(host.bed.directory, '.npm/_npx', run, 'node_modules/a-server');
    const args = ['-y', 'a-server@latest'];
    const ofNpx = await failing(stdioServer(args, { command: 'npx', env: { PATH: bin } }));
    assert.match(
      textOf(await steps(ofNpx), 'Node.js'),
      /a-server@latest is not on this disk, so it is downl/,
    );
    mkdirSync(cached, { recursive: true });
    writeFileSync(path.join(cached, 'package.json'), wanting('>=20'));
    assert.match(textOf(await steps(ofNpx), 'Node.js'), /a-server 1\.2\.3 requires Node\.js >=20\.$/);
  });

  test('asks npm about a package that is not on this disk', async () => {
    const bin = path.join(host.bed.directory, 'bin');
    mkdirSync(bin);
    const program = (name: string, script: string): void =>
      writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    program('node', 'echo v20.1.0');
    program('npx', 'exit 1');
    const env = { PATH: `${bin}:/usr/bin:/bin` };
    const ofNpx = await failing(stdioServer(['-y', 'a-server@1'], { command: 'npx', env }));
    const missing =
      'The launch uses Node.js v20.1.0. a-server@1 is not on this disk, so it is downloaded first.';
    const step = async (answer: unknown, code = 0) => {
      program('npm', `echo "$@" > '${bin}/asked'; echo '${JSON.stringify(answer)}'; exit ${code}`);
      const { outcome, text } = (await steps(ofNpx)).find(({ title }) => title === 'Node.js') ?? {};
      return [outcome, text];
    };
    const version = (number: string, node?: string) => ({
      name: 'a-server',
      version: number,
      ...(node && { engines: { node } }),
    });
    assert.deepEqual(await step([version('1.10.0', '>=22'), version('1.9.0', '>=18')]), [
      'failed',
      `${missing} a-server 1.10.0 requires Node.js >=22.`,
    ]);
    assert.equal(
      readFileSync(path.join(bin, 'asked'), 'utf8'),
      'view --json --fetch-retries=0 -- a-server@1 name version engines\n',
    );
    assert.deepEqual(await step(version('1.0.0', '^18 || ^20')), [
      'noted',
      `${missing} a-server 1.0.0 requires Node.js ^18 || ^20.`,
    ]);
    assert.deepEqual(await step(version('1.0.0')), ['noted', missing]);
    assert.deepEqual(await step({ error: { code: 'E404' } }, 1), [
      'failed',
      'The launch uses Node.js v20.1.0. The registry of npm has no a-server@1 (E404).',
    ]);
    assert.deepEqual(await step({ error: { code: 'ENOTFOUND' } }, 1), [
      'noted',
      `${missing} npm could not look it up: ENOTFOUND.`,
    ]);
    assert.deepEqual(await step('nonsense'), ['noted', `${missing} npm could not look it up: no answer.`]);
  });

  test('names a working directory that is not there', async () => {
    const found = await steps(await failing(stdioServer([], { cwd: '/no/such/folder' })));
    assert.match(textOf(found, 'Working directory'), /^Its working directory does not exist: \/no\/such/);
  });

  test('says which file a link is, and shows what a server wrote to stdout instead of messages', async () => {
    const bin = path.join(host.bed.directory, 'bin');
    mkdirSync(bin);
    symlinkSync(process.execPath, path.join(bin, 'runtime'));
    const script = "console.log('Welcome!'); console.error('Error: no port'); process.exitCode = 3";
    const found = await steps(
      await failing(stdioServer(['-e', script], { command: 'runtime', env: { PATH: bin } })),
    );
    assert.match(textOf(found, 'Command'), /^The command 'runtime' is .*\/bin\/runtime, which leads to \//);
    assert.equal(
      textOf(found, 'Start and handshake'),
      'It exited with code 3: Error: no port\nOn stdout, which is for messages only, it wrote: Welcome!',
    );
  });

  test('reports the failure in the words of its row, whatever it is', async () => {
    const scripts = ['process.exit(0)', "console.error('Error: API_KEY is not set'); process.exit(1)"];
    const all = scripts.map((script, index) => stdioServer(['-e', script], { name: `server ${index}` }));
    const refusing = await serveStatus(404);
    const http = httpServer(refusing.url, { name: 'http' });
    try {
      host.configure([...all, http]);
      host.answerAll('allow');
      for (const one of [...all, http]) {
        await host.until(one, 'failed');
        const { state } = host.of(one);
        assert.ok(state.kind === 'failed');
        const found = await steps(one);
        assert.equal(textOf(found, 'Start and handshake'), wholeFailure(state.reason));
      }
      assert.match(textOf(await steps(http), 'Start and handshake'), /status 404/);
    } finally {
      await refusing.close();
    }
  });

  for (const [kind, serveIt, expected] of [
    [
      'Streamable HTTP',
      serveStreamableHttp,
      [/^Streamable HTTP\. .*status 200 .*json\.$/, /has given a session/, /is open/],
    ],
    ['HTTP+SSE', serveSse, [/^HTTP\+SSE\. .*status 2/, /Its event stream is the session/, undefined]],
    ['2026-07-28', serveModern, [/^Streamable HTTP\. .*status 200/, undefined, undefined]],
  ] as const) {
    test(`of a server that runs over ${kind} says how it answers`, async () => {
      const server = await serveIt();
      try {
        const definition = httpServer(server.url, { headers: { Authorization: 'Bearer secret-key-1' } });
        await host.run(definition);
        await untilSeen(
          async () => (await steps(definition)).every(({ outcome }) => outcome === 'ok'),
          'all is well',
        );
        const found = await steps(definition);
        for (const [index, title] of ['Transport', 'Session', 'Event stream'].entries()) {
          const step = found.find((one) => one.title === title);
          const words = expected[index];
          assert.equal(step === undefined, words === undefined, title);
          assert.match(step?.text ?? '', words ?? /^$/);
        }
        assert.match(textOf(found, 'Sign-in'), /carry the Authorization header of its definition/);
        assert.doesNotMatch(JSON.stringify(found), /secret-key-1/);
      } finally {
        await host.host.stop(httpServer('').id);
        await server.close();
      }
    });
  }

  for (const [era, definition] of [
    ['legacy', legacyServer()],
    ['modern', modernServer()],
  ] as const) {
    test(`of a running ${era} server says what it agreed on, and pings it without another process`, async () => {
      await host.run(definition);
      const { length: started } = host.bed.pids;
      const found = await steps(definition);
      assert.ok(
        found.every(({ outcome }) => outcome === 'ok'),
        outcomes(found).join('\n'),
      );
      assert.match(
        textOf(found, 'Start and handshake'),
        era === 'legacy'
          ? /^It runs at revision 2025-11-25, agreed on by 'initialize'/
          : /2026-07-28.*'server\/discover'/,
      );
      assert.match(textOf(found, 'Tools'), /^It lists \d+ tools?\.$/);
      assert.equal(found.at(-1)?.title, 'Ping');
      assert.equal(host.bed.pids.length, started);
      assert.ok(!found.some(({ title }) => title.includes('login shell')));
    });
  }

  test('shows no value of a variable that may be a secret', async () => {
    host.env['CHECK_UP_TOKEN'] = 'very-secret-value';
    const command = '/no/${env:CHECK_UP_TOKEN}/server';
    const found = await steps(await failing(stdioServer([], { command })));
    assert.doesNotMatch(JSON.stringify(found), /very-secret/);
    assert.match(textOf(found, 'Command'), /•••/);
  });

  test('of an address that is not found says so, and leaves it to a proxy', async () => {
    const definition = await failing(httpServer('http://no-such-host.invalid/mcp?key=secret-key-1'));
    const found = await steps(definition);
    assert.equal(
      textOf(found, 'Address'),
      'Address: http://no-such-host.invalid (the rest is not shown).\nThe server could not be reached: its host was not found (ENOTFOUND).',
    );
    assert.equal(textOf(found, 'Proxy'), "Neither the editor's settings nor its environment name a proxy.");
    const behind = await steps(definition, { proxy: 'http://me:password@proxy.example:3128' });
    assert.equal(behind.find(({ title }) => title === 'Address')?.outcome, 'noted');
    assert.match(textOf(behind, 'Proxy'), /^http\.proxy names the proxy proxy\.example:3128\./);
    assert.doesNotMatch(JSON.stringify([found, behind]), /secret-key|password/);
  });

  test('ends when it is canceled', async () => {
    const definition = await failing(stdioServer([], { command: 'no-such-command' }));
    const shell = path.join(host.bed.directory, 'shell');
    writeFileSync(shell, '#!/bin/sh\nexec sleep 60\n');
    chmodSync(shell, 0o755);
    const abort = new AbortController();
    const checked = steps(definition, { env: { SHELL: shell } }, abort.signal);
    setTimeout(() => abort.abort(), 100);
    await assert.rejects(checked, { name: 'CancellationError' });
  });
});
