import type { Locator } from 'playwright-core';
import { expect, matches } from './expectation.ts';

/** How far the review of a request for a language model has come, as its buttons tell it. */
export type SamplingPhase = 'request' | 'generating' | 'answer' | 'ended';

/** The button that only this phase has. */
const mark: Readonly<Record<SamplingPhase, string>> = {
  request: 'Send',
  generating: 'Stop',
  answer: 'Deliver',
  ended: 'Close',
};
/** How long one press of a button may take before it is tried again. */
const pressMs = 3000;
/** Milliseconds for which a person holds a button down. */
const holdMs = 100;

/** The card of a server's request for a language model in the review panel, through all its phases. */
export class SamplingCard {
  readonly #name: string;
  readonly #card: Locator;

  /** `card` is that of the server `name`. */
  constructor(name: string, card: Locator) {
    this.#name = name;
    this.#card = card;
  }

  /** Where the review stands now; undefined without a card. */
  async phase(): Promise<SamplingPhase | undefined> {
    const buttons = await this.buttons();
    return (Object.keys(mark) as SamplingPhase[]).find((phase) => buttons.includes(mark[phase]));
  }

  /** The buttons as they are now, with what is behind each; none without a card. */
  async buttons(): Promise<readonly string[]> {
    await this.#open();
    const buttons = this.#card.locator('.buttons :is(vscode-button, .menu .fold)');
    return (await buttons.allTextContents()).map((text) => text.trim());
  }

  /** Whether a button takes presses. */
  async isEnabled(button: string): Promise<boolean> {
    return this.#button(button).evaluate((element) => !(element as HTMLButtonElement).disabled);
  }

  /** Waits for a phase, and gives everything that the card says then. */
  async waitFor(phase: SamplingPhase): Promise<string> {
    await expect(
      `the review for '${this.#name}' in the phase '${phase}'`,
      () => this.phase(),
      (now) => now === phase,
    );
    return this.text();
  }

  /** Everything that the card says; empty without a card. */
  async text(): Promise<string> {
    await this.#open();
    return (await this.#card.count()) > 0 ? this.#card.innerText() : '';
  }

  /** Waits until the card says something. */
  async waitForText(wanted: string | RegExp): Promise<string> {
    const isThere = (text: string): boolean =>
      typeof wanted === 'string' ? text.includes(wanted) : matches(text, wanted);
    return expect(`'${wanted}' in the card of '${this.#name}'`, () => this.text(), isThere);
  }

  /** Waits until the server's card is gone. */
  async waitUntilGone(): Promise<void> {
    await expect(
      `no card of '${this.#name}'`,
      () => this.#card.count(),
      (count) => count === 0,
    );
  }

  /** Changes a text, such as `the message`, and waits until it is shown as it is now. */
  async edit(text: string, replacement: string): Promise<void> {
    const area = this.#card.getByRole('textbox', { name: text });
    if (!(await area.isVisible())) {
      await this.beginEdit(text);
    }
    await area.fill(replacement);
    await this.#press(`Done: ${text}`);
    await this.waitForText(replacement.split('\n', 1).join());
  }

  /** Opens a text to be written in. */
  async beginEdit(text: string): Promise<void> {
    await this.#press(`Edit: ${text}`);
  }

  /** Opens what is folded under these words, such as a tool under its name. */
  async unfold(words: string): Promise<void> {
    await this.#card.locator('summary').filter({ hasText: words, visible: true }).click();
  }

  /** Chooses the model by its label. */
  async chooseModel(label: string): Promise<void> {
    await this.#card.getByRole('combobox').selectOption({ label });
  }

  /** The label of the chosen model. */
  async model(): Promise<string> {
    return this.#card
      .getByRole('combobox')
      .evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]?.label ?? '');
  }

  /** Waits for a button, and presses it until it has been taken: the panel takes nothing just after it has moved. */
  async press(button: string): Promise<void> {
    await expect(
      `a button '${button}' in the card of '${this.#name}'`,
      () => this.buttons(),
      (buttons) => buttons.includes(button),
    );
    const before = await this.phase();
    const press = async () => {
      const now = await this.phase();
      if (now === before) {
        // What was pressed before may have been taken just now.
        await (await this.#reached(button)).click({ timeout: pressMs }).catch(() => {});
      }
      return this.phase();
    };
    await expect(`'${button}' taken in the card of '${this.#name}'`, press, (now) => now !== before);
  }

  /** Presses a button by the keyboard, which is taken at once, where what follows may look the same. */
  async pressByKey(button: string): Promise<void> {
    await (await this.#reached(button)).press('Enter');
  }

  /** Opens the card where it is closed among others. */
  async #open(): Promise<void> {
    const closed = this.#card.locator('.toggle[aria-expanded=false]');
    await closed.evaluateAll((toggles) => toggles.forEach((toggle) => (toggle as HTMLElement).click()));
  }

  /** A button in sight: the list is open in which it is. */
  async #reached(label: string): Promise<Locator> {
    const button = this.#button(label);
    await button.evaluate((element) => element.closest('details.menu')?.setAttribute('open', ''));
    return button;
  }

  #button(label: string): Locator {
    return this.#card.locator(`[aria-label^="${label}:"]`);
  }

  /** Presses what changes nothing but the card, for as long as a person does. */
  async #press(name: string): Promise<void> {
    await this.#open();
    await this.#card.getByRole('button', { name, exact: true }).click({ delay: holdMs });
  }
}
