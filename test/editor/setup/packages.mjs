// Installs what a lock file names: the project's own dependencies, with Node 24, and those of suites and servers.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { conformance, node24, publishedServers, root, windowsPackages } from '../paths.mjs';
import { npm, run } from './run.mjs';
import { demandOwnPackages } from './ownPackages.mjs';

/** @typedef {import('./steps.mjs').Step} Step */

/** @type {Step} */
export const dependencies = {
  ...lockedPackages(root, { what: 'the dependencies', weight: 12 }),
  isDone: () => isInstalled(root) && runsNode24(),
  run: async () => {
    demandOwnPackages(root);
    if (!isInstalled(root)) {
      await install(root, []);
    }
    await demandNode24();
  },
};

/** The protocol's conformance suite. */
export const conformanceSuite = lockedPackages(conformance, {
  what: "the protocol's conformance suite",
  weight: 5,
  parameters: ['--ignore-scripts'],
});

/** Servers of earlier revisions, each with the SDK of its day. */
export const earlierServers = lockedPackages(publishedServers, {
  what: 'servers of earlier revisions',
  weight: 5,
  parameters: ['--ignore-scripts'],
});

/** Node and npm for Windows, on whatever system this is. */
export const nodeForWindows = lockedPackages(windowsPackages, {
  what: 'Node and npm for Windows',
  weight: 5,
  parameters: ['--ignore-scripts', '--force'], // by force, because npm refuses what is meant for another system
});

/**
 * Runs `npm ci` in a folder, unless the packages are those of its package-lock.json already.
 * @param {string} folder
 * @param {{ what: string, weight: number, parameters?: readonly string[] }} options
 * @returns {Step}
 */
function lockedPackages(folder, { what, weight, parameters = [] }) {
  return {
    what,
    weight,
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
  demandOwnPackages(folder);
  await npm(['ci', ...parameters], folder);
}

/**
 * Whether npm has finished an installation of what the lock file names, however it was started: it writes a list at the end.
 * @param {string} folder
 */
function isInstalled(folder) {
  const list = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(list)) {
    return false;
  }
  const installed = packagesIn(list);
  return wantedIn(folder).every(([place, { version }]) => installed[place]?.version === version);
}

/**
 * How much of a lock file is there.
 * @param {string} folder
 */
function shareOf(folder) {
  const wanted = wantedIn(folder);
  return wanted.filter(([place]) => existsSync(join(folder, place, 'package.json'))).length / wanted.length;
}

/**
 * What a lock file names, by place, without what is meant for some systems only.
 * @param {string} folder
 */
function wantedIn(folder) {
  return Object.entries(packagesIn(join(folder, 'package-lock.json'))).filter(
    ([place, { optional }]) => place !== '' && !optional,
  );
}

/**
 * @param {string} lockFile
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function packagesIn(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}

/** Makes sure that the Node 24 of the dev dependency runs; it is missing when npm has run no install scripts. */
async function demandNode24() {
  if (runsNode24()) {
    return;
  }
  // The package's own install script; after that, npm links the program.
  await run('node', ['installArchSpecificPackage.js'], { cwd: join(root, 'node_modules/node') });
  await npm(['rebuild', 'node', '--ignore-scripts'], root);
  if (!runsNode24()) {
    throw new Error(`Node 24 does not run from ${node24}. Delete node_modules and try again.`);
  }
}

function runsNode24() {
  const { stdout } = spawnSync(node24, ['--version'], { encoding: 'utf8', timeout: 30_000 });
  return stdout?.startsWith('v24.') ?? false;
}
