import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StdioServerDefinition } from '../../../../../src/host/config/serverDefinition.ts';
import { visibleFolders } from '../../../../../src/host/folders/sharedRoot.ts';
import { InstallationKey } from '../../../../../src/host/launch/installationKey.ts';
import { LaunchApproval } from '../../../../../src/host/launch/question/launchApproval.ts';
import { launchDecisionKind } from '../../../../../src/host/launch/question/launchDecision.ts';
import {
  launchQuestions,
  type LaunchQuestion,
} from '../../../../../src/host/launch/question/launchQuestion.ts';
import { besideTable, type Decides } from '../../../../../src/host/launch/warnings/besideTable.ts';
import type { ResolvedLaunch } from '../../../../../src/host/launch/resolvedLaunch.ts';
import { ConsentBed, type Window } from '../../../support/consentBed.ts';
import { stdioServer } from '../../../support/definitions.ts';
import { launchOf } from '../../../support/launches.ts';

/** Each text of a file that changes what runs. */
function decidingTexts(decides: Decides): readonly string[] {
  switch (decides.kind) {
    case 'all':
      return ['x'];
    case 'paths':
      return ['./x'];
    case 'variables':
      return ['NODE_OPTIONS=x'];
    case 'bin':
      return ['{"bin":{"server":"./x"}}'];
    case 'settings':
      return decides.names.map((name) => `${name.replace('*', '@a')}=x`);
    case 'yaml':
      return decides.names.map((name) => `${name}: x`);
  }
}

