// Installs VS Code's server, as the npm package code-server carries it. Its own script would compile native modules
// for minutes, which nothing here needs.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { codeServerFolder, codeServerVersion, root } from '../paths.mjs';
import { demandOwnPackages } from './ownPackages.mjs';
import { npm } from './run.mjs';

const made = `${codeServerVersion} ${process.platform}-${process.arch}`;
const stamp = join(codeServerFolder, '.finished');
const editor = join(codeServerFolder, 'node_modules/code-server/lib/vscode');
const withoutScripts = ['install', '--ignore-scripts', '--no-save', '--omit=dev'];

/** What stands for a native module that comes without a binary. */
const inPlaceOf = {
  '@vscode/spdlog': 'spdlog.cjs',
  '@vscode/native-watchdog': 'nativeWatchdog.cjs',
};

/** A third of all that would be installed, for agents in processes of their own, containers and tunnels. */
const neverUsed = ['@devcontainers/cli', '@github/copilot-sdk', '@microsoft/mxc-sdk', 'ssh2'];

/** @type {import('./steps.mjs').Step} */
export const codeServer = {
  what: `VS Code's server (code-server ${codeServerVersion}, 400 MB)`,
  weight: 10,
  isDone: () => existsSync(stamp) && readFileSync(stamp, 'utf8') === made,
  share: () => finishedParts() / 3,
  run: async () => {
    demandOwnPackages(root);
    rmSync(codeServerFolder, { recursive: true, force: true });
    mkdirSync(codeServerFolder, { recursive: true });
    writeFileSync(join(codeServerFolder, 'package.json'), '{ "private": true }\n');
    await npm([...withoutScripts, `code-server@${codeServerVersion}`], codeServerFolder);
    leaveOut(neverUsed);
    await Promise.all([npm(withoutScripts, editor), npm(withoutScripts, join(editor, 'extensions'))]);
    replaceNativeModules();
    linkPrograms();
    writeFileSync(stamp, made);
  },
};

/** npm writes that file when it has installed a part. */
function finishedParts() {
  const parts = [codeServerFolder, editor, join(editor, 'extensions')];
  return parts.filter((part) => existsSync(join(part, 'node_modules/.package-lock.json'))).length;
}

/** @param {readonly string[]} names */
function leaveOut(names) {
  const file = join(editor, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  for (const name of names) {
    delete manifest.dependencies[name];
  }
  writeFileSync(file, JSON.stringify(manifest, undefined, 2));
}

function replaceNativeModules() {
  for (const [name, file] of Object.entries(inPlaceOf)) {
    const folder = join(editor, 'node_modules', name);
    const { main = 'index.js' } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    copyFileSync(join(import.meta.dirname, 'native', file), join(folder, main));
  }
}

function linkPrograms() {
  if (process.platform === 'win32') {
    return;
  }
  const system = process.platform === 'darwin' ? 'darwin' : 'linux';
  link(`code-${system}.sh`, 'remote-cli/code-server');
  link(`browser-${system}.sh`, 'helpers/browser.sh');
}

/**
 * @param {string} target
 * @param {string} name
 */
function link(target, name) {
  const place = join(editor, 'bin', name);
  rmSync(place, { force: true });
  symlinkSync(target, place);
}
