import { errors, type Locator, type Page } from 'playwright-core';
import { expect, patience, plain } from './expectation.ts';
import { menuTitles, pickFromMenu } from './menu.ts';
import { pressWhereFound } from './press.ts';

/** The editor's setting for the mouse wheel, with which a notch moves a list by the pixels below. */
export const wheelSensitivity = 4;
/** Milliseconds after which a row that is not where it was is looked for again. */
const reach = { timeout: 5_000 };
/** Milliseconds that the mouse rests on a row for its tooltip before it comes again. */
const hoverMs = 5_000;
const notchPixels = 200;
const isPressed = Symbol('pressed');

/** A row of a tree view. */
export interface TreeRow {
  readonly label: string;
  readonly description: string;
  /** 1 for the rows at the top. */
  readonly level: number;
  /** Undefined where there is nothing to expand. */
  readonly isExpanded: boolean | undefined;
  /** Undefined where there is no checkbox. */
  readonly isChecked: boolean | undefined;
  /** What a screen reader says of the checkbox; empty if there is none. */
  readonly checkboxLabel: string;
  readonly isSelected: boolean;
  /** What a screen reader says. */
  readonly ariaLabel: string;
  /** The name of the theme icon, such as `warning`; empty if there is none. */
  readonly icon: string;
}

/** A row with its place in the whole tree. */
interface FoundRow {
  readonly row: TreeRow;
  readonly index: number;
}

/** The rows in sight, each with its place in the whole tree. */
type Sight = readonly (readonly [number, TreeRow])[];

/** Labels from a row down to one of its descendants; the first may stand at any level. */
export type RowPath = readonly [string, ...string[]];

/** A tree view, such as "Servers". Its view container must be open. */
export class TreeView {
  readonly #page: Page;
  readonly #name: string;
  readonly #pane: Locator;
  readonly #tree: Locator;
  readonly #rows: Locator;

  constructor(page: Page, name: string) {
    this.#page = page;
    this.#name = name;
    // By its title, too: the label also has what stands beside that.
    const labelled = `[aria-label="${name} Section"], [aria-label^="${name} Section:"]`;
    const header = page.locator(`.pane-header:is(${labelled}, :has(h3.title:text-is("${name}")))`);
    this.#pane = page.locator('.pane').filter({ has: header });
    this.#tree = this.#pane.locator('[role=tree]');
    this.#rows = this.#tree.locator('.monaco-list-rows > .monaco-list-row');
  }

  /** Whether the view is in sight. */
  async isVisible(): Promise<boolean> {
    return this.#pane.isVisible();
  }

  /** Opens the view where only its title is in sight. */
  async unfold(): Promise<void> {
    const title = this.#pane.locator('.pane-header[aria-expanded=false] h3');
    if ((await title.count()) > 0) {
      await title.click();
    }
  }

  /** All rows, from the top; a long tree is scrolled through. */
  async rows(): Promise<readonly TreeRow[]> {
    return this.#read();
  }

  /** How many rows the tree has, in sight or not. */
  async count(options: { readonly timeout?: number } = {}): Promise<number> {
    const measure = (tree: Element): number => {
      const all = tree.querySelector('.monaco-list-rows');
      const row = all?.querySelector('.monaco-list-row');
      return all && row ? Math.round(all.clientHeight / row.clientHeight) : 0;
    };
    return this.#tree.evaluate(measure, undefined, options);
  }

  /** The rows in sight after a jump to the last one. */
  async rowsAtEnd(): Promise<readonly TreeRow[]> {
    await this.#tree.press('End');
    const last = (await this.count()) - 1;
    const sight = await expect(
      `the last row in '${this.#name}'`,
      () => this.#readSight(),
      (rows) => rows.some(([index]) => index === last),
    );
    return sight.map(([, row]) => row);
  }

