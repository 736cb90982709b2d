// Brings what the scripts of package.json need: the dependencies, Node 24, VS Code's server, Chromium. Each script begins here:
// `setup.mjs unit mocha --parallel` brings what unit tests need, and then runs mocha under Node 24; without a program it
// only brings, and without anything all that the tests need. Plain JavaScript for Node 20 and up, because it runs before
// anything is installed. Safe to repeat: what is there already is left alone.
import { fileURLToPath } from 'node:url';
import { handOver } from './handOver.mjs';
import { chromium } from './setup/chromium.mjs';
import { codeServer } from './setup/codeServer.mjs';
import { conformanceSuite, dependencies, earlierServers, nodeForWindows } from './setup/packages.mjs';
import { packagedExtension } from './setup/packagedExtension.mjs';
import { takeSteps } from './setup/steps.mjs';

const withoutEditor = [dependencies, conformanceSuite, earlierServers];

/** What is needed for what: rows side by side, the steps of one row after each other. */
const needs = {
  build: [[dependencies]],
  unit: [withoutEditor],
  page: [withoutEditor, [chromium]],
  browser: [[dependencies, packagedExtension], [codeServer]],
  editor: [[...withoutEditor, packagedExtension], [codeServer], [chromium]],
  windows: [[...withoutEditor, nodeForWindows]],
};

/** @param {keyof typeof needs} what */
export async function setUp(what) {
  await takeSteps(needs[what]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const [what = 'editor', program, ...parameters] = process.argv.slice(2);
    if (!Object.hasOwn(needs, what)) {
      throw new Error(`There is no set-up for '${what}', only for ${Object.keys(needs).join(', ')}.`);
    }
    await setUp(/** @type {keyof typeof needs} */ (what));
    if (program !== undefined) {
      process.exitCode = await handOver(program, parameters);
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
