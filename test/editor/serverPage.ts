import type { Frame, Locator } from 'playwright-core';
import { expect } from './expectation.ts';
import type { PanelPlace } from './panelPlace.ts';

/** The page on which a server is added or edited. */
export class ServerPage {
  readonly #place: PanelPlace;

  constructor(place: PanelPlace) {
    this.#place = place;
  }

  /** Waits until the page has that heading. */
  async waitFor(title: string): Promise<void> {
    await this.#main.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  }

  /** The text of the field with that label. */
  async value(label: string): Promise<string> {
    return this.field(label).inputValue();
  }

  /** The field with that label. */
  field(label: string): Locator {
    return this.#main.getByLabel(label, { exact: true });
  }

  async fill(label: string, text: string): Promise<void> {
    await this.field(label).fill(text);
  }

  /** Chooses the file that the server is saved in. */
  async saveIn(label: string): Promise<void> {
    await this.#main.getByLabel('Save in', { exact: true }).selectOption({ label });
  }

  /** Presses a button by what a screen reader calls it. */
  async press(name: string): Promise<void> {
    await this.#main.getByRole('button', { name, exact: true }).click();
  }

  /** Presses a button until the page says something: no press counts just after something has moved. */
  async pressUntil(name: string, words: RegExp): Promise<void> {
    const press = async () => {
      const text = (await this.isOpen()) ? await this.#main.innerText() : '';
      if (!words.test(text)) {
        await this.#main
          .getByRole('button', { name, exact: true })
          .click({ timeout: 2000 })
          .catch(() => {});
        // A press that counted must not be followed by one on what came next.
        await this.#main
          .filter({ hasText: new RegExp(`${words.source}|Press again`) })
          .waitFor({ timeout: 10_000 })
          .catch(() => {});
      }
      return text;
    };
    await expect(`${words} on the page after '${name}'`, press, (text) => words.test(text));
  }

  /** Presses a button until the page is gone: none counts just after something has moved. */
  async leaveBy(name: string): Promise<void> {
    const press = async () => {
      if (await this.isOpen()) {
        await this.#main
          .getByRole('button', { name, exact: true })
          .click({ timeout: 2000 })
          .catch(() => {});
      }
      return this.isOpen();
    };
    await expect(`the page to be left by '${name}'`, press, (isOpen) => !isOpen);
  }

  /** Waits until a field says that of its text. */
  async waitForProblem(label: string, words: RegExp): Promise<void> {
    const id = (await this.field(label).getAttribute('id')) ?? '';
    const problem = this.#main.locator(`[id="${id.replace('field-', 'problem-')}"]`);
    await expect(
      `a problem like ${words} at '${label}'`,
      async () => (await problem.textContent()) ?? '',
      (text) => words.test(text),
    );
  }

  /** Waits until the page says something. */
  async waitForText(words: RegExp): Promise<string> {
    return expect(
      `${words} on the page`,
      () => this.#main.innerText(),
      (text) => words.test(text),
    );
  }

  async isOpen(): Promise<boolean> {
    return (await this.#place.isThere()) && (await this.#main.count()) > 0;
  }

  /** What a keyboard would act on: the label of a field, or the words of a button. */
  async focused(): Promise<string> {
    const frame = await this.frame();
    return frame.evaluate(() => {
      const focused = document.activeElement;
      const label = focused instanceof HTMLTextAreaElement ? focused.labels[0]?.textContent : undefined;
      return label ?? focused?.getAttribute('aria-label') ?? focused?.textContent.trim() ?? '';
    });
  }

  /** The innermost frame, for what no step does. */
  async frame(): Promise<Frame> {
    return this.#place.frame();
  }

  get #frame() {
    return this.#place.root;
  }

  get #main(): Locator {
    return this.#frame.locator('main');
  }
}
