import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { LaunchApproval } from '../../../../../src/host/launch/question/launchApproval.ts';
import type {
  DefinitionOrigin,
  InputDeclaration,
  ServerDefinition,
  StdioServerDefinition,
} from '../../../../../src/host/config/serverDefinition.ts';
import type { WorkspaceFolder } from '../../../../../src/host/folders/sharedRoot.ts';
import { httpServer, legacyServer, ofUser, serverScript, stdioServer } from '../../../support/definitions.ts';
import { Window } from '../../../support/consentBed.ts';
import { HostBed } from '../../../support/hostBed.ts';
import { until } from '../../../support/until.ts';
import { launchDecisionKind } from '../../../../../src/host/launch/question/launchDecision.ts';
import { URI } from 'vscode-uri';
import { quotedText } from '../../../../../src/base/text/visibleText.ts';

const token: InputDeclaration = { type: 'promptString', id: 'token', password: true };

suite('An attacker changes what was allowed', () => {
  let bed: HostBed;
  let folder: WorkspaceFolder;
  let mcpJson: DefinitionOrigin;
  /** Is there as soon as the attacker's code has run. */
  let mark: string;
  let loadsAttack: string;

  setup(() => open());
  teardown(() => bed.close());

  function open(tries = 0): void {
    bed = new HostBed({ backoff: { firstMs: 1, maxMs: 1, tries, stableMs: 60_000 } });
    bed.rootsDefault = 'none';
    folder = folderNamed('project', 'project');
    mcpJson = { scope: 'folder', format: 'mcpJson', place: `${folder.uri}/.mcp.json`, folder };
    bed.folders = [folder];
    mark = inBed('attacked');
    writeFileSync(inBed('attack.cjs'), `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`);
    loadsAttack = `NODE_OPTIONS=--require=${inBed('attack.cjs')}\n`;
  }

  const inBed = (...names: readonly string[]): string => path.join(bed.bed.directory, ...names);
  function folderNamed(name: string, ...place: readonly string[]): WorkspaceFolder {
    mkdirSync(inBed(...place), { recursive: true });
    return { uri: pathToFileURL(inBed(...place)).href, name };
  }

  /** Starts it once more: it waits for an answer, tells why, and nothing has run. */
  async function isAskedAgain(definition: ServerDefinition, change: RegExp): Promise<void> {
    const before = bed.bed.pids.length;
    await bed.host.restart(definition.id);
    assert.equal(bed.stateOf(definition), 'awaitingApproval');
    assert.match(bed.launches[0]?.changes.join('\n') ?? '', change);
    assert.equal(bed.bed.pids.length, before);
    assert.ok(!existsSync(mark), 'the attack has run');
  }

  suite('by an envFile whose path has variables in it', () => {
    const paths: [string, 'mcpJson' | 'user', () => string][] = [
      ['the default of one that is not set', 'mcpJson', () => '${UNSET:-.env}'],
      ['one of the environment, in .mcp.json', 'mcpJson', () => '${HOME}/project/.env'],
      ['one of the environment, in settings', 'user', () => '${env:HOME}/project/.env'],
      [
        'the home directory',
        'user',
        () => `\${userHome}/${path.relative(homedir(), inBed('project', '.env'))}`,
      ],
      ['the folder', 'user', () => '${workspaceFolder}/.env'],
      ['the folder by its name', 'user', () => '${workspaceFolder:project}/.env'],
    ];
    for (const [what, place, written] of paths) {
      test(`${what}: what it loads later is asked about`, async () => {
        bed.env['HOME'] = bed.bed.directory;
        writeFileSync(inBed('project', '.env'), 'KEY=one\n');
        const origin = place === 'user' ? ofUser : mcpJson;
        const one = legacyServer([], { envFile: written(), origin });
        await bed.run(one);
        writeFileSync(inBed('project', '.env'), 'KEY=two\n');
        await isAskedAgain(one, /The value of KEY in .* has changed/);
        await bed.host.stop(one.id);
        writeFileSync(inBed('project', '.env'), loadsAttack);
        await isAskedAgain(one, /New environment variable in .*: NODE_OPTIONS/);
        assert.match(bed.launches[0]?.warnings.join() ?? '', /NODE_OPTIONS/);
        bed.answerAll('allow');
        await bed.until(one, 'running');
        assert.ok(existsSync(mark), 'the attack would have worked');
      });
    }

    test('a crash starts it no sooner', async () => {
      await bed.close();
      open(3);
      writeFileSync(inBed('project', '.env'), 'KEY=one\n');
      const one = legacyServer([], { envFile: '${UNSET:-.env}', origin: mcpJson });
      await bed.run(one);
      writeFileSync(inBed('project', '.env'), loadsAttack);
      process.kill(bed.pidOf(one) ?? 0, 'SIGKILL');
      await bed.until(one, 'awaitingApproval');
      assert.equal(bed.bed.pids.length, 1);
      assert.ok(!existsSync(mark));
    });

    test('a link that leads to another file, or out of the folder', async () => {
      writeFileSync(inBed('project', 'harmless.env'), 'KEY=one\n');
      writeFileSync(inBed('project', 'attack.env'), loadsAttack);
      writeFileSync(inBed('outside.env'), 'KEY=one\n');
      const link = inBed('project', '.env');
      const leadsTo = (target: string): void => {
        rmSync(link, { force: true });
        symlinkSync(target, link);
      };
      leadsTo('harmless.env');
      const one = legacyServer([], { envFile: '.env', origin: mcpJson });
      await bed.run(one);
      leadsTo('attack.env');
      await isAskedAgain(one, /NODE_OPTIONS/);
      await bed.host.stop(one.id);
      leadsTo('harmless.env');
      await bed.host.start(one.id);
      assert.equal(bed.stateOf(one), 'running', 'it is again what was allowed');
      leadsTo('../outside.env');
      await isAskedAgain(one, /can no longer be read/);
    });
  });

  suite('by a file that is another one at each look', () => {
    test('the process has exactly the variables that were compared, read once for each start', async () => {
      const one = stdioServer(['-e', `${tellsKey()};import(${script()})`], { envFile: '/nowhere/.env' });
      bed.envFile = { KEY: 'read 0' };
      await bed.run(one);
      const first = bed.envFileReads;
      const attack = { KEY: 'attack', NODE_OPTIONS: `--require=${inBed('attack.cjs')}` };
      Object.defineProperty(bed, 'envFile', {
        get: () => {
          const read = bed.envFileReads - first;
          return read % 2 === 0 ? attack : { KEY: `read ${read}` };
        },
      });
      for (let round = 1; round <= 6; round += 1) {
        await bed.host.restart(one.id);
        assert.equal(bed.envFileReads - first, round, 'one look at each start');
        assert.equal(bed.stateOf(one), round % 2 === 0 ? 'awaitingApproval' : 'running');
        assert.equal(bed.launches.length, round % 2 === 0 ? 1 : 0);
        assert.equal(keyToldBy(), `read ${round - 1 + (round % 2)}`, 'what runs is what was looked at');
      }
      assert.ok(!existsSync(mark));
    });

    test('one that another process replaces all the time loads nothing that was not allowed', async () => {
      const file = inBed('project', '.env');
      writeFileSync(file, 'KEY=one\n');
      writeFileSync(inBed('harmless'), 'KEY=one\n');
      writeFileSync(inBed('attack'), loadsAttack);
      const one = legacyServer([], { envFile: '.env', origin: mcpJson });
      await bed.run(one);
      const flipper = await flipping(file, [inBed('harmless'), inBed('attack')]);
      const seen = new Set<string | undefined>();
      try {
        for (let round = 0; round < 20 || (seen.size < 2 && round < 200); round += 1) {
          await bed.host.restart(one.id);
          seen.add(bed.stateOf(one));
        }
      } finally {
        flipper.kill('SIGKILL');
      }
      assert.deepEqual(seen, new Set(['awaitingApproval', 'running']));
      assert.ok(!existsSync(mark));
    });
  });

  suite('by another place that variables lead to', () => {
    const scripts: [string, Partial<StdioServerDefinition>, boolean][] = [
      ['an argument', { args: ['${workspaceFolder}/tools/x.mjs'] }, false],
      ['an argument by the name of a folder', { args: ['${workspaceFolder:app}/tools/x.mjs'] }, false],
      ['the working directory', { args: ['tools/x.mjs'], cwd: '${workspaceFolder}' }, false],
      [
        'a variable that loads code',
        {
          args: [serverScript('legacyServer')],
          env: { NODE_OPTIONS: '--import=${workspaceFolder}/tools/x.mjs' },
        },
        true,
      ],
      ['the command', { command: '${workspaceFolder}/tools/run', args: [] }, false],
    ];
    for (const [what, more] of scripts) {
      for (const rootsDefault of ['none', 'ask'] as const) {
        test(`in ${what}, with the folders of ${rootsDefault}`, async () => {
          bed.rootsDefault = rootsDefault;
          const [mine, theirs] = [folderNamed('app', 'mine', 'app'), folderNamed('app', 'theirs', 'app')];
          tool(['mine', 'app'], '');
          tool(['theirs', 'app'], `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '');`);
          const one = stdioServer([], { name: 'one', ...more });
          bed.folders = [mine];
          await bed.run(one);
          bed.folders = [theirs];
          await isAskedAgain(one, /"[^"]*mine.+app", now it (?:is|stands for) "[^"]*theirs.+app"/);
          await bed.host.stop(one.id);
          bed.folders = [mine];
          await bed.host.start(one.id);
          assert.equal(bed.stateOf(one), 'running', 'what is the same asks once');
        });
      }
    }

    test('while the question waits: it is about what would run now', () => {
      const one = legacyServer(['--stderr=${workspaceFolder}']);
      bed.configure([one]);
      const [before] = bed.launches;
      assert.ok(before);
      const other = folderNamed('other', 'other');
      bed.folders = [other];
      const [question, ...more] = bed.launches;
      assert.deepEqual(more, []);
      assert.deepEqual(question?.variables, [
        { written: '${workspaceFolder}', becomes: quotedText(URI.parse(other.uri).fsPath) },
      ]);
      assert.equal(bed.questions.answer(before, { answer: 'allow', roots: [] }), false);
    });

    test('the home directory asks once in all workspaces, and again when it is another', async () => {
      const one = legacyServer(['--stderr=${userHome}']);
      await bed.run(one);
      bed.folders = [folderNamed('other', 'other')];
      await bed.host.restart(one.id);
      assert.equal(bed.stateOf(one), 'running');
      const variable = process.platform === 'win32' ? 'USERPROFILE' : 'HOME';
      const home = process.env[variable];
      process.env[variable] = inBed('other');
      try {
        await isAskedAgain(one, /\$\{userHome\} stood for/);
      } finally {
        process.env[variable] = home;
      }
    });
  });

  suite('by another value of the environment', () => {
    const uses: [string, 'mcpJson' | 'settings', Partial<StdioServerDefinition>][] = [
      ['the command', 'settings', { command: '${env:X}' }],
      ['an argument', 'settings', { args: [serverScript('legacyServer'), '--stderr=${env:X}'] }],
      ['an argument of .mcp.json', 'mcpJson', { args: [serverScript('legacyServer'), '--stderr=${X}'] }],
      [
        'an argument with a default',
        'mcpJson',
        { args: [serverScript('legacyServer'), '--stderr=${X:-none}'] },
      ],
      ['the working directory', 'settings', { cwd: '${env:WHERE}' }],
      ['a variable that loads code', 'settings', { env: { NODE_OPTIONS: '--title=${env:X}' } }],
    ];
    for (const [what, format, more] of uses) {
      test(`in ${what}`, async () => {
        bed.env['X'] = process.execPath;
        bed.env['WHERE'] = bed.bed.directory;
        const one = legacyServer([], { ...(format === 'mcpJson' && { origin: mcpJson }), ...more });
        await bed.run(one);
        bed.env['X'] = inBed('attack.cjs');
        bed.env['WHERE'] = inBed('project');
        await isAskedAgain(one, /stands for something else|The working directory was/);
      });
    }

    test('one that is set no longer, or set now', async () => {
      const one = legacyServer(['--stderr=${X:-none}'], { origin: mcpJson });
      await bed.run(one);
      bed.env['X'] = 'some';
      await isAskedAgain(one, /\$\{X:-none\} stands for something else/);
    });

    test('in the address: nothing is sent there', async () => {
      let requests = 0;
      const listening = await Promise.all(
        [0, 1].map(async () => {
          const server = createServer((_, response) => {
            requests += 1;
            response.writeHead(500).end();
          });
          await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
          return server;
        }),
      );
      try {
        const [one, other] = listening.map((server) => String((server.address() as AddressInfo).port));
        bed.env['PORT'] = one;
        const remote = httpServer('http://127.0.0.1:${env:PORT}/mcp', { headers: { Key: '${env:KEY}' } });
        bed.env['KEY'] = 'secret';
        bed.configure([remote]);
        bed.answerAll('allow');
        await bed.until(remote, 'failed');
        assert.ok(requests > 0);
        bed.env['PORT'] = other;
        requests = 0;
        await isAskedAgain(remote, /\$\{env:PORT\} stands for something else/);
        assert.equal(requests, 0);
      } finally {
        listening.forEach((server) => server.close());
      }
    });

    test('a rotated token and another entry of PATH cause no question', async () => {
      bed.env['TOKEN'] = 'one';
      const one = legacyServer([], { env: { TOKEN: '${env:TOKEN}', PATH: '${env:PATH}:/opt/tools' } });
      await bed.run(one);
      bed.env['TOKEN'] = 'two';
      bed.env['PATH'] = `/opt/other:${bed.env['PATH']}`;
      await bed.host.restart(one.id);
      assert.equal(bed.stateOf(one), 'running');
    });
  });

  suite('by another value of an input', () => {
    test('what is given first belongs to the answer; another value is asked about, and none is kept', async () => {
      bed.inputs.set('token', 'first-s3cret');
      const one = legacyServer(['--stderr=${input:token}'], { inputs: [token] });
      await bed.run(one);
      const launch = bed.host.runningLaunchOf(one.id);
      await bed.host.restart(one.id);
      assert.equal(bed.host.runningLaunchOf(one.id), launch);
      assert.equal(bed.host.launchOf(bed.of(one).definition), launch);
      bed.inputs.set('token', 'other-s3cret');
      const before = bed.bed.pids.length;
      await assert.rejects(bed.host.restart(one.id), { code: 'notAllowed' });
      await bed.until(one, 'awaitingApproval');
      assert.equal(bed.bed.pids.length, before);
      assert.deepEqual(bed.launches[0]?.changes, [
        'The value that you gave for the input token has changed.',
      ]);
      bed.answerAll('allow');
      await bed.until(one, 'running');
      assert.notEqual(bed.host.runningLaunchOf(one.id), launch);
      for (const name of readdirSync(inBed('decisions'))) {
        assert.doesNotMatch(readFileSync(inBed('decisions', name), 'utf8'), /s3cret/);
      }
    });

    test('what is given is not kept over a denial that came meanwhile', async () => {
      const kept = Promise.withResolvers<void>();
      const asked = Promise.withResolvers<void>();
      bed.inputs.get = () => {
        bed.decisions.beforeSet = kept.promise;
        asked.resolve();
        return 'given';
      };
      const one = legacyServer(['--stderr=${input:token}'], { inputs: [token] });
      bed.configure([one]);
      bed.answerAll('allow');
      await asked.promise;
      await new Promise((resolve) => setImmediate(resolve));
      const window = new Window(bed.bed.directory);
      const elsewhere = new LaunchApproval(window.decisions, window.roots, bed.key);
      const launch = bed.host.resolve(bed.of(one).definition);
      const question = elsewhere.question({ launch, label: 'one', workspace: [] });
      await elsewhere.record(question, { answer: 'deny' });
      await window.close();
      bed.decisions.refresh();
      kept.resolve();
      await bed.until(one, 'denied');
      await bed.decisions.settled();
      const answers = bed.decisions.allOf(launchDecisionKind).map(({ answer }) => answer);
      assert.deepEqual(answers, ['deny']);
      assert.deepEqual(bed.bed.pids, []);
    });

    test('a file of variables that an input names is asked about when it is known', async () => {
      writeFileSync(inBed('named.env'), loadsAttack);
      bed.inputs.set('token', inBed('named.env'));
      const one = legacyServer([], { envFile: '${input:token}', inputs: [token], autoStart: false });
      bed.configure([one]);
      await bed.host.start(one.id);
      assert.doesNotMatch(bed.launches[0]?.warnings.join() ?? '', /NODE_OPTIONS/);
      bed.answerAll('allow');
      await until(() => bed.launches.length > 0, 'it is asked about again', bed.questions.onDidChange);
      assert.match(bed.launches[0]?.warnings.join() ?? '', /NODE_OPTIONS/);
      assert.ok(!existsSync(mark));
      bed.answerAll('allow');
      await bed.until(one, 'running');
      writeFileSync(inBed('named.env'), `${loadsAttack}LD_PRELOAD=/tmp/x.so\n`);
      const before = bed.bed.pids.length;
      await assert.rejects(bed.host.restart(one.id), { code: 'notAllowed' });
      await bed.until(one, 'awaitingApproval');
      assert.equal(bed.bed.pids.length, before);
      assert.match(bed.launches[0]?.changes.join() ?? '', /LD_PRELOAD/);
    });
  });

  /** A program in a folder that does this, and then serves. */
  function tool(place: readonly string[], does: string): void {
    mkdirSync(inBed(...place, 'tools'), { recursive: true });
    const before = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); ${does}`;
    writeFileSync(inBed(...place, 'tools', 'x.mjs'), `${before} await import(${script()});`);
    const run = inBed(...place, 'tools', 'run');
    writeFileSync(run, `#!/bin/sh\nexec ${process.execPath} "$(dirname "$0")/x.mjs"\n`, { mode: 0o755 });
  }

  const script = (): string => JSON.stringify(pathToFileURL(serverScript('legacyServer')).href);
  const tellsKey = (): string =>
    `require('node:fs').writeFileSync(${JSON.stringify(inBed('key'))}, String(process.env.KEY))`;
  const keyToldBy = (): string => readFileSync(inBed('key'), 'utf8');
});

/** A process that puts one file after the other in the place of a file, whole each time. */
async function flipping(file: string, sources: readonly string[]): Promise<ChildProcess> {
  const code = `
    const fs = require('node:fs');
    const [file, ...sources] = process.argv.slice(1);
    console.log('flipping');
    for (let at = 0; ; at += 1) {
      fs.copyFileSync(sources[at % sources.length], file + '.new');
      // Windows refuses it while another process reads the file.
      try { fs.renameSync(file + '.new', file); } catch {}
    }`;
  const child = spawn(process.execPath, ['-e', code, file, ...sources], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child;
}
