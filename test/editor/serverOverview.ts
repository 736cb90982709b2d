import { setTimeout as delay } from 'node:timers/promises';
import { expect, matches } from './expectation.ts';
import type { PanelPlace } from './panelPlace.ts';

/** Milliseconds after which a click of the pointer counts in what has moved. */
const quietMs = 600;

/** The page of a server, with everything that is known of it. */
export class ServerOverview {
  readonly #place: PanelPlace;

  constructor(place: PanelPlace) {
    this.#place = place;
  }

  /** Waits until the page says something, and gives all that it says. */
  async waitForText(wanted: RegExp): Promise<string> {
    return expect(
      `${wanted} on the page of a server`,
      async () => ((await this.#place.isThere()) ? (await this.#main.allInnerTexts()).join('') : ''),
      (text) => matches(text, wanted),
    );
  }

  /** Waits until one of its rows says so besides its name; gives its tooltip. */
  async waitForRow(label: string, wanted: RegExp): Promise<string> {
    const row = this.#main.locator('.pageRow').filter({
      has: this.#place.root.getByText(label, { exact: true }),
    });
    await expect(
      `'${label}' to say ${wanted} on the page of a server`,
      async () =>
        (await this.#place.isThere()) ? (await row.locator('.hint').allInnerTexts()).join('') : '',
      (text) => matches(text, wanted),
    );
    return (await row.getAttribute('title')) ?? '';
  }

  /** Presses a button, or what opens a row, by what a screen reader calls it. */
  async press(name: string): Promise<void> {
    await this.#main.getByRole('button', { name, exact: true }).click();
  }

  /** Presses the checkbox with that label, once the page has been as it is long enough for a click to count. */
  async check(label: string): Promise<void> {
    await delay(quietMs);
    await this.#main.locator('vscode-checkbox', { hasText: label }).click();
  }

  /** Uses the server in chat by its box, as soon as the page says what that means, and gives these words. */
  async useInChat(server: string): Promise<string> {
    await this.waitForText(/Models in chat can then see/);
    const row = this.#main.locator('li').filter({ hasText: `Use ${server} in chat` });
    const words = await row.locator('.meaning').innerText();
    await this.check(`Use ${server} in chat`);
    await this.waitForRow('Chat', /^in chat/);
    return words;
  }

  get #main() {
    return this.#place.root.locator('body[data-page=overview] main');
  }
}
