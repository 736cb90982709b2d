import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import Mocha from 'mocha';
import type { Page } from 'playwright-core';
import { openServers } from './codeServer.ts';
import { root } from './paths.mjs';
import { skipRest } from './skipRest.ts';
import { openWorkbenches } from './workbench.ts';

/** What a reader of a failure wants to know of its window: it may have been waiting for you, or shown another page. */
const parts = [
  '.monaco-dialog-box',
  '.quick-input-widget',
  '.notification-list-item-message',
  '.tabs-container .tab.active',
  '.statusbar-item[id*="mcp-host"]',
];
/** Characters of each part. */
const MAX_PART = 300;

/** The test or hook that has failed, until its windows are kept. */
let failed: { readonly title: string; readonly error: Error } | undefined;

/**
 * Takes notice of what fails: a hook as well, after which mocha runs no hook for a test. If a suite's set-up fails, its
 * windows are kept before its teardown closes them. The tests of a journey go on from one another: those after the one
 * that failed are skipped.
 */
export function watchFailures(runner: Mocha.Runner): void {
  runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, (runnable: Failed, error: Error) => {
    failed = { title: runnable.fullTitle(), error };
    if (runnable.type === 'test') {
      skipRest(runnable.parent);
    }
    if (runnable.type === 'hook' && runnable.title.startsWith('"before all"')) {
      runnable.parent.afterAll(keepFailure);
      const hooks = runnable.parent.getHooks('afterAll');
      hooks.unshift(...hooks.splice(-1));
    }
  });
}

/** A test or a hook that has failed, with members that mocha's types leave out. */
interface Failed {
  readonly type: 'test' | 'hook';
  readonly title: string;
  readonly parent: Mocha.Suite & { getHooks(name: 'afterAll'): unknown[] };
  fullTitle(): string;
}

/**
 * After a test that failed: keeps a picture, a Playwright trace and the console of each window and the editor's logs
 * in `out/failed/`, and says where; the error says what was in sight. After any other, begins the traces again.
 */
export async function keepFailure(): Promise<void> {
  const folder =
    failed === undefined
      ? undefined
      : join(root, 'out/failed', failed.title.replaceAll(/[^\w-]+/g, '-').slice(0, 100));
  const { error } = failed ?? {};
  failed = undefined;
  if (folder !== undefined) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  for (const [index, { page, console: lines }] of [...openWorkbenches].entries()) {
    const { tracing } = page.context();
    await tracing.stopChunk(folder === undefined ? {} : { path: join(folder, `trace-${index + 1}.zip`) });
    await tracing.startChunk();
    if (folder !== undefined) {
      await page.screenshot({ path: join(folder, `window-${index + 1}.png`), animations: 'disabled' });
      writeFileSync(join(folder, `console-${index + 1}.txt`), lines.join('\n'));
      say(error, `In sight: ${await inSight(page)}`);
    }
  }
  if (folder !== undefined) {
    [...openServers].forEach(({ logs }, index) =>
      cpSync(logs, join(folder, `logs-${index + 1}`), { recursive: true }),
    );
    console.log(`      pictures, traces and logs: ${relative(root, folder)}`);
  }
}

async function inSight(page: Page): Promise<string> {
  const texts = await page.locator(parts.join(', ')).filter({ visible: true }).allInnerTexts();
  return texts.map((text) => text.replaceAll(/\s+/g, ' ').slice(0, MAX_PART)).join(' | ');
}

/** Adds a line to the message, and to the stack, which begins with it. */
function say(error: Error | undefined, line: string): void {
  if (error) {
    const { message, stack } = error;
    error.message = `${message}\n${line}`;
    error.stack = stack?.replace(message, () => error.message) ?? '';
  }
}
