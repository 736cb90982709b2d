import type { Frame, Locator } from 'playwright-core';
import { expect } from './expectation.ts';
import type { PanelPlace } from './panelPlace.ts';

/** The page with the form of a tool, a prompt or a template. */
export class ToolForm {
  readonly #place: PanelPlace;

  constructor(place: PanelPlace) {
    this.#place = place;
  }

  /** Waits until the page has that heading. */
  async waitFor(title: string): Promise<void> {
    await this.#main.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  }

  /** The field with that label, whether it is required or not. */
  field(label: string): Locator {
    const escaped = label.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return this.#main.getByLabel(new RegExp(`^${escaped}( \\(required\\))?$`));
  }

  /** Types into a field, or selects one of its choices. */
  async fill(label: string, text: string): Promise<void> {
    const field = this.field(label);
    const isChoice = await field.evaluate((node) => node.tagName === 'SELECT');
    await (isChoice ? field.selectOption({ label: text }) : field.fill(text));
  }

  async value(label: string): Promise<string> {
    return this.field(label).inputValue();
  }

  /** Presses a button by what a screen reader calls it. */
  async press(name: string | RegExp): Promise<void> {
    await this.#main.getByRole('button', { name, exact: true }).first().click();
  }

  /** The values that are suggested for the field that has the focus. */
  async suggestions(): Promise<readonly string[]> {
    return this.#main.getByRole('option').locator('visible=true').allInnerTexts();
  }

  /** Waits until these values are suggested, best ones first; there may be others. */
  async waitForSuggestions(...first: readonly string[]): Promise<void> {
    await expect(
      `${first.join(', ')} as suggestions`,
      () => this.suggestions(),
      (found) => first.every((value, index) => found[index] === value),
    );
  }

  /** Presses a suggestion. */
  async pick(value: string): Promise<void> {
    await this.#main.getByRole('option', { name: value, exact: true }).click();
  }

  /** Sends the form as it is filled in, with the keyboard: no press of the pointer counts just after a result. */
  async run(button = 'Run'): Promise<void> {
    await this.#main.getByRole('button', { name: button, exact: true }).focus();
    await this.#place.page.keyboard.press('ControlOrMeta+Enter');
  }

  /** Waits until there is a result, and gives it as the page shows it. */
  async result(words = /./): Promise<string> {
    await this.waitForStatus(/^(Finished|The tool reported an error|The prompt came) after /);
    return expect(
      `a result with ${words}`,
      () => this.#main.locator('.run').innerText(),
      (text) => words.test(text),
    );
  }

  /** Waits until the page announces that. */
  async waitForStatus(words: RegExp): Promise<string> {
    return expect(
      `${words} as the status of the form`,
      async () => ((await this.isOpen()) ? this.#main.getByRole('status').innerText() : ''),
      (text) => words.test(text),
    );
  }

  /** Waits until the page says something, and gives all of its text. */
  async waitForText(words: RegExp): Promise<string> {
    return expect(
      `${words} on the page of a form`,
      async () => ((await this.isOpen()) ? this.#main.innerText() : ''),
      (text) => words.test(text),
    );
  }

  async isOpen(): Promise<boolean> {
    return (await this.#place.isThere()) && (await this.#main.count()) > 0;
  }

  /** The innermost frame, for what no step does. */
  async frame(): Promise<Frame> {
    return this.#place.frame();
  }

  get #frame() {
    return this.#place.root;
  }

  get #main(): Locator {
    return this.#frame.locator('body[data-page=request] main');
  }
}
