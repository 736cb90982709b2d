import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import { ShownLists, type Press } from './shownLists.ts';

/**
 * The items of a quick pick that are renewed while it is open. They are assigned only here, so that a press on an
 * earlier item is never taken for the row that is at its place now.
 */
export class ShownItems<T extends vscode.QuickPickItem> implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidSettle = this.#store.add(new Emitter<void>());
  /** The window shows what was assigned last, and `activeItems` is what it highlights. */
  readonly onDidSettle = this.#onDidSettle.event;
  readonly #input: vscode.QuickPick<T>;
  readonly #lists: ShownLists<T>;

  /** Rows with the same key have the same buttons in the same order. */
  constructor(input: vscode.QuickPick<T>, keyOf: (item: T) => string) {
    this.#input = input;
    this.#lists = new ShownLists(keyOf, ({ kind }) => kind === vscode.QuickPickItemKind.Separator);
    this.#store.add(input.onDidChangeActive(([active]) => this.#lists.moved(active)));
    this.#store.add(input.onDidChangeValue(() => this.#lists.typed()));
  }

  /** The text that the latest items are for. */
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

  /** The row that was accepted; undefined when it is not certain. Call it once for each time. */
  accepted(): T | undefined {
    return this.#lists.agreed(this.#takeSelected());
  }

  /** As `accepted`, but Enter may also come before the rows for what is typed. */
  acceptedTyping(): Press<T> {
    return this.#lists.press(this.#takeSelected(), this.#input.value);
  }

  /** What an early Enter meant, once the rows for its text have settled; undefined if unclear. */
  caughtUp(front: T | undefined): T | undefined {
    return this.#lists.caughtUp(front, this.#input.activeItems[0]);
  }

  /** The row whose button was pressed, given the item that the editor names; undefined when it is not certain. */
  withButton(item: T): T | undefined {
    return this.#lists.agreed(item);
  }

  /** A row that stays selected could not be pressed again, and would count when Enter is pressed on no row. */
  #takeSelected(): T | undefined {
    const [item] = this.#input.selectedItems;
    this.#input.selectedItems = [];
    return item;
  }

  async #confirm(confirm: () => void): Promise<void> {
    // The editor also sends changes after a timeout of zero, which it began before. What follows takes the same way:
    // when it returns, the window has the items.
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
