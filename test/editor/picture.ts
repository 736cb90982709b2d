import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, PageScreenshotOptions } from 'playwright-core';
import { screenshots } from './paths.mjs';

/**
 * Takes a picture of a page into `out/screenshots/`, if `PICTURES` is set: to take and to write one takes more processor time
 * than most steps of a test. What fades in or out is there or gone.
 */
export async function takePicture(page: Page, name: string, options?: PageScreenshotOptions): Promise<void> {
  if (process.env['PICTURES'] !== undefined) {
    mkdirSync(screenshots, { recursive: true });
    const path = join(screenshots, `${name.replaceAll(/[^\w-]+/g, '-')}.png`);
    await page.screenshot({ path, animations: 'disabled', ...options });
  }
}
