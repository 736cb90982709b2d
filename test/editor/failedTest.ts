import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import Mocha from 'mocha';
import { openServers } from './codeServer.ts';
import { root } from './paths.mjs';
import { skipRest } from './skipRest.ts';
import { openWorkbenches } from './workbench.ts';

/** The title of the test or hook that has failed, until its windows are kept. */
let failed: string | undefined;

/**
 * Takes notice of what fails: a hook as well, after which mocha runs no hook for a test. If a suite's set-up fails, its
 * windows are kept before its teardown closes them. The tests of a journey go on from one another: those after the one
 * that failed are skipped.
 */
export function watchFailures(runner: Mocha.Runner): void {
  runner.on(Mocha.Runner.constants.EVENT_TEST_FAIL, (runnable: Failed) => {
    failed = runnable.fullTitle();
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
 * in `out/failed/`, and says where. After any other, begins the traces again.
 */
export async function keepFailure(): Promise<void> {
  const folder =
    failed === undefined
      ? undefined
      : join(root, 'out/failed', failed.replaceAll(/[^\w-]+/g, '-').slice(0, 100));
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
    }
  }
  if (folder !== undefined) {
    [...openServers].forEach(({ logs }, index) =>
      cpSync(logs, join(folder, `logs-${index + 1}`), { recursive: true }),
    );
    console.log(`      pictures, traces and logs: ${relative(root, folder)}`);
  }
}
