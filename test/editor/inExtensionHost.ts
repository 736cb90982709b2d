import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { CodeServer, type CodeServerOptions } from './codeServer.ts';
import { given } from './givenOptions.ts';
import { screenshots } from './paths.mjs';

/** A run that writes nothing for that long hangs: a busy machine is slow, but goes on. */
const defaultSilenceMs = 5 * 60_000;

/** What runs inside the extension host of a real VS Code. */
export interface HostRun {
  /** The extension under development, and the bundle whose `run` is called. */
  readonly extension: string;
  readonly suite: string;
  /** A `.code-workspace` file. */
  readonly workspace: string;
  /** What the suite writes to this file is printed. */
  readonly output: string;
  readonly server: CodeServerOptions;
  /** Milliseconds after which a suite that has written nothing counts as hanging. */
  readonly longestSilenceMs?: number;
}

/** Opens a window that runs the suite, and gives its exit code. */
export async function runInExtensionHost(run: HostRun): Promise<number> {
  writeFileSync(run.output, '');
  const server = await CodeServer.start({
    ...run.server,
    parameters: ['--vscode-option enable-smoke-test-driver'], // without it the payload below is ignored
  });
  try {
    const browser = await launchChromium();
    try {
      return await runIn(await browser.newPage({ viewport: { width: 1400, height: 900 } }), server, run);
    } finally {
      await browser.close();
    }
  } finally {
    await server.stop();
  }
}

async function runIn(page: Page, server: CodeServer, run: HostRun): Promise<number> {
  const { longestSilenceMs = defaultSilenceMs } = run;
  const finished = new AbortController();
  const { promise: result, resolve, reject } = Promise.withResolvers<number>();
  const hang = setTimeout(
    () =>
      reject(new Error(`The tests in the extension host wrote nothing for ${longestSilenceMs / 1000} s.`)),
    longestSilenceMs,
  );
  const printing = printWhileWritten(run.output, finished.signal, () => hang.refresh());
  try {
    // The window calls a function of this name when the suite has ended.
    await page.exposeFunction('codeAutomationExit', resolve);
    await page.exposeFunction('codeAutomationLog', () => {});
    page.on('crash', () => reject(new Error('The page of the editor crashed.')));
    await page.goto(`${server.place}/?${windowQuery(server, run).toString()}`);
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

function windowQuery(server: CodeServer, { extension, suite, workspace }: HostRun): URLSearchParams {
  const payload = given('payload', {
    extensionDevelopmentPath: server.remoteUri(extension),
    extensionTestsPath: server.remoteUri(suite),
    skipWelcome: 'true',
    skipReleaseNotes: 'true',
  });
  return new URLSearchParams({ workspace, payload: JSON.stringify(Object.entries(payload)) });
}

/** Prints what the suite writes, and tells of each piece. */
async function printWhileWritten(output: string, end: AbortSignal, onWritten: () => void): Promise<void> {
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
