import { join, relative } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium } from '../../editor/chromium.ts';
import { root } from '../../editor/paths.mjs';

let page: Promise<Page> | undefined;

/** The one page of this process, in a browser of its own: each panel is loaded into it. */
export function sharedPage(): Promise<Page> {
  page ??= openPage();
  return page;
}

async function openPage(): Promise<Page> {
  return (await launchChromium()).newPage();
}

export async function closeBrowser(): Promise<void> {
  const last = page;
  page = undefined;
  await (await last)?.context().browser()?.close();
}

/** Keeps a picture of the page after a test that failed, and says where. */
export async function keepPicture(title: string): Promise<void> {
  const name = title.replaceAll(/[^\w-]+/g, '-').slice(0, 100);
  const path = join(root, 'out/failed', `${name}.png`);
  await (await page)?.screenshot({ path, animations: 'disabled', fullPage: true });
  console.log(`      picture: ${relative(root, path)}`);
}
