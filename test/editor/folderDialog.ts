import type { Page } from 'playwright-core';
import { expect } from './expectation.ts';

const settledMs = 400;

/** Chooses a folder in the editor's own file dialog and presses its button, such as "Add". */
export async function chooseFolderInDialog(page: Page, folder: string, button: string): Promise<void> {
  await enterIntoDialog(page, folder.endsWith('/') ? folder : `${folder}/`, button);
}

/** Chooses a file in the editor's own file dialog and presses its button, such as "Install". */
export async function chooseFileInDialog(page: Page, file: string, button: string): Promise<void> {
  await enterIntoDialog(page, file, button);
}

/** Waits for the editor's own dialog for saving a file, and gives the path that it proposes. */
export async function proposedFile(page: Page): Promise<string> {
  const input = page.locator('.quick-input-widget .quick-input-box input');
  const read = () => input.inputValue();
  return expect('a proposed file', read, (value) => value.startsWith('/') && !value.endsWith('/'));
}

/** Types a file's path into the editor's own dialog for opening a file, and presses its button. */
export async function chooseFile(page: Page, file: string, button: string): Promise<void> {
  await enterIntoDialog(page, file, button);
}

/** Types a file's path into the editor's own file dialog and presses "OK". */
export async function saveThroughDialog(page: Page, file: string): Promise<void> {
  await enterIntoDialog(page, file, 'OK');
}

async function enterIntoDialog(page: Page, path: string, button: string): Promise<void> {
  const dialog = page.locator('.quick-input-widget');
  // Another quick input may follow at once.
  const input = dialog.locator('.quick-input-box input[placeholder$=" path"]');
  await dialog.locator('.monaco-list-row').first().waitFor();
  await expect(`the file dialog to take '${path}'`, () => stays(page, path), Boolean);
  await dialog.locator('.monaco-button', { hasText: button }).first().click();
  await input.waitFor({ state: 'hidden' });
}

/** The dialog resets its input while it starts: types until the text stays for a moment. */
async function stays(page: Page, path: string): Promise<boolean> {
  const input = page.locator('.quick-input-widget .quick-input-box input');
  await input.fill(path);
  const isChanged = async () => (await input.inputValue()) !== path;
  try {
    await expect('another text', isChanged, Boolean, settledMs);
    return false;
  } catch {
    return true;
  }
}