  /** Clicks a row in sight by its label alone, which spares a look through a long tree. */
  async selectInSight(label: string): Promise<void> {
    await expect(
      `'${label}' in sight in '${this.#name}'`,
      () => pressWhereFound(this.#rows, { texts: { '.label-name': label }, part: '.label-name' }),
      Boolean,
    );
  }

  /** Waits for a row and gives it; the rows above it are opened, as for every step but those that wait for what the extension does. */
  async row(...path: RowPath): Promise<TreeRow> {
    const { row } = await this.#find(path);
    return row;
  }

  /** Waits until a row is as `accept` wants it, and gives it; `what` completes "Expected … to". */
  async waitForRow(path: RowPath, what: string, accept: (row: TreeRow) => boolean): Promise<TreeRow> {
    const read = async () => findRow(await this.#readOpening(path), path);
    const isAccepted = (row: TreeRow | undefined) => row !== undefined && accept(row);
    const row = await expect(`${this.#called(path)} to ${what}`, read, isAccepted);
    return row as TreeRow;
  }

  /** Waits until the extension has selected a row; it opens the rows above it, and nothing is pressed here. */
  async waitUntilSelected(...path: RowPath): Promise<void> {
    const read = async () => findRow(await this.#read(path), path);
    await expect(`${this.#called(path)} to be selected`, read, (row) => row?.isSelected === true);
  }

  /** Waits until there is no such row. */
  async waitUntilGone(...path: RowPath): Promise<void> {
    const read = async () => findRow(await this.#read(path), path);
    await expect(`no ${this.#called(path)}`, read, (row) => row === undefined);
  }

  /** Expands every row of the path. */
  async expand(...path: RowPath): Promise<void> {
    for (const length of path.keys()) {
      await this.#setExpanded(path.slice(0, length + 1) as unknown as RowPath, true);
    }
  }

  /** Collapses a row. */
  async collapse(...path: RowPath): Promise<void> {
    await this.#setExpanded(path, false);
  }

  /** Clicks a row; one that can expand also does that. */
  async select(...path: RowPath): Promise<void> {
    await this.#press(path, '.label-name');
    await this.waitForRow(path, 'be selected', ({ isSelected }) => isSelected);
  }

  /** Clicks a row, whatever comes of it: a dialog, behind which the tree can't be scrolled, or the end of the row. */
  async press(...path: RowPath): Promise<void> {
    await this.#press(path, '.label-name');
  }

  /** Ticks or unticks a row's checkbox. */
  async check(path: RowPath, isChecked: boolean): Promise<void> {
    const row = await this.row(...path);
    if (row.isChecked === undefined) {
      throw new Error(`Expected ${this.#called(path)} to have a checkbox; there was none.`);
    }
    if (row.isChecked !== isChecked) {
      await this.pressCheckbox(...path);
      await this.waitForRow(
        path,
        isChecked ? 'be ticked' : 'be unticked',
        (now) => now.isChecked === isChecked,
      );
    }
  }

  /** Clicks a row's checkbox, whatever comes of it. */
  async pressCheckbox(...path: RowPath): Promise<void> {
    await this.#press(path, '.custom-view-tree-node-item-checkbox');
  }

  /** The titles of a row's inline actions. */
  async inlineActions(...path: RowPath): Promise<readonly string[]> {
    return this.#on(path, actionsOf);
  }

  /** Runs one of a row's inline actions by its title. */
  async runInline(path: RowPath, title: string): Promise<void> {
    await expect(
      `an inline action '${title}' at ${this.#called(path)}`,
      async () => {
        const part = `.actions .action-item a[aria-label="${title}"]`;
        return this.#on(path, async (row, found) => {
          const titles = await actionsOf(row);
          return (await this.#pressFound(found, part)) ? isPressed : titles;
        });
      },
      (found) => found === isPressed,
    );
  }

  /** What the editor shows when the mouse rests on a row. */
  async tooltip(...path: RowPath): Promise<string> {
    const tooltip = this.#tooltips;
    const read = async () => ((await tooltip.count()) > 0 ? tooltip.first().innerText() : '');
    const isThere = (text: string) => text !== '' && text !== 'Loading...';
    const what = `a tooltip of ${this.#called(path)}`;
    // A row that is drawn again under the mouse shows none before the mouse comes again.
    const hover = async () => {
      await this.#on(path, (row) => row.locator('.label-name').first().hover(reach));
      return expect(what, read, isThere, hoverMs).catch(() => '');
    };
    const text = await expect(what, hover, isThere);
    await this.#leave();
    return text;
  }

  /** Runs an item of a row's context menu by its title; several titles go down into submenus. */
  async runFromMenu(path: RowPath, ...titles: RowPath): Promise<void> {
    const [title] = titles;
    // A row that has just changed may open the menu that it had before.
    const open = async (): Promise<readonly string[]> => {
      await this.#press(path, '.label-name', 'right');
      const found = await menuTitles(this.#page);
      if (!found.includes(title)) {
        await this.#page.keyboard.press('Escape');
      }
      return found;
    };
    await expect(`'${title}' in the menu of ${this.#called(path)}`, open, (found) => found.includes(title));
    await pickFromMenu(this.#page, titles);
  }

  /** The titles in a row's context menu, which is closed again; a line between groups is `-`. */
  async menu(...path: RowPath): Promise<readonly string[]> {
    await this.#press(path, '.label-name', 'right');
    const titles = await menuTitles(this.#page);
    await this.#page.keyboard.press('Escape');
    return titles;
  }

  /** Whether the tree has the focus. */
  async hasFocus(): Promise<boolean> {
    return this.#tree.evaluate((tree) => tree.contains(document.activeElement));
  }

  /** Presses a key while the tree has the focus. */
  async pressKey(key: string): Promise<void> {
    await this.#tree.press(key);
  }

  /** The titles of the actions in the view's title. */
  async titleActions(): Promise<readonly string[]> {
    const links = await this.#titleLinks();
    return links.evaluateAll((found) => found.map((link) => link.getAttribute('aria-label') ?? ''));
  }

  /** Runs an action of the view's title. */
  async runFromTitle(title: string): Promise<void> {
    await expect(
      `an action '${title}' in the title of '${this.#name}'`,
      () => this.titleActions(),
      (titles) => titles.includes(title),
    );
    await this.#pane.hover();
    await (await this.#titleLinks()).and(this.#page.locator(`[aria-label="${title}"]`)).click();
  }

  /** The message above the rows; empty if there is none. */
  async message(): Promise<string> {
    const message = this.#pane.locator('.tree-explorer-viewlet-tree-view > .message:not(.hide)');
    const [text = ''] = await message.allInnerTexts();
    return plain(text);
  }

  /** The text that an empty view shows instead of rows; empty if there is none. */
  async welcome(): Promise<string> {
    const welcome = this.#pane.locator('.welcome-view-content');
    const [text = ''] = await welcome.filter({ visible: true }).allInnerTexts();
    return plain(text);
  }

  /** Presses a button or link of the text that an empty view shows. */
  async pressInWelcome(title: string): Promise<void> {
    await expect(
      `'${title}' in the empty view '${this.#name}'`,
      () => this.welcome(),
      (text) => text.includes(title),
    );
    await this.#pane.locator('.welcome-view-content').getByText(title, { exact: true }).click();
  }

  async #setExpanded(path: RowPath, isExpanded: boolean): Promise<void> {
    const row = await this.waitForRow(path, 'be expandable', (found) => found.isExpanded !== undefined);
    if (row.isExpanded !== isExpanded) {
      await this.#press(path, '.monaco-tl-twistie');
      const what = isExpanded ? 'be expanded' : 'be collapsed';
      await this.waitForRow(path, what, (now) => now.isExpanded === isExpanded);
    }
  }

  /** With one view in the container, the container's title is the view's. */
  async #titleLinks(): Promise<Locator> {
    const own = this.#pane.locator('.pane-header:not(.hidden) .actions');
    const shared = this.#page.locator('.composite.title', { hasText: `: ${this.#name}` });
    const place = (await own.count()) > 0 ? own : shared.locator('.title-actions');
    return place.locator('.action-item a.action-label');
  }

  async #find(path: RowPath): Promise<FoundRow> {
    const rows = await expect(
      this.#called(path),
      () => this.#readOpening(path),
      (found) => findRow(found, path) !== undefined,
    );
    const row = findRow(rows, path) as TreeRow;
    return { row, index: rows.indexOf(row) };
  }

  get #tooltips(): Locator {
    return this.#page.locator('.workbench-hover-container .monaco-hover, .workbench-hover');
  }

  /** Takes the mouse away: a tooltip would lie over other rows and over a menu. */
  async #leave(): Promise<void> {
    const { mouse } = this.#page;
    await mouse.move(0, 0);
    let looks = 0;
    await expect(
      'no tooltip',
      async () => {
        const count = await this.#tooltips.count();
        const isStuck = count > 0 && (looks += 1) % 20 === 0;
        const box = isStuck ? await this.#tooltips.first().boundingBox(reach) : null;
        if (box) {
          // Its row was drawn again and cannot tell that the mouse has left; the tooltip itself can.
          await mouse.move(box.x + box.width / 2, box.y + box.height / 2);
          await mouse.move(0, 0);
        }
        return count;
      },
      (count) => count === 0,
    );
  }

  /** Acts on a row, which is looked for again when it has moved meanwhile: what did not reach it did nothing. */
  async #on<T>(path: RowPath, act: (row: Locator, found: FoundRow) => Promise<T>): Promise<T> {
    for (const started = Date.now(); ;) {
      try {
        const { element, found } = await this.#locate(path);
        return await act(element, found);
      } catch (error) {
        if (!(error instanceof errors.TimeoutError) || Date.now() - started > patience) {
          throw error;
        }
      }
    }
  }

  /** Presses a part of a row. */
  async #press(path: RowPath, part: string, button: 'left' | 'right' = 'left'): Promise<void> {
    const press = () => this.#on(path, (_, found) => this.#pressFound(found, part, button));
    await expect(`${this.#called(path)} to take a press`, press, Boolean);
  }

