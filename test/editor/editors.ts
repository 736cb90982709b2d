import type { Locator, Page } from 'playwright-core';
import type { Channel } from './channel.ts';
import { expect, matches, plain } from './expectation.ts';
import { pickFromMenu } from './menu.ts';
import type { QuickInput } from './quickInput.ts';
import { readAll } from './readAll.ts';

const allTabs = '.part.editor .tabs-container .tab';
const selectAll = 'ControlOrMeta+A';
const copy = 'ControlOrMeta+C';
/** Milliseconds that a copy may take. */
const copyMs = 1000;
const nothingCopied = 'nothing was copied';

/** A tab of an editor group. */
export interface Tab {
  readonly title: string;
  readonly description: string;
  readonly isActive: boolean;
  readonly isDirty: boolean;
  /** Of its title, as CSS computes it: a file decoration may give it one. */
  readonly color: string;
}

/** The editors in the middle of the window. */
export class Editors {
  readonly #page: Page;
  readonly #channel: Channel;
  readonly #quickInput: QuickInput;
  readonly #tabs: Locator;

  constructor(page: Page, channel: Channel, quickInput: QuickInput) {
    this.#page = page;
    this.#channel = channel;
    this.#quickInput = quickInput;
    this.#tabs = page.locator(allTabs);
  }

  /** The tabs open now. */
  async tabs(): Promise<readonly Tab[]> {
    return readAll(this.#page, allTabs, (tabs) =>
      tabs.map((tab) => ({
        title: ['.label-name', '.label-suffix'] // the ending of a file's name stands apart
          .map((part) => tab.querySelector(part)?.textContent ?? '')
          .join('')
          .trim(),
        description: tab.querySelector('.label-description')?.textContent.trim() ?? '',
        isActive: tab.getAttribute('aria-selected') === 'true',
        isDirty: tab.classList.contains('dirty'),
        color: getComputedStyle(tab.querySelector('.tab-label') ?? tab).color,
      })),
    );
  }

  /** Waits until a tab with that title is the active one. */
  async waitFor(title: string | RegExp): Promise<Tab> {
    const isIt = (tab: Tab) => tab.isActive && matches(tab.title, title);
    const tabs = await expect(
      `an active tab '${title}'`,
      () => this.tabs(),
      (found) => found.some(isIt),
    );
    return tabs.find(isIt) as Tab;
  }

  /** Whether the active editor is one of text. */
  async isText(): Promise<boolean> {
    return (await this.#activeEditor().count()) > 0;
  }

  /** Waits until an editor with that title is open over the window, as settings open there. */
  async waitForOver(title: string | RegExp): Promise<void> {
    const read = async () => (await this.#page.locator('#modal-editor-title').allInnerTexts()).map(plain);
    await expect(`'${title}' over the window`, read, (titles) => titles.some((one) => matches(one, title)));
  }

  /** Closes the editors that are open over the window, if there are any. */
  async closeOver(): Promise<void> {
    const close = this.#page.locator('.monaco-modal-editor-block .codicon-close').last();
    if (await close.isVisible()) {
      await close.click();
      await close.waitFor({ state: 'detached' });
    }
  }

  /** The whole text of the active text editor (in a diff, of its right side), which gets the focus. */
  async activeText(): Promise<string> {
    const read = async () => {
      await this.#focus();
      return this.#channel.execute('ready.activeText');
    };
    const isText = (text: string | undefined) => text !== undefined;
    return (await expect('the text of the editor', read, isText)) as string;
  }

  /** The same by selecting and copying it, which needs no extension. */
  async copiedText(): Promise<string> {
    const copied = () => this.#page.evaluate(() => navigator.clipboard.readText());
    const isCopied = (text: string): boolean => text !== nothingCopied;
    // An editor that is on its way to show something else copies nothing.
    const read = async () => {
      await this.#page.evaluate((text) => navigator.clipboard.writeText(text), nothingCopied);
      await this.#focus();
      await this.#page.keyboard.press(selectAll);
      await this.#page.keyboard.press(copy);
      return expect('a copied text', copied, isCopied, copyMs).catch(() => nothingCopied);
    };
    return expect('the text of the editor', read, isCopied);
  }

  /** Waits until the active text editor has a text that `wanted` matches, and gives it. */
  async waitForText(wanted: RegExp): Promise<string> {
    return expect(
      `a text like ${wanted} in the active editor`,
      () => this.activeText(),
      (text) => wanted.test(text),
    );
  }

  /** The titles of the code lenses in sight of the active editor. */
  async codeLenses(): Promise<readonly string[]> {
    return (await this.#lenses().allInnerTexts()).map(plain);
  }

  /** Presses a code lens of the active editor. */
  async pressCodeLens(title: string): Promise<void> {
    await expect(
      `a code lens '${title}'`,
      () => this.codeLenses(),
      (titles) => titles.includes(title),
    );
    await this.#lenses().filter({ hasText: title }).first().click();
  }

  /** The titles of the actions beside the tabs of the active group. */
  async titleActions(): Promise<readonly string[]> {
    return this.#titleLinks().evaluateAll((links) =>
      links.map((link) => link.getAttribute('aria-label') ?? ''),
    );
  }

  /** Runs an action beside the tabs of the active group. */
  async runFromTitle(title: string): Promise<void> {
    await expect(
      `an action '${title}' beside the tabs`,
      () => this.titleActions(),
      (titles) => titles.includes(title),
    );
    await this.#titleLinks()
      .and(this.#page.locator(`[aria-label="${title}"]`))
      .click();
  }

  /** Runs an action of the active group that is in the menu beside its tabs. */
  async runFromMore(title: string): Promise<void> {
    await this.runFromTitle('More Actions...');
    await pickFromMenu(this.#page, [title]);
  }

  /** Brings the tab with that title to the front. */
  async select(title: string | RegExp): Promise<void> {
    await this.#tabs.filter({ hasText: title }).first().click();
  }

  /** Gives the active text editor the focus, once there is one; that would close a quick input that is still at work. */
  async #focus(): Promise<void> {
    await this.#quickInput.waitUntilClosed();
    const editor = this.#activeEditor();
    await expect(
      'an open text editor',
      () => editor.count(),
      (count) => count > 0,
    );
    await editor.locator('.native-edit-context, textarea.inputarea').first().focus();
  }

  #lenses(): Locator {
    return this.#activeEditor().locator('.codelens-decoration a');
  }

  #titleLinks(): Locator {
    return this.#page.locator(
      '.part.editor .editor-group-container.active .editor-actions .action-item a.action-label',
    );
  }

  #activeEditor(): Locator {
    const group = this.#page.locator('.part.editor .editor-group-container.active .editor-instance');
    const modified = group.locator('.editor.modified .monaco-editor');
    return modified
      .or(group.locator('.monaco-editor:not(.monaco-diff-editor *)'))
      .filter({ visible: true })
      .last();
  }
}
