// Installs what a lock file names: the project's own dependencies, with Node 24, and those of suites and servers.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conformance, node24, publishedServers, root, windowsPackages } from '../paths.mjs';
import { npm, run } from './run.mjs';
import { isStamped } from './stamp.mjs';

/** @typedef {import('./steps.mjs').Step} Step */

/** @type {Step} */
export const dependencies = {
  ...lockedPackages(root, { what: 'the dependencies', seconds: 12 }),
  isDone: () => isInstalled(root) && runsNode24(),
  run: async () => {
    if (!isInstalled(root)) {
      await install(root, []);
    }
    await demandNode24();
  },
};

/** The protocol's conformance suite. */
export const conformanceSuite = lockedPackages(conformance, {
  what: "the protocol's conformance suite",
  seconds: 5,
  parameters: ['--ignore-scripts'],
});

/** Servers of earlier revisions, each with the SDK of its day. */
export const earlierServers = lockedPackages(publishedServers, {
  what: 'servers of earlier revisions',
  seconds: 5,
  parameters: ['--ignore-scripts'],
});

/** Node and npm for Windows, on whatever system this is. */
export const nodeForWindows = lockedPackages(windowsPackages, {
  what: 'Node and npm for Windows',
  seconds: 5,
  parameters: ['--ignore-scripts', '--force'], // by force, because npm refuses what is meant for another system
});

/**
 * Runs `npm ci` in a folder, unless the packages are those of its package-lock.json already.
 * @param {string} folder
 * @param {{ what: string, seconds: number, parameters?: readonly string[] }} options
 * @returns {Step}
 */
function lockedPackages(folder, { what, seconds, parameters = [] }) {
  return {
    what,
    seconds,
    isDone: () => isInstalled(folder),
    share: () => shareOf(folder),
    run: () => install(folder, parameters),
  };
}

/**
 * @param {string} folder
 * @param {readonly string[]} parameters
 */
async function install(folder, parameters) {
  await npm(['ci', ...parameters], folder);
  writeFileSync(stampOf(folder), lockOf(folder));
}

/** @param {string} folder */
function isInstalled(folder) {
  return isStamped(stampOf(folder), lockOf(folder));
}

/** @param {string} folder */
function stampOf(folder) {
  return join(folder, 'node_modules/.installed-lock');
}

/** @param {string} folder */
function lockOf(folder) {
  return createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
}

/**
 * How much of a lock file is there; what is meant for other systems never will be.
 * @param {string} folder
 */
function shareOf(folder) {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const places = Object.keys(packages).filter((place) => place !== '' && !packages[place].optional);
  return places.filter((place) => existsSync(join(folder, place, 'package.json'))).length / places.length;
}

/** Makes sure that the Node 24 of the dev dependency runs; it is missing when npm ignores install scripts. */
async function demandNode24() {
  if (runsNode24()) {
    return;
  }
  await npm(['rebuild', 'node', '--ignore-scripts=false'], root);
  if (!runsNode24()) {
    // npm would not run the package's install script: this is that script
    await run(process.execPath, ['installArchSpecificPackage.js'], { cwd: join(root, 'node_modules/node') });
  }
  if (!runsNode24()) {
    throw new Error(`Node 24 does not run from ${node24}. Delete node_modules and try again.`);
  }
}

function runsNode24() {
  const { stdout } = spawnSync(node24, ['--version'], { encoding: 'utf8', timeout: 30_000 });
  return stdout?.startsWith('v24.') ?? false;
}
