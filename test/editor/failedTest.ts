import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { openServers } from './codeServer.ts';
import { root } from './paths.mjs';
import { openWorkbenches } from './workbench.ts';

/**
 * After a test that failed: keeps a picture, a Playwright trace and the console of each window and the editor's logs
 * in `out/failed/`, and says where. After any other, begins the traces again.
 */
export async function keepFailure(this: Mocha.Context): Promise<void> {
  const test = this.currentTest;
  const folder =
    test?.state === 'failed'
      ? join(
          root,
          'out/failed',
          test
            .fullTitle()
            .replaceAll(/[^\w-]+/g, '-')
            .slice(0, 100),
        )
      : undefined;
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