suite('What lies beside a command in the workspace', () => {
  let bed: ConsentBed;
  let window: Window;
  let approval: LaunchApproval;
  setup(() => {
    bed = new ConsentBed();
    window = bed.open();
    approval = new LaunchApproval(window.decisions, window.roots, new InstallationKey(inBed('key')));
    mkdirSync(inBed('api', 'tools'), { recursive: true });
    window.folders = [{ uri: pathToFileURL(inBed('api')).href, name: 'api' }];
  });
  teardown(() => bed.close());

  const inBed = (...names: readonly string[]): string => path.join(bed.directory, ...names);
  const write = (name: string, text = ''): void => {
    mkdirSync(path.dirname(inBed('api', name)), { recursive: true });
    writeFileSync(inBed('api', name), text);
  };
  const server = (line: string, cwd = inBed('api')): StdioServerDefinition => {
    const [command = '', ...args] = line.split(' ');
    return stdioServer(args, { command, cwd });
  };
  const resolved = (definition: StdioServerDefinition): ResolvedLaunch =>
    launchOf(definition, { folders: window.folders });
  const ask = (definition: StdioServerDefinition): LaunchQuestion =>
    approval.question({
      launch: resolved(definition),
      label: 'one',
      workspace: visibleFolders({}, window.folders).onDisk,
    });
  const allow = async (definition: StdioServerDefinition): Promise<void> => {
    await approval.record(ask(definition), { answer: 'allow', roots: [] });
    assert.ok(isAllowed(definition));
  };
  const isAllowed = (definition: StdioServerDefinition): boolean =>
    approval.answerFor(resolved(definition)) === 'allow';
  const besideWarnings = (definition: StdioServerDefinition): readonly string[] =>
    ask(definition).warnings.filter((one) => /in the workspace .*changes? what|could follow more/.test(one));
  const isOffWhenUnopened = (definition: StdioServerDefinition): boolean =>
    launchQuestions.readUnopened(ask(definition), { roots: [] }, false) === undefined;

  const npx = 'npx -y @scope/server@1.2.3';
  const deciding: readonly (readonly [line: string, file: string, text?: string])[] = [
    [npx, '.npmrc', 'script-shell=/tmp/evil\n'],
    [npx, '.npmrc', 'save-exact=true\r\nregistry = https://example.org\r\n'],
    [npx, '.npmrc', '@scope:registry=https://example.org'],
    [npx, '.npmrc', 'script${NOTHING?}-shell=/tmp/evil'],
    [npx, '.npmrc', String.raw`"script\u002dshell"=/tmp/evil`],
    [npx, 'node_modules/.bin/server'],
    [npx, 'node_modules/@scope/server/package.json', '{}'],
    [npx, 'package.json', '{"name":"x","bin":{"server":"./x.mjs"}}'],
    ['npx -p one -p @scope/two three', 'node_modules/@scope/two/package.json', '{}'],
    ['npx -p one -p two three', 'node_modules/.bin/three'],
    ['env A=1 timeout 10 npx -y server', 'node_modules/.bin/server'],
    ['pnpm dlx server', '.pnpmfile.cjs'],
    ['pnpm dlx server', 'pnpm-workspace.yaml', 'packages: []\nscriptShell: /tmp/evil\n'],
    ['pnpm exec server', 'node_modules/.bin/server'],
    ['yarn dlx server', '.yarnrc.yml', 'yarnPath: ./evil.cjs\n'],
    ['bunx server', 'bunfig.toml', 'preload = ["./evil.ts"]\n'],
    ['bunx server', 'bunfig.toml', '[install]\nscopes = { x = "https://example.org" }\n'],
    ['bunx server', 'bunfig.toml', 'install = { registry = "https://example.org" }\n'],
    ['bunx server', '.env', 'TOKEN=x\nNODE_OPTIONS=--import=./evil.mjs\n'],
    ['node --import tsx /opt/x.ts', 'node_modules/tsx/package.json', '{}'],
    ['uv run /opt/x.py', '.python-version', './evil/python'],
    ['python3.12 -m mcp_server', 'mcp_server.py'],
    ['python -m mcp_server', 'mcp_server/__main__.py'],
    ['python -m mcp_server.cli', 'mcp_server/cli.py'],
    ['docker compose run server', 'compose.yaml', 'services: {}'],
    ['dnx Server', 'nuget.config', '<configuration/>'],
    ['dnx Server', 'NuGet.Config', '<configuration/>'],
  ];
  for (const [line, file, text = 'x'] of deciding) {
    test(`is a warning, and asks again when it is added: ${file} for ${line}`, async () => {
      const one = server(line);
      assert.deepEqual(besideWarnings(one), []);
      await allow(one);
      write(file, text);
      assert.ok(!isAllowed(one), 'it is asked about');
      assert.equal(besideWarnings(one).length, 1, ask(one).warnings.join('\n'));
      assert.match(ask(one).changes.join('\n'), /is new since you allowed it/);
      assert.ok(isOffWhenUnopened(one));
      await allow(one);
      write(file, `${text}\n#`.replace('./evil', './other').replace('./x.mjs', './y.mjs'));
      assert.ok(!isAllowed(one), 'it is compared');
    });
  }

  const lines: Readonly<Record<string, string>> = {
    node: 'node --import server /opt/x.js',
    python: 'python -m server',
  };
  for (const { of, files, decides } of besideTable) {
    for (const pattern of files) {
      const [program = ''] = of;
      const line = lines[program] ?? `${program} server`;
      const file = pattern.replace(/\{\w+\}/, 'server');
      test(`asks again when it appears with anything that decides: ${file} for ${line}`, async () => {
        const one = server(line);
        await allow(one);
        for (const text of decidingTexts(decides)) {
          write(file, text);
          assert.ok(!isAllowed(one), text);
        }
      });
    }
  }

  const harmless: readonly (readonly [line: string, file: string, text: string])[] = [
    [npx, '.npmrc', 'save-exact=true\n# registry=https://example.org\n; script-shell=x\n'],
    [npx, '.npmrc', '//registry.npmjs.org/:_authToken=${NPM_TOKEN}\nignore-scripts=true\n'],
    [npx, 'package.json', '{"name":"api","bin":{"other":"./x.mjs"},"scripts":{"server":"x"}}'],
    [npx, 'node_modules/.bin/other', 'x'],
    [npx, '.pnpmfile.cjs', 'x'],
    ['pnpm dlx server', 'pnpm-workspace.yaml', 'packages:\n  - registry\ncatalog:\n  registry: 1.0.0\n'],
    ['bunx server', 'bunfig.toml', '[test]\npreload = ["./dom.ts"]\n[install]\nexact = true\n'],
    ['bunx server', '.env', 'TOKEN=x\n'],
    ['uv run /opt/x.py', '.python-version', '3.12\n'],
    ['python -m mcp_server', 'other.py', 'x'],
    ['docker run -i server:1', 'compose.yaml', 'x'],
  ];
  for (const [line, file, text] of harmless) {
    test(`is neither a warning nor asked about: ${file} for ${line}: ${text.split('\n', 1)[0] ?? ''}`, async () => {
      const one = server(line);
      const { warnings } = ask(one);
      await allow(one);
      write(file, text);
      assert.ok(isAllowed(one));
      assert.deepEqual(ask(one).warnings, warnings);
      assert.equal(isOffWhenUnopened(one), warnings.length > 0);
    });
  }

  test('belongs to what was allowed: harmless settings that change, or are gone, are asked about', async () => {
    const one = server(npx);
    write('.npmrc', 'save-exact=true\n');
    await allow(one);
    const [kept] = window.decisions.allOf(launchDecisionKind);
    assert.equal(kept && launchDecisionKind.words?.what(kept), 'may start', 'no checkbox was selected');
    write('.npmrc', 'save-exact=false\n');
    assert.ok(!isAllowed(one));
    assert.match(ask(one).changes.join('\n'), /\.npmrc" has changed since you allowed it/);
    await allow(one);
    rmSync(inBed('api', '.npmrc'));
    assert.ok(!isAllowed(one));
    assert.match(ask(one).changes.join('\n'), /\.npmrc" is gone since you allowed it/);
  });

  test('is found in the folders above, up to that of the workspace', async () => {
    const one = server(npx, inBed('api', 'tools'));
    writeFileSync(inBed('.npmrc'), 'script-shell=/tmp/evil\n');
    assert.deepEqual(besideWarnings(one), []);
    await allow(one);
    write('.npmrc', 'script-shell=/tmp/evil\n');
    assert.ok(!isAllowed(one));
    assert.match(
      besideWarnings(one).join('\n'),
      /^"\.\.[/\\]+\.npmrc" in the workspace sets script-shell, which/,
    );
  });

  test('is compared by what a link leads to, also where the command starts in a link', async () => {
    writeFileSync(inBed('harmless'), 'save-exact=true\n');
    writeFileSync(inBed('evil'), 'script-shell=/tmp/evil\n');
    symlinkSync(inBed('harmless'), inBed('api', '.npmrc'));
    const [one, linked] = [server(npx), server(npx, inBed('link', 'tools'))];
    symlinkSync(inBed('api'), inBed('link'));
    await allow(one);
    await allow(linked);
    rmSync(inBed('api', '.npmrc'));
    symlinkSync(inBed('evil'), inBed('api', '.npmrc'));
    for (const each of [one, linked]) {
      assert.ok(!isAllowed(each));
      assert.equal(besideWarnings(each).length, 1);
    }
  });

  test('is compared whatever the number of names', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `package-${index}`);
    const one = server(`npx ${names.map((name) => `-p ${name}`).join(' ')} server`);
    for (const name of names) {
      await allow(one);
      write(`node_modules/${name}/package.json`, '{}');
      assert.ok(!isAllowed(one), name);
    }
    assert.equal(besideWarnings(one).length, 20);
    const tooMany = server(`npx ${Array.from({ length: 1_001 }, (_, index) => `-p x${index}`).join(' ')} s`);
    assert.match(
      besideWarnings(tooMany).join('\n'),
      /more than 1,000 files of the workspace: not all are compared/,
    );
  });

  test('is a warning while nothing can read it, and asks again when it is another one', async () => {
    const one = server(npx);
    const padding = '#'.repeat(1024 * 1024);
    await allow(one);
    write('.npmrc', `${padding}\nscript-shell=/tmp/evil\n`);
    assert.ok(!isAllowed(one));
    assert.match(
      ask(one).warnings.join('\n'),
      /\.npmrc" in the workspace can't be read, and may change what npx runs/,
    );
    await allow(one);
    write('.npmrc', `${padding}\nscript-shell=/tmp/more-evil\n`);
    assert.ok(!isAllowed(one));
  });

  test('is read up to a size of all files together', async () => {
    const one = server(npx, inBed('api', 'tools'));
    const padding = '#'.repeat(600 * 1024);
    write('tools/.npmrc', padding);
    assert.deepEqual(besideWarnings(one), []);
    write('.npmrc', padding);
    assert.match(
      ask(one).warnings.join('\n'),
      /"\.\.[/\\]+\.npmrc" in the workspace can't be read, and may change what npx runs/,
    );
    await allow(one);
    write('.npmrc', `${padding}\nscript-shell=/tmp/evil\n`);
    assert.ok(!isAllowed(one));
  });

  test('is not looked at for a launch that starts elsewhere', async () => {
    const one = server(npx, inBed());
    writeFileSync(inBed('.npmrc'), 'script-shell=/tmp/evil\n');
    assert.deepEqual(ask(one).warnings, []);
    await allow(one);
    rmSync(inBed('.npmrc'));
    assert.ok(isAllowed(one));
  });

  test('asks again where an older answer knew nothing of it, and only if it changes what runs', async () => {
    const one = server(npx);
    window.folders = [];
    await allow(one);
    write('.npmrc', 'save-exact=true\n');
    window.folders = [{ uri: pathToFileURL(inBed('api')).href, name: 'api' }];
    assert.ok(isAllowed(one), 'the window that allowed it did not have the folder');
    write('.npmrc', 'script-shell=/tmp/evil\n');
    assert.ok(!isAllowed(one));
  });
});
