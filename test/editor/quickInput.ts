import type { Locator, Page } from 'playwright-core';
import { expect, matches, plain } from './expectation.ts';
import { pressWhereFound } from './press.ts';
import { readAll } from './readAll.ts';

const widget = '.quick-input-widget';
const allRows = `${widget} .quick-input-list .monaco-list-rows > .monaco-list-row`;
/** How long a row may take to appear. */
const beforeTypingMs = 1000;
/** How long an input that is open may take to accept a text. */
const tryMs = 1000;
/** How long a row that was pressed may take to be taken before it is pressed again. */
const againMs = 2000;

/** A row of a quick pick. */
export interface QuickItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** Undefined where the pick has no checkboxes. */
  readonly isChecked: boolean | undefined;
}

/** The message below an input: the prompt, or what is wrong with the value. */
interface QuickMessage {
  readonly text: string;
  readonly isProblem: boolean;
}

/** The quick pick or input box at the top of the window. */
export class QuickInput {
  readonly #page: Page;
  readonly #widget: Locator;
  /** While it fades out it is still in sight, but inert. */
  readonly #open: Locator;
  readonly #input: Locator;
  readonly #rows: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#widget = page.locator(widget);
    this.#open = page.locator(`${widget}:not([inert], [inert] *)`);
    this.#input = this.#widget.locator('.quick-input-box input');
    this.#rows = page.locator(allRows);
  }

  /** Whether a quick input is open. */
  async isOpen(): Promise<boolean> {
    return this.#open.isVisible();
  }

  /** Waits until a quick input is open, with that title if one is given. */
  async waitUntilOpen(title?: string | RegExp): Promise<void> {
    if (title === undefined) {
      await expect('an open quick input', () => this.isOpen(), Boolean);
    } else {
      await this.#expectTitle(title);
    }
  }

  /** Whether a quick input opens within `ms`, other than the palette, and with that title if one is given. */
  async opens(title: string | RegExp | undefined, ms: number): Promise<boolean> {
    const read = async () => {
      // A window that has just loaded has no input yet: a wait for it here takes too long.
      const [text = '>'] = await this.#input.evaluateAll((inputs: HTMLInputElement[]) =>
        inputs.map(({ value }) => value),
      );
      return (
        (await this.isOpen()) &&
        !text.startsWith('>') &&
        (title === undefined || matches(await this.#title(), title))
      );
    };
    return expect('a quick input', read, Boolean, ms).catch(() => false);
  }

  /** The title of the open quick input; empty if it has none. */
  async title(): Promise<string> {
    await this.waitUntilOpen();
    return this.#title();
  }

  /** The prompt of an input box, without the editor's hint at Enter and Escape. */
  async prompt(): Promise<string> {
    const isPrompt = ({ text, isProblem }: QuickMessage) => text !== '' && !isProblem;
    const { text } = await expect('a prompt in the quick input', () => this.#message(), isPrompt);
    return text.replace(/ \(Press 'Enter' to confirm.*\)$/, '');
  }

  /** What the input box says is wrong with the value; waits until it says something. */
  async validationMessage(): Promise<string> {
    const read = () => this.#message();
    return (await expect('a validation message', read, ({ isProblem }) => isProblem)).text;
  }

  /** The grey text of the empty input. */
  async placeholder(): Promise<string> {
    await this.waitUntilOpen();
    return (await this.#input.getAttribute('placeholder')) ?? '';
  }

  /** The text in the input. */
  async value(): Promise<string> {
    await this.waitUntilOpen();
    return this.#input.inputValue();
  }

  /** Whether the input shows dots in place of what is typed. */
  async isMasked(): Promise<boolean> {
    await this.waitUntilOpen();
    return (await this.#input.getAttribute('type')) === 'password';
  }

  /** Waits for rows and gives those that are in sight. */
  async items(): Promise<readonly QuickItem[]> {
    return expect(
      'rows in the quick pick',
      () => this.itemsNow(),
      (items) => items.length > 0,
    );
  }

  /** The rows that are in sight now. */
  async itemsNow(): Promise<readonly QuickItem[]> {
    return readAll(this.#page, allRows, (rows) =>
      rows.map((row) => {
        const text = (selector: string) => row.querySelector(selector)?.textContent.trim() ?? '';
        const visibleText = (selector: string) =>
          row.querySelector<HTMLElement>(selector)?.innerText.trim() ?? '';
        // In a pick of one, the row has a checkbox that is not shown.
        const checkbox = row.querySelector('[role=checkbox]');
        return {
          label: text('.label-name'),
          description: text('.label-description'),
          // A row that was of another pick before keeps that detail, but hides it.
          detail: visibleText('.quick-input-list-row + .quick-input-list-row'),
          isChecked: checkbox?.checkVisibility()
            ? checkbox.getAttribute('aria-checked') === 'true'
            : undefined,
        };
      }),
    );
  }

  /**
   * Picks the row with that label, or with that description if it has no label; one out of sight is looked
   * for by typing.
   */
  async pick(label: string): Promise<void> {
    await this.#bringIntoSight(label);
    await this.#pressUntilTaken(`'${label}'`, () => this.#pressNow(label));
  }

  /** Picks the row in sight with that label; false when there is none. */
  async tryPick(label: string): Promise<boolean> {
    return this.#pressNow(label);
  }

  /** Picks the row with that label and that description, where several have the label. */
  async pickOf(label: string, description: string): Promise<void> {
    await this.type(label);
    const texts = { '.label-name': label, '.label-description': description };
    await this.#pressUntilTaken(`'${label}' of '${description}'`, () =>
      pressWhereFound(this.#rows, { texts }),
    );
  }

  /** Presses a button of the row with that label. */
  async pressInRow(label: string, title: string): Promise<void> {
    await this.#rowOf(label).hover(); // without it the buttons are not in sight
    await this.#pressUntilTaken(`a button '${title}' at '${label}'`, () =>
      this.#pressNow(label, `.action-item a[aria-label="${title}"]`),
    );
  }

  /** Ticks or unticks the row with that label, in a pick that takes several, and waits until that shows. */
  async toggle(label: string): Promise<void> {
    await this.#bringIntoSight(label);
    const isChecked = async () => (await this.itemsNow()).find((item) => item.label === label)?.isChecked;
    const before = await isChecked();
    await expect(
      `a checkbox at '${label}' in the quick pick`,
      () => this.#pressNow(label, '[role=checkbox]'),
      Boolean,
    );
    await expect(`'${label}' to be ${before ? 'unticked' : 'ticked'}`, isChecked, (now) => now === !before);
  }

  /** Puts a text into the input, in place of what is there. */
  async type(text: string): Promise<void> {
    await this.waitUntilOpen();
    await this.#input.fill(text);
  }

  /** Puts a text into the input if one is open now; false when none is, or it goes. */
  async tryType(text: string): Promise<boolean> {
    try {
      await this.#input.fill(text, { timeout: tryMs });
    } catch {
      return false;
    }
    return this.isOpen();
  }

  /** Presses Enter. */
  async accept(): Promise<void> {
    await this.waitUntilOpen();
    await this.#input.press('Enter');
  }

  /** Types a text and presses Enter. */
  async enter(text: string): Promise<void> {
    await this.type(text);
    await this.accept();
  }

  /** Presses a button of the title bar, the input or the footer. */
  async press(title: string): Promise<void> {
    const name = new RegExp(`^${title.replaceAll(/[^\w ]/g, String.raw`\$&`)}( \\(.*\\))?$`); // with its shortcut
    const byTitle = this.#widget.getByRole('button', { name }).filter({ visible: true });
    await expect(
      `a button '${title}' in the quick input`,
      () => byTitle.count(),
      (count) => count > 0,
    );
    await byTitle.first().click();
  }

  /** Presses Escape until the quick input is closed. */
  async cancel(): Promise<void> {
    const close = async () => {
      if (await this.isOpen()) {
        await this.#page.keyboard.press('Escape');
      }
      return this.isOpen();
    };
    await expect('the quick input to close', close, (isOpen) => !isOpen);
  }

  /** Waits until no quick input is open. */
  async waitUntilClosed(): Promise<void> {
    await expect(
      'the quick input to close',
      () => this.isOpen(),
      (isOpen) => !isOpen,
    );
  }

  /** Waits for the row with that label; one out of sight, or half so, is looked for by typing. */
  async #bringIntoSight(label: string): Promise<void> {
    const read = () => this.#labelsInSight();
    const what = `'${label}' in the quick pick`;
    const accept = (labels: readonly string[]) => labels.includes(label);
    await expect(what, read, accept, beforeTypingMs).catch(async () => {
      await this.type(label);
      await expect(what, read, accept);
    });
  }

  /** The labels, or else descriptions, of the rows whose middle is in sight. */
  async #labelsInSight(): Promise<readonly string[]> {
    const labels = await readAll(this.#page, allRows, (rows) =>
      rows
        .filter((row) => {
          const { x, y, width, height } = row.getBoundingClientRect();
          return row.contains(document.elementFromPoint(x + width / 2, y + height / 2));
        })
        .map((row) => {
          const text = (selector: string) => row.querySelector(selector)?.textContent ?? '';
          return text('.label-name').trim() || text('.label-description');
        }),
    );
    return labels.map(plain);
  }

  /**
   * Presses until the pick has closed, is another one, or no longer has the row: a pick whose rows are just being
   * renewed leaves a press alone.
   */
  async #pressUntilTaken(what: string, press: () => Promise<boolean>): Promise<void> {
    let pressed: string | undefined;
    const isTaken = async (): Promise<boolean> => {
      const open = await this.#openPick();
      if (pressed !== undefined && open !== pressed) {
        return true;
      }
      if (!(await press())) {
        return pressed !== undefined && (await this.itemsNow()).length > 0;
      }
      pressed = open;
      const isLeft = (now: string | undefined) => now !== open;
      return expect(what, () => this.#openPick(), isLeft, againMs).then(
        () => true,
        () => false,
      );
    };
    await expect(`${what} in the quick pick to be taken`, isTaken, Boolean);
  }

  /** What tells the pick that is open from another one; undefined when none is. */
  async #openPick(): Promise<string | undefined> {
    if (!(await this.isOpen())) {
      return undefined;
    }
    const [title, placeholder] = await Promise.all([this.#title(), this.#input.getAttribute('placeholder')]);
    return JSON.stringify([title, placeholder, await this.#input.inputValue()]);
  }

  /** Presses the row in sight with that label, or else with that description and no label. */
  async #pressNow(label: string, part?: string): Promise<boolean> {
    const where = part === undefined ? {} : { part };
    return (
      (await pressWhereFound(this.#rows, { texts: { '.label-name': label }, ...where })) ||
      pressWhereFound(this.#rows, {
        texts: { '.label-name': '', '.label-description': label },
        ...where,
      })
    );
  }

  #rowOf(label: string): Locator {
    const part = (selector: string, text: string) => this.#page.locator(selector, { hasText: exactly(text) });
    const labelled = this.#rows.filter({ has: part('.label-name', label) });
    const described = this.#rows
      .filter({ has: part('.label-description', label) })
      .filter({ has: part('.label-name', '') });
    return labelled.or(described).first();
  }

  async #expectTitle(title: string | RegExp): Promise<void> {
    const read = async () => ((await this.isOpen()) ? this.#title() : 'no open quick input');
    await expect(`a quick input titled '${title}'`, read, (found) => matches(found, title));
  }

  async #title(): Promise<string> {
    const title = this.#widget.locator('.quick-input-title');
    return (await title.isVisible()) ? plain(await title.textContent()) : '';
  }

  async #message(): Promise<QuickMessage> {
    if (!(await this.isOpen())) {
      return { text: '', isProblem: false };
    }
    // Read at once: a prompt may become a problem between two looks.
    const { message, frame } = await this.#widget.evaluate((widget) => ({
      message: widget.querySelector('.quick-input-message')?.textContent,
      frame: widget.querySelector('.quick-input-box .monaco-inputbox')?.className ?? '',
    }));
    return { text: plain(message), isProblem: /\b(error|warning)\b/.test(frame) };
  }
}

function exactly(text: string): RegExp {
  return new RegExp(String.raw`^\s*${text.replaceAll(/[^\w ]/g, String.raw`\$&`)}\s*$`);
}
