// Chooses the editor of `npm start`, and says why. Plain JavaScript, because it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/**
 * What is there to choose from.
 * @typedef {object} Surroundings
 * @property {boolean} isWebWanted `--web`
 * @property {NodeJS.Platform} platform
 * @property {NodeJS.ProcessEnv} env
 * @property {boolean} isRoot
 * @property {() => string | undefined} versionOfCode What `code --version` prints, unless there is no such command.
 * @property {string} wanted The range of versions that the extension runs in, such as `^1.106.0`.
 */

/** @type {Omit<Surroundings, 'isWebWanted'>} */
const here = {
  platform: process.platform,
  env: process.env,
  isRoot: process.getuid?.() === 0,
  versionOfCode,
  wanted: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.vscode,
};

/**
 * The desktop's VS Code, where there is one that can be used here; else VS Code in a browser.
 * @param {Surroundings} surroundings
 * @returns {{ kind: 'desktop' | 'browser', text: string }}
 */
export function chooseEditor({ isWebWanted, platform, env, isRoot, versionOfCode, wanted }) {
  if (isWebWanted) {
    return { kind: 'browser', text: 'Opens the demo workspace in your browser.' };
  }
  if (platform === 'linux' && !env['DISPLAY'] && !env['WAYLAND_DISPLAY']) {
    return inBrowser('there is no display here');
  }
  if (env['VSCODE_IPC_HOOK_CLI'] !== undefined) {
    return inBrowser("this is VS Code's own terminal, where 'code' opens no window of its own");
  }
  if (isRoot) {
    return inBrowser('the desktop VS Code does not run as root');
  }
  const version = versionOfCode()?.split('\n', 1)[0]?.trim();
  if (version === undefined) {
    return inBrowser("there is no 'code' command on the PATH");
  }
  return isNewEnough(version, wanted)
    ? {
        kind: 'desktop',
        text: `Opens the demo workspace in your VS Code ${version}, in a profile of its own. 'npm start -- --web' uses your browser.`,
      }
    : inBrowser(
        `the 'code' command is VS Code ${version}, and the extension needs ${wanted.replace('^', '')}`,
      );
}

/** @param {boolean} isWebWanted */
export function chooseEditorHere(isWebWanted) {
  return chooseEditor({ ...here, isWebWanted });
}

/**
 * @param {string} because
 * @returns {{ kind: 'browser', text: string }}
 */
function inBrowser(because) {
  return { kind: 'browser', text: `Opens the demo workspace in your browser, because ${because}.` };
}

/**
 * @param {string} version
 * @param {string} wanted
 */
function isNewEnough(version, wanted) {
  const [wantedMajor = 0, wantedMinor = 0] = numbers(wanted);
  const [major = 0, minor = 0] = numbers(version);
  return major === wantedMajor && minor >= wantedMinor;
}

/** @param {string} version */
function numbers(version) {
  return (version.match(/\d+/g) ?? []).map(Number);
}

function versionOfCode() {
  const shell = process.platform === 'win32';
  const { status, stdout } = spawnSync('code', ['--version'], { encoding: 'utf8', timeout: 20_000, shell });
  return status === 0 ? stdout : undefined;
}