  /** Presses a part of a row in sight; false when it is no longer there. */
  async #pressFound(found: FoundRow, part: string, button: 'left' | 'right' = 'left'): Promise<boolean> {
    return pressWhereFound(this.#rows, {
      texts: { '.label-name': found.row.label },
      attributes: { 'data-index': String(found.index), 'aria-level': String(found.row.level) },
      part,
      button,
    });
  }

  /** Waits for a row and scrolls it into sight, with no tooltip over it. */
  async #locate(path: RowPath): Promise<{ readonly element: Locator; readonly found: FoundRow }> {
    const found = await this.#find(path);
    const { index } = found;
    await this.#leave();
    const label = new RegExp(`^\\s*${(path.at(-1) ?? '').replaceAll(/[^\w\s]/g, '\\$&')}\\s*$`);
    const row = this.#tree
      .locator(`.monaco-list-rows > .monaco-list-row[data-index="${index}"]`)
      .filter({ has: this.#page.locator('.label-name', { hasText: label }) });
    if ((await row.count()) === 0) {
      await this.#scrollToTop();
    }
    for (let page = 0; (await row.count()) === 0 && page <= index; page++) {
      await this.#scroll(1);
    }
    if ((await row.count()) === 0) {
      return this.#locate(path); // it is another tree by now
    }
    // A row that is drawn may still lie behind an edge of the view.
    for (let page = 0, side = await this.#sideOf(row); side !== 0 && page <= index; page++) {
      await this.#tree.hover({ ...reach, force: true });
      await this.#scroll(side);
      side = await this.#sideOf(row);
    }
    return { element: row, found };
  }

  /** -1 for a row that begins above what is in sight, under the shadow there; 1 for one below it; 0 for one in sight. */
  async #sideOf(row: Locator): Promise<number> {
    const [tree, box] = [await this.#tree.boundingBox(), await row.boundingBox(reach)];
    if (!tree || !box) {
      return 0;
    }
    const middle = box.y + box.height / 2;
    return box.y < tree.y - 1 ? -1 : middle > tree.y + tree.height ? 1 : 0;
  }

  /** All rows, from the top; with a path, those as far as to the row at its end. None while the view is empty. */
  async #read(path?: RowPath): Promise<readonly TreeRow[]> {
    while (await this.#tree.isVisible()) {
      try {
        return await this.#readThrough(path);
      } catch (error) {
        // The view may have become empty while it was read.
        if (!(error instanceof errors.TimeoutError) && !/is not visible/.test(String(error))) {
          throw error;
        }
      }
    }
    return [];
  }

  async #readThrough(path: RowPath | undefined): Promise<readonly TreeRow[]> {
    const { sight, count } = await this.#look();
    const rows = new Map(sight);
    const isEnough = (): boolean =>
      rows.size >= count || (path !== undefined && findRow(fromTheTop(rows), path) !== undefined);
    if (!isEnough()) {
      await this.#scrollToTop();
    }
    for (let page = 0; !isEnough() && page < count; page++) {
      for (const [index, row] of await this.#readSight()) {
        rows.set(index, row);
      }
      await this.#scroll(1);
      if ((await this.count(reach)) !== count) {
        return this.#read(path); // it is another tree by now
      }
    }
    return fromTheTop(rows);
  }

  /** As `#read`, after a press on the first row above the wanted one that is closed. */
  async #readOpening(path: RowPath): Promise<readonly TreeRow[]> {
    const rows = await this.#read(path);
    if (findRow(rows, path) === undefined) {
      for (let length = 1; length < path.length; length++) {
        const above = path.slice(0, length) as unknown as RowPath;
        if (findRow(rows, above)?.isExpanded === false) {
          await this.#setExpanded(above, true);
          return this.#read(path);
        }
      }
    }
    return rows;
  }

  /** The rows in sight, each with its place in the whole tree. */
  async #readSight(): Promise<Sight> {
    return (await this.#look()).sight;
  }

  /** The rows in sight, and how many the tree has. */
  async #look(): Promise<{ readonly sight: Sight; readonly count: number }> {
    return this.#rows.evaluateAll((elements) => {
      const [first] = elements;
      const all = first?.parentElement?.clientHeight ?? 0;
      const sight = elements.map((row) => {
        const flag = (element: Element | null, name: string) => {
          const value = element?.getAttribute(name) ?? null;
          return value === null ? undefined : value === 'true';
        };
        const text = (selector: string) => row.querySelector(selector)?.textContent.trim() ?? '';
        const icon = row.querySelector('.custom-view-tree-node-item-icon')?.className ?? '';
        const read = {
          label: text('.label-name'),
          description: text('.label-description'),
          level: Number(row.getAttribute('aria-level')),
          isExpanded: flag(row, 'aria-expanded'),
          isChecked: flag(row.querySelector('.custom-view-tree-node-item-checkbox'), 'aria-checked'),
          checkboxLabel:
            row.querySelector('.custom-view-tree-node-item-checkbox')?.getAttribute('aria-label') ?? '',
          isSelected: row.getAttribute('aria-selected') === 'true',
          ariaLabel: row.getAttribute('aria-label') ?? '',
          icon: /codicon-([\w-]+)/.exec(icon)?.[1] ?? '',
        };
        return [Number(row.getAttribute('data-index')), read] as const;
      });
      return { sight, count: first ? Math.round(all / first.clientHeight) : 0 };
    });
  }

  async #scrollToTop(): Promise<void> {
    await this.#tree.hover({ ...reach, force: true });
    const rows = this.#tree.locator('.monaco-list-rows');
    // Of many turns at once the editor has not made all when they are sent.
    await expect(
      `the top of '${this.#name}'`,
      async () => {
        const topOf = (element: HTMLElement) => Number.parseInt(element.style.top, 10);
        const hidden = -(await rows.evaluate(topOf, undefined, reach));
        await this.#scroll(-Math.ceil(hidden / notchPixels));
        return hidden;
      },
      (hidden) => hidden <= 0,
    );
  }

  /** Turns the mouse wheel where the mouse is, down by so many notches, and waits until the rows are drawn. */
  async #scroll(notches: number): Promise<void> {
    if ((await this.#tooltips.count()) > 0) {
      // The wheel would turn the tooltip.
      await this.#leave();
      await this.#tree.hover({ ...reach, force: true });
    }
    for (let turned = 0; turned < Math.abs(notches); turned++) {
      await this.#page.mouse.wheel(0, Math.sign(notches) * notchPixels);
    }
    await this.#page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
  }

  #called(path: RowPath): string {
    return `row '${path.join(' > ')}' in '${this.#name}'`;
  }
}

