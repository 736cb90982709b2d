import type { Locator, Page } from 'playwright-core';
import { expect, matches } from './expectation.ts';
import { readAll } from './readAll.ts';

/** An entry of the status bar. */
export interface StatusBarEntry {
  readonly text: string;
  /** What a screen reader says: the item's accessibility label, or its text and tooltip. */
  readonly ariaLabel: string;
  /** Whether it has the colour of a warning or an error. */
  readonly kind: 'standard' | 'warning' | 'error';
}

const all = '.part.statusbar .statusbar-item';

/** The status bar at the foot of the window. */
export class StatusBar {
  readonly #page: Page;
  readonly #entries: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#entries = page.locator(all);
  }

  /** The entries in sight now, from left to right. */
  async now(): Promise<readonly StatusBarEntry[]> {
    return readAll(this.#page, all, (entries) =>
      entries.map((entry) => ({
        text: (entry.textContent ?? '').replaceAll(/\s+/g, ' ').trim(),
        ariaLabel: entry.getAttribute('aria-label') ?? '',
        kind: entry.classList.contains('error-kind')
          ? 'error'
          : entry.classList.contains('warning-kind')
            ? 'warning'
            : 'standard',
      })),
    );
  }

  /** Waits for an entry with that text. */
  async waitFor(text: string | RegExp, ms?: number): Promise<StatusBarEntry> {
    const isIt = (entry: StatusBarEntry) => matches(entry.text, text);
    const isThere = (found: readonly StatusBarEntry[]) => found.some(isIt);
    const entries = await expect(`'${text}' in the status bar`, () => this.now(), isThere, ms);
    return entries.find(isIt) as StatusBarEntry;
  }

  /** Waits for an entry with that text and clicks it. */
  async click(text: string | RegExp): Promise<void> {
    await this.waitFor(text);
    const index = (await this.now()).findIndex((entry) => matches(entry.text, text));
    await this.#entries.nth(index).locator('a').first().click();
  }
}
