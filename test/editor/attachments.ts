import type { Locator, Page } from 'playwright-core';
import { expect } from './expectation.ts';

/** What is attached to the request that is being written in the chat. */
export class Attachments {
  readonly #page: Page;
  readonly #part: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#part = page.locator('.interactive-session .interactive-input-part');
  }

  /** Whether the chat is in sight. */
  async isChatOpen(): Promise<boolean> {
    return this.#part.isVisible();
  }

  /** Waits until that is attached, by its file name. */
  async waitFor(name: string): Promise<void> {
    // The document in front is only proposed: it is attached when the person says so.
    const labels = this.#part.locator('.chat-attached-context-attachment:not(.implicit)');
    await expect(
      `'${name}' attached in the chat`,
      () => labels.allInnerTexts(),
      (found) => found.some((label) => label.trim() === name),
    );
  }

  /** Sends a text with what is attached, once that model is there, and gives the answer. */
  async ask(text: string, model: string, wanted: RegExp): Promise<string> {
    const models = this.#part.getByText(model);
    await expect(
      `the model '${model}' in the chat`,
      () => models.count(),
      (count) => count > 0,
    );
    await this.#part.locator('.monaco-editor .native-edit-context, .monaco-editor textarea').first().focus();
    await this.#page.keyboard.type(text);
    await this.#page.keyboard.press('Enter');
    const answers = this.#page.locator('.interactive-session .interactive-response');
    return expect(
      `an answer with ${wanted}`,
      async () => (await answers.allInnerTexts()).join('\n'),
      (found) => wanted.test(found),
    );
  }
}
