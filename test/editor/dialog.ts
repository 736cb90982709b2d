import type { Locator, Page } from 'playwright-core';
import { expect, plain } from './expectation.ts';

/** The editor's modal dialog. */
export class Dialog {
  readonly #box: Locator;
  readonly #buttons: Locator;

  constructor(page: Page) {
    this.#box = page.locator('.monaco-dialog-box');
    this.#buttons = this.#box.locator('.dialog-buttons .monaco-button');
  }

  /** Whether a dialog is open. */
  async isOpen(): Promise<boolean> {
    return this.#box.isVisible();
  }

  /** Waits for a dialog and reads its message and detail, a line each. */
  async text(): Promise<string> {
    await expect('an open dialog', () => this.isOpen(), Boolean);
    const parts = this.#box.locator('.dialog-message-text, .dialog-message-detail, .dialog-message-body');
    const texts = (await parts.allInnerTexts()).map(plain).filter((text) => text !== '');
    return [...new Set(texts)].join('\n');
  }

  /** Waits for a dialog and reads its buttons; their order is the platform's. */
  async buttons(): Promise<readonly string[]> {
    await expect('an open dialog', () => this.isOpen(), Boolean);
    return (await this.#buttons.allInnerTexts()).map(plain);
  }

  /** Waits for a dialog, presses a button, waits until the dialog is gone, and gives the text that it had. */
  async answer(button: string): Promise<string> {
    const text = await this.text();
    const isOffered = (buttons: readonly string[]) => buttons.includes(button);
    const buttons = await expect(`a button '${button}' in the dialog`, () => this.buttons(), isOffered);
    await this.#buttons.nth(buttons.indexOf(button)).click();
    const read = async () => ((await this.isOpen()) ? this.text() : '');
    await expect(`the dialog to close after '${button}'`, read, (now) => now !== text);
    return text;
  }
}