/** The titles of the inline actions of a row, which are in sight while the mouse rests on it. */
async function actionsOf(row: Locator): Promise<readonly string[]> {
  await row.hover(reach);
  const actions = row.locator('.actions .action-item a');
  return actions.evaluateAll((links) => links.map((link) => link.getAttribute('aria-label') ?? ''));
}

/** The rows before the first that has not been read. */
function fromTheTop(rows: ReadonlyMap<number, TreeRow>): readonly TreeRow[] {
  const found: TreeRow[] = [];
  for (let row = rows.get(0); row; row = rows.get(found.length)) {
    found.push(row);
  }
  return found;
}

/** The first row at the end of the path. */
function findRow(rows: readonly TreeRow[], path: RowPath): TreeRow | undefined {
  const [first, ...rest] = path;
  for (const [place, row] of rows.entries()) {
    if (row.label === first) {
      const found = rest.length === 0 ? row : findBelow(rows.slice(place + 1), row.level, rest);
      if (found !== undefined) {
        return found;
      }
    }
  }
  return undefined;
}

/** Looks among the rows that follow a parent of that level, as far as they are its children. */
function findBelow(
  rows: readonly TreeRow[],
  parentLevel: number,
  path: readonly string[],
): TreeRow | undefined {
  const end = rows.findIndex((row) => row.level <= parentLevel);
  const below = end < 0 ? rows : rows.slice(0, end);
  const [label, ...rest] = path;
  for (const [place, row] of below.entries()) {
    if (row.level === parentLevel + 1 && row.label === label) {
      const found = rest.length === 0 ? row : findBelow(below.slice(place + 1), row.level, rest);
      if (found !== undefined) {
        return found;
      }
    }
  }
  return undefined;
}
