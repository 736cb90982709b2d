import type { Locator, Page } from 'playwright-core';
import { expect } from './expectation.ts';

const selectAll = 'ControlOrMeta+A';
const copy = 'ControlOrMeta+C';
const nothingCopied = 'nothing was copied';

/** The chat view. */
export class Chat {
  readonly #page: Page;
  readonly #session: Locator;
  readonly #input: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#session = page.locator('.interactive-session');
    this.#input = this.#session.locator('.interactive-input-part .monaco-editor').first();
  }

  async isOpen(): Promise<boolean> {
    return this.#input.isVisible();
  }

  /** Waits until the text in the input box is that one, by selecting and copying it. */
  async waitForTyped(wanted: string): Promise<void> {
    await expect('an open chat', () => this.isOpen(), Boolean);
    const read = async () => {
      await this.#page.evaluate((text) => navigator.clipboard.writeText(text), nothingCopied);
      await this.#input.locator('.native-edit-context, textarea.inputarea').first().focus();
      await this.#page.keyboard.press(selectAll);
      await this.#page.keyboard.press(copy);
      return this.#page.evaluate(() => navigator.clipboard.readText());
    };
    await expect(`${JSON.stringify(wanted)} typed into the chat`, read, (text) => text === wanted);
  }

  /** What was asked and answered so far. */
  async conversation(): Promise<string> {
    return (await this.#session.locator('.interactive-list').first().isVisible())
      ? this.#session.locator('.interactive-list').first().innerText()
      : '';
  }

  /** Sends what is typed, once the model is there. */
  async send(model: string): Promise<void> {
    const models = this.#session.locator('.interactive-input-part').getByText(model);
    await expect(
      `the model '${model}' in the chat`,
      () => models.count(),
      (count) => count > 0,
    );
    await this.#input.locator('.native-edit-context, textarea.inputarea').first().focus();
    await this.#page.keyboard.press('Enter');
  }
}
