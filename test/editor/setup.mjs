// Brings what the tests and `npm start` need: the dependencies, Node 24, code-server, Chromium.
// Plain JavaScript for Node 20 and up, because it runs before anything is installed. Safe to repeat:
// what is there already is left alone.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromiumPath } from './chromiumPath.mjs';
import {
  codeServerEntry,
  codeServerFolder,
  codeServerVersion,
  conformance,
  node24,
  nodeHeaders,
  publishedServers,
  root,
} from './paths.mjs';

const isWindows = process.platform === 'win32';
const tenMinutes = 10 * 60_000;
/** For packages that need no script to be run; what is in npm's cache need not be asked for. */
const ofOthers = ['--ignore-scripts', '--prefer-offline'];

/**
 * Brings everything; throws an error whose message says what is missing and what to do.
 * @param {{ tests: boolean }} needs `npm start` needs neither Chromium nor the servers and suites of others
 */
export function setUp(needs) {
  if (needs.tests) {
    setUpWithoutEditor();
    setUpTestEditor();
  } else {
    installDependencies();
    installNode24();
    installCodeServer();
  }
}

/** Brings what the tests without an editor need. */
export function setUpWithoutEditor() {
  installDependencies();
  installConformance();
  installPublishedServers();
  installNode24();
}

/** Brings, after that, what the tests in an editor need. */
export function setUpTestEditor() {
  installCodeServer();
  installChromium();
}

/** Runs `npm ci`, unless the packages are those of package-lock.json already. */
export function installDependencies() {
  installLocked(root, [], 'installing the dependencies (about 20 s)');
}

/** As `installDependencies`, for the protocol's conformance suite. */
export function installConformance() {
  installLocked(conformance, ofOthers, 'installing the conformance suite (52 MB, about 5 s)');
}

/** As `installDependencies`, for the servers of earlier revisions, each with the SDK of its day. */
export function installPublishedServers() {
  installLocked(publishedServers, ofOthers, 'installing servers of earlier revisions (43 MB, about 5 s)');
}

/**
 * @param {string} folder
 * @param {string[]} parameters
 * @param {string} what
 */
function installLocked(folder, parameters, what) {
  const stamp = join(folder, 'node_modules/.installed-lock');
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (isStamped(stamp, lock)) {
    return;
  }
  say(what);
  npm(['ci', ...parameters], { cwd: folder });
  writeFileSync(stamp, lock);
}

/** Makes sure that the Node 24 of the dev dependency runs; it is missing when npm ignores install scripts. */
export function installNode24() {
  if (runsNode24()) {
    return;
  }
  repairNode24();
  if (!runsNode24()) {
    throw new Error(`Node 24 does not run from ${node24}. Delete node_modules and try again.`);
  }
}

/** Installs code-server, unless a finished installation is there. */
export function installCodeServer() {
  const stamp = join(codeServerFolder, '.finished');
  const made = `${codeServerVersion} ${process.platform}-${process.arch}`;
  if (isStamped(stamp, made)) {
    return;
  }
  say(`installing VS Code's server, code-server ${codeServerVersion} (620 MB, about 30 s)`);
  demandBuildTools();
  if (!hasNodeHeaders()) {
    repairNode24();
  }
  rmSync(codeServerFolder, { recursive: true, force: true });
  mkdirSync(codeServerFolder, { recursive: true });
  writeFileSync(join(codeServerFolder, 'package.json'), '{ "private": true }\n');
  fillCodeServer();
  writeFileSync(stamp, made);
}

/** Makes sure of a Chromium; on Debian as root it is installed. */
export function installChromium() {
  if (chromiumPath() !== undefined) {
    return;
  }
  const isRoot = process.getuid?.() === 0;
  if (isRoot && isOnPath('apt-get')) {
    say('installing Chromium from the distribution (about 30 s)');
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    run('apt-get', ['update'], { env: environment });
    run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { env: environment });
  }
  if (chromiumPath() === undefined) {
    throw new Error(
      'The tests need Chromium. Install Chromium or Google Chrome (on Debian: apt-get install chromium), ' +
        'or set CHROMIUM to the path of one.',
    );
  }
}

/**
 * The installation that code-server's own script does, without compiling what ships compiled:
 * of its native modules only these two come without a binary.
 */
