import type { Locator, Page } from 'playwright-core';
import { expect, matches, plain } from './expectation.ts';

const listMs = 4000;
const hasAny = (titles: readonly string[]) => titles.length > 0;

/** The Problems view in the panel, and the quick fixes of the editor. Open the view before the first step. */
export class Problems {
  readonly #page: Page;
  readonly #rows: Locator;
  readonly #fixes: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#rows = page.locator('.markers-panel .monaco-list-row:has(.marker-message-line)');
    this.#fixes = page.locator('.action-widget .monaco-list-row.action');
  }

  /** The messages in sight now, without their source and place. */
  async now(): Promise<readonly string[]> {
    return (await this.#rows.locator('.marker-message-line').allInnerTexts()).map(plain);
  }

  /** Waits for a problem, and gives its message. */
  async waitFor(message: string | RegExp): Promise<string> {
    const isIt = (text: string) => matches(text, message);
    const messages = await expect(
      `a problem '${message}'`,
      () => this.now(),
      (found) => found.some(isIt),
    );
    return messages.find(isIt) as string;
  }

  /** Waits until no problem has that message. */
  async waitUntilGone(message: string | RegExp): Promise<void> {
    await expect(
      `no problem '${message}'`,
      () => this.now(),
      (found) => !found.some((text) => matches(text, message)),
    );
  }

  /** Opens a problem: the editor has the focus then, with its cursor at the problem. */
  async open(message: string | RegExp): Promise<void> {
    await this.waitFor(message);
    const index = (await this.now()).findIndex((text) => matches(text, message));
    await this.#rows.nth(index).dblclick();
  }

  /**
   * Asks for the quick fixes at the cursor by the keyboard until one has that title, and gives the titles:
   * what an extension adds late is not in a list that is open already.
   */
  async quickFixes(wanted: string): Promise<readonly string[]> {
    const text = this.#page
      .locator('.part.editor .editor-group-container.active .native-edit-context')
      .first();
    const ask = async () => {
      // In an open list the same keys would apply its first fix.
      await this.#page.keyboard.press('Escape');
      await text.focus();
      await this.#page.keyboard.press('ControlOrMeta+.');
      return expect('a list of fixes', () => this.#titlesNow(), hasAny, listMs).catch(
        (): readonly string[] => [],
      );
    };
    return expect(`the quick fix '${wanted}'`, ask, (titles) => titles.includes(wanted));
  }

  async #titlesNow(): Promise<readonly string[]> {
    return (await this.#fixes.allInnerTexts()).map(plain);
  }
}
