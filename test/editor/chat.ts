import type { Locator, Page } from 'playwright-core';
import { expect, plain } from './expectation.ts';

const selectAll = 'ControlOrMeta+A';
const copy = 'ControlOrMeta+C';
const nothingCopied = 'nothing was copied';

/** The chat view: what is written and attached there, and the answers. */
export class Chat {
  readonly #page: Page;
  readonly #session: Locator;
  readonly #part: Locator;
  readonly #input: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#session = page.locator('.interactive-session');
    this.#part = this.#session.locator('.interactive-input-part');
    this.#input = this.#part.locator('.monaco-editor').first();
  }

  get #question(): Locator {
    return this.#session
      .locator(
        '.chat-confirmation-widget-container:visible, .chat-tool-confirmation-carousel-container:visible',
      )
      .last();
  }

  get #buttons(): Locator {
    return this.#session.locator('.chat-command-button .monaco-button');
  }

  async isOpen(): Promise<boolean> {
    return this.#input.isVisible();
  }

  /** Closes the chat, which is empty when it is opened again. */
  async close(): Promise<void> {
    const title = this.#page.locator('.part.auxiliarybar .title');
    if ((await this.conversation()) !== '') {
      await title.locator('a.codicon-plus').first().click();
      await expect(
        'a chat without a message',
        () => this.conversation(),
        (said) => said === '',
      );
    }
    const close = async () => {
      const button = title.locator('a.codicon-auxiliarybar-close').first();
      if (await button.isVisible()) {
        await button.click();
      }
      return this.isOpen();
    };
    // A new chat comes into sight once more.
    await expect('a closed chat', close, (isOpen) => !isOpen);
  }

  /** Waits until the chat that is being opened has the focus, which it takes from a list that is open then. */
  async waitUntilFocused(): Promise<void> {
    const focused = this.#part.locator('.monaco-editor.focused');
    await expect('the focus in the chat', () => focused.count(), Boolean);
  }

  /** Waits until the text in the input box is that one, by selecting and copying it. */
  async waitForTyped(wanted: string): Promise<void> {
    await expect('an open chat', () => this.isOpen(), Boolean);
    const read = async () => {
      await this.#page.evaluate((text) => navigator.clipboard.writeText(text), nothingCopied);
      await this.#focus();
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

  /** Waits until that is attached to what is being written, by its file name. */
  async waitForAttached(name: string): Promise<void> {
    // The document in front is only proposed: it is attached when the user says so.
    const labels = this.#part.locator('.chat-attached-context-attachment:not(.implicit)');
    await expect(
      `'${name}' attached in the chat`,
      () => labels.allInnerTexts(),
      (found) => found.some((label) => label.trim() === name),
    );
  }

  /** Sends what is typed, once the model is there. */
  async send(model: string): Promise<void> {
    const models = this.#part.getByText(model);
    await expect(
      `the model '${model}' in the chat`,
      () => models.count(),
      (count) => count > 0,
    );
    await this.#focus();
    await this.#page.keyboard.press('Enter');
  }

  /** Types and sends a text with what is attached, and gives the answer once it has what is wanted. */
  async ask(text: string, model: string, wanted: RegExp): Promise<string> {
    await this.type(text, model);
    const answers = this.#session.locator('.interactive-response');
    return expect(
      `an answer with ${wanted}`,
      async () => (await answers.allInnerTexts()).join('\n'),
      (found) => wanted.test(found),
    );
  }

  /** Types and sends a text, in place of what is there, such as the participant of the last request. */
  async type(text: string, model: string): Promise<void> {
    const squeezed = (typed: string): string => typed.replaceAll(/\s/g, ''); // its lines break where there is no room
    const write = async (): Promise<string> => {
      await this.#focus();
      await this.#page.keyboard.press(selectAll);
      // At once: between two keys the chat may be drawn again, and the rest be lost.
      await this.#page.keyboard.insertText(text);
      return this.#input.locator('.view-lines').innerText();
    };
    // What takes the focus right now also takes the text.
    await expect(`'${text}' typed into the chat`, write, (typed) => squeezed(typed) === squeezed(text));
    await this.send(model);
  }

  /** Waits until the conversation has what is wanted, and gives all of it. */
  async waitForSaid(wanted: RegExp): Promise<string> {
    return expect(
      `${wanted} in the chat`,
      () => this.conversation(),
      (said) => wanted.test(said),
    );
  }

  /** The buttons below the answers, from the first one. */
  async buttons(): Promise<readonly string[]> {
    return (await this.#buttons.allInnerTexts()).map(plain);
  }

  /** Waits for a button below an answer, and presses the last one of that name. */
  async press(button: string): Promise<void> {
    await expect(
      `'${button}' in the chat`,
      () => this.buttons(),
      (found) => found.includes(button),
    );
    await this.#buttons.getByText(button, { exact: true }).last().click();
  }

  /** Stops the answer that is being written. */
  async stop(): Promise<void> {
    await this.#part.locator('a.codicon-stop-circle, a.codicon-debug-stop').first().click();
  }

  /** Whether the editor itself asks about a tool call now. */
  async isAsking(): Promise<boolean> {
    return this.#question.isVisible();
  }

  /** The editor's own question about a tool call: waits for it, and gives its text. */
  async question(): Promise<string> {
    await expect("the editor's question in the chat", () => this.isAsking(), Boolean);
    return plain(await this.#question.innerText());
  }

  /** Presses a button of the editor's question, such as 'Allow'. */
  async answer(button: string): Promise<void> {
    await this.#session.locator('.monaco-button:visible').getByText(button, { exact: true }).last().click();
  }

  async #focus(): Promise<void> {
    await this.#input.locator('.native-edit-context, textarea.inputarea').first().focus();
  }
}