function fillCodeServer() {
  const editor = join(codeServerFolder, 'node_modules/code-server/lib/vscode');
  const withoutScripts = ['install', '--ignore-scripts', '--no-save'];
  npmOfNode24([...withoutScripts, `code-server@${codeServerVersion}`], codeServerFolder);
  say('  its server part');
  npmOfNode24([...withoutScripts, '--omit=dev'], editor);
  say('  its two native modules (compiling)');
  npmOfNode24(['rebuild', '--ignore-scripts=false', '@vscode/spdlog', '@vscode/native-watchdog'], editor);
  say('  its built-in extensions');
  npmOfNode24([...withoutScripts, '--omit=dev'], join(editor, 'extensions'));
  if (!isWindows) {
    const system = process.platform === 'darwin' ? 'darwin' : 'linux';
    link(`code-${system}.sh`, join(editor, 'bin/remote-cli/code-server'));
    link(`browser-${system}.sh`, join(editor, 'bin/helpers/browser.sh'));
  }
  run(node24, [codeServerEntry, '--version'], { cwd: codeServerFolder });
}

function demandBuildTools() {
  if (isWindows) {
    return; // node-gyp finds Visual Studio itself, and says so when it is missing
  }
  const missing = ['make', 'g++', 'python3'].filter((tool) => !isOnPath(tool));
  if (missing.length > 0) {
    throw new Error(
      `VS Code's server has two native modules to compile, and ${missing.join(', ')} cannot be found. ` +
        'On Debian: apt-get install build-essential python3',
    );
  }
}

function repairNode24() {
  say('installing Node 24 (about 10 s)');
  npm(['rebuild', 'node', '--ignore-scripts=false'], { cwd: root });
  if (!runsNode24() || !hasNodeHeaders()) {
    // npm would not run the package's install script: this is that script
    run(process.execPath, ['installArchSpecificPackage.js'], { cwd: join(root, 'node_modules/node') });
  }
}

function runsNode24() {
  const { stdout } = spawnSync(node24, ['--version'], { encoding: 'utf8', timeout: 30_000 });
  return stdout?.startsWith('v24.') ?? false;
}

function hasNodeHeaders() {
  return existsSync(join(nodeHeaders, 'include/node/node.h'));
}

/**
 * @param {string} stamp
 * @param {string} content
 */
function isStamped(stamp, content) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === content;
}

/**
 * @param {string} target
 * @param {string} place
 */
function link(target, place) {
  rmSync(place, { force: true });
  symlinkSync(target, place);
}

/** @param {string} program */
function isOnPath(program) {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => existsSync(join(folder, program)));
}

/**
 * @param {string[]} parameters
 * @param {string} cwd
 */
function npmOfNode24(parameters, cwd) {
  const env = {
    ...ownEnvironment(),
    PATH: dirname(node24) + delimiter + (process.env['PATH'] ?? ''),
    npm_config_nodedir: nodeHeaders,
    MAKEFLAGS: `-j${availableParallelism()}`,
  };
  npm(parameters, { cwd, env, node: node24 });
}

/**
 * @param {string[]} parameters
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, node?: string }} options
 */
function npm(parameters, { cwd, env = ownEnvironment(), node = process.execPath }) {
  const quiet = ['--loglevel=error', '--no-audit', '--no-fund', '--no-update-notifier'];
  const script = process.env['npm_execpath'];
  if (script !== undefined && basename(script) === 'npm-cli.js') {
    run(node, [script, ...parameters, ...quiet], { cwd, env });
  } else {
    run('npm', [...parameters, ...quiet], { cwd, env, shell: isWindows });
  }
}

/** The environment without what `npm run` adds for this project, which would misplace another folder's installation. */
function ownEnvironment() {
  const added = /^npm_(package|lifecycle)_|^npm_config_(local_prefix|prefix)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !added.test(name)));
}

/**
 * Runs a program to its end, silently; a failure throws with the end of what it printed.
 * @param {string} program
 * @param {string[]} parameters
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean }} options
 */
function run(program, parameters, options) {
  const result = spawnSync(program, parameters, {
    ...options,
    encoding: 'utf8',
    timeout: tenMinutes,
    maxBuffer: 100 * 1024 * 1024,
  });
  if (result.status !== 0) {
    const printed = `${result.stdout ?? ''}${result.stderr ?? ''}`.trim().split('\n').slice(-30).join('\n');
    const reason = result.error?.message ?? `exit code ${result.status ?? result.signal}`;
    throw new Error(`'${program} ${parameters.join(' ')}' failed (${reason}).\n${printed}`);
  }
}

/** @param {string} text */
function say(text) {
  console.log(`set-up: ${text}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    if (process.argv.includes('--test-editor')) {
      setUpTestEditor();
    } else {
      setUp({ tests: true });
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
