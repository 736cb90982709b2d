// Runs the tests of this folder inside the extension host of a real VS Code. `-g <text>` runs those that match.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { launchChromium } from '../editor/chromium.ts';
import { CodeServer } from '../editor/codeServer.ts';
import { root, screenshots } from '../editor/paths.mjs';
import { TemporaryFolder } from '../editor/temporaryFolder.ts';
import { multiRootWorkspace } from '../editor/workspaces.ts';
import { buildExtension } from '../editor/build.ts';
import { endWithSignals } from '../editor/endWithSignals.ts';
import { grepOption } from '../editor/grepOption.ts';
import { serveProxy } from '../fixtures/servers/loopbackProxy.ts';
import { bundleHostTests, callerExtension, hostSuite, modelsExtension } from './bundle.ts';

/** Whoever writes nothing for that long hangs: a busy machine is slow, but goes on. */
const longestSilenceMs = 5 * 60_000;

endWithSignals();
buildExtension();
await bundleHostTests();
const workspace = multiRootWorkspace();
const temporary = new TemporaryFolder('host-tests');
const proxy = await serveProxy();
const output = temporary.join('output.txt');
writeFileSync(output, '');
try {
  process.exitCode = await runSuite();
} finally {
  await proxy.close();
  temporary.remove();
  workspace.folder.remove();
}

async function runSuite(): Promise<number> {
  const grep = grepOption();
  const server = await CodeServer.start({
    unpacked: [callerExtension, modelsExtension],
    parameters: ['--vscode-option', 'enable-smoke-test-driver'], // without it the payload below is ignored
    env: {
      HOST_TEST_OUTPUT: output,
      HTTP_PROXY: proxy.url,
      NO_PROXY: '127.0.0.1,localhost',
      ...(grep === undefined ? {} : { MOCHA_GREP: grep }),
    },
  });
  try {
    const browser = await launchChromium();
    try {
      return await runIn(await browser.newPage({ viewport: { width: 1400, height: 900 } }), server);
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}

async function runIn(page: Page, server: CodeServer): Promise<number> {
  const finished = new AbortController();
  const { promise: result, resolve, reject } = Promise.withResolvers<number>();
  const hang = setTimeout(
    () =>
      reject(new Error(`The tests in the extension host wrote nothing for ${longestSilenceMs / 1000} s.`)),
    longestSilenceMs,
  );
  const printing = printWhileWritten(finished.signal, () => hang.refresh());
  try {
    // The window calls a function of this name when the suite has ended.
    await page.exposeFunction('codeAutomationExit', resolve);
    await page.exposeFunction('codeAutomationLog', () => {});
    page.on('crash', () => reject(new Error('The page of the editor crashed.')));
    await page.goto(`${server.place}/?${windowQuery(server).toString()}`);
    return await result;
  } catch (error) {
    await page.screenshot({ path: join(screenshots, 'FAILED-host-tests.png') });
    console.error(error);
    return 2;
  } finally {
    clearTimeout(hang);
    finished.abort();
    await printing;
  }
}

function windowQuery(server: CodeServer): URLSearchParams {
  const payload = [
    ['extensionDevelopmentPath', server.remoteUri(root)],
    ['extensionTestsPath', server.remoteUri(hostSuite)],
    ['skipWelcome', 'true'],
    ['skipReleaseNotes', 'true'],
  ];
  return new URLSearchParams({ workspace: workspace.file, payload: JSON.stringify(payload) });
}

/** Prints what the suite writes, and tells of each piece. */
async function printWhileWritten(end: AbortSignal, onWritten: () => void): Promise<void> {
  for (let shown = 0; ;) {
    const isLast = end.aborted;
    const written = readFileSync(output);
    if (written.length > shown) {
      process.stdout.write(written.subarray(shown));
      onWritten();
    }
    shown = written.length;
    if (isLast) {
      return;
    }
    await delay(100, undefined, { signal: end }).catch(() => {});
  }
}
