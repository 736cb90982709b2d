import type { Page } from 'playwright-core';
import { expect, plain } from './expectation.ts';

/** Picks an item of the open context menu; each further title is an item of the submenu before it. */
export async function pickFromMenu(page: Page, titles: readonly string[]): Promise<void> {
  const items = page.locator('.monaco-menu .action-item .action-label').filter({ visible: true });
  for (const [depth, title] of titles.entries()) {
    const read = async () => (await items.allInnerTexts()).map(plain);
    const isThere = (found: readonly string[]) => found.includes(title);
    const found = await expect(`'${title}' in the menu`, read, isThere);
    const item = items.nth(found.lastIndexOf(title));
    const choose = async (): Promise<boolean> => {
      await item.hover(); // and no click: for its first 100 ms a menu takes none
      return item.evaluate((label) => label.closest('.action-item.focused') !== null);
    };
    await expect(`'${title}' to be chosen in the menu`, choose, Boolean);
    await page.keyboard.press(depth === titles.length - 1 ? 'Enter' : 'ArrowRight');
  }
  await expect(
    'the menu to close',
    () => items.count(),
    (count) => count === 0,
  );
}

/** The titles in the open context menu; a line between groups is `-`. */
export async function menuTitles(page: Page): Promise<readonly string[]> {
  const items = page.locator('.monaco-menu .action-item').filter({ visible: true });
  return expect(
    'an open menu',
    () =>
      items.evaluateAll((found) =>
        found.map((item) => item.querySelector('.action-label:not(.separator)')?.textContent?.trim() ?? '-'),
      ),
    ({ length }) => length > 0,
  );
}
