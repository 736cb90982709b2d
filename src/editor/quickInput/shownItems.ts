import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { ShownLists, type Press } from './shownLists.ts';

/**
 * The items of a quick pick that are renewed while it is open. They are assigned here only, so that a press in
 * the items before is never taken for the row that is at its place now.
 */
export class ShownItems<T extends vscode.QuickPickItem> implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidSettle = this.#store.add(new Emitter<void>());
  /** The window shows what was assigned last, and `activeItems` is what it highlights there. */
  readonly onDidSettle = this.#onDidSettle.event;
  readonly #input: vscode.QuickPick<T>;
  readonly #lists: ShownLists<T>;

  /** Rows that are the same by `keyOf` have the same buttons at the same places, as far as they have any. */
  constructor(input: vscode.QuickPick<T>, keyOf: (item: T) => string) {
    this.#input = input;
    this.#lists = new ShownLists(keyOf, ({ kind }) => kind === vscode.QuickPickItemKind.Separator);
    this.#store.add(input.onDidChangeActive(([active]) => this.#lists.moved(active)));
    this.#store.add(input.onDidChangeValue(() => this.#lists.typed()));
  }

  /** What the latest items are for. */
  get text(): string | undefined {
    return this.#lists.text;
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Hands items to the editor; `text` is what they were looked up for. */
  assign(items: readonly T[], text?: string): void {
    this.#input.items = items;
    void this.#confirm(this.#lists.handOver(items, text));
  }

  /** The row that was accepted, to be asked once for each time; undefined when it is not certain. */
  accepted(): T | undefined {
    return this.#lists.agreed(this.#takeSelected());
  }

  /** As `accepted`, where Enter may also be ahead of the rows for what is typed. */
  acceptedTyping(): Press<T> {
    return this.#lists.press(this.#takeSelected(), this.#input.value);
  }

  /** What Enter meant that was ahead, once what was assigned for its text has settled; undefined if unclear. */
  caughtUp(front: T | undefined): T | undefined {
    return this.#lists.caughtUp(front, this.#input.activeItems[0]);
  }

  /** The row whose button was pressed, given the item that the editor says; undefined when it is not certain. */
  withButton(item: T): T | undefined {
    return this.#lists.agreed(item);
  }

  /** A row that stays selected could not be pressed again, and would count when Enter is pressed on none. */
  #takeSelected(): T | undefined {
    const [item] = this.#input.selectedItems;
    this.#input.selectedItems = [];
    return item;
  }

  async #confirm(confirm: () => void): Promise<void> {
    // The editor, too, sends what has changed in a timeout of zero, which it began before. What follows goes
    // the same way: when it has come back, the window has the items.
    await new Promise((resolve) => setTimeout(resolve));
    try {
      await vscode.commands.executeCommand('setContext', 'mcpHost.hasRenewedPick', true);
    } catch {
      return; // the window is closing
    }
    confirm();
    if (this.#lists.isSettled) {
      this.#onDidSettle.fire();
    }
  }
}
