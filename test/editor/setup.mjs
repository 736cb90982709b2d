// Brings what the tests and `npm start` need: the dependencies, Node 24, VS Code's server, Chromium.
// Plain JavaScript for Node 20 and up, because it runs before anything is installed. Safe to repeat:
// what is there already is left alone.
import { fileURLToPath } from 'node:url';
import { chromium } from './setup/chromium.mjs';
import { codeServer } from './setup/codeServer.mjs';
import { conformanceSuite, dependencies, earlierServers, nodeForWindows } from './setup/packages.mjs';
import { packagedExtension } from './setup/packagedExtension.mjs';
import { takeSteps } from './setup/steps.mjs';

/** Brings what the tests without an editor need. */
export async function setUpWithoutEditor() {
  await takeSteps([[dependencies, conformanceSuite, earlierServers]]);
}

/** Brings, after that, what the tests in an editor need. */
export async function setUpTestEditor() {
  await takeSteps([[codeServer], [chromium], [packagedExtension]]);
}

/** Packages the extension, unless the package is newer than every source. */
export async function setUpPackage() {
  await takeSteps([[packagedExtension]]);
}

/** Brings the protocol's conformance suite. */
export async function setUpConformance() {
  await takeSteps([[conformanceSuite]]);
}

/** Brings what the unit tests in Node for Windows need. */
export async function setUpForWindows() {
  await takeSteps([[dependencies, earlierServers, conformanceSuite, nodeForWindows]]);
}

/** Brings what `npm start` needs in a desktop VS Code. */
export async function setUpForDesktop() {
  await takeSteps([[dependencies]]);
}

/** Brings what `npm start` needs in a browser. */
export async function setUpForBrowser() {
  await takeSteps([[dependencies, packagedExtension], [codeServer]]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    if (!process.argv.includes('--test-editor')) {
      await setUpWithoutEditor();
    }
    if (!process.argv.includes('--without-editor')) {
      await setUpTestEditor();
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
