import * as vscode from 'vscode';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter, type Event } from '../../base/lifetime/event.ts';
import { Gathered } from '../../base/time/gathered.ts';
import { showUntilAnswered } from './quickInputs.ts';
import { ShownItems } from './shownItems.ts';

/** Milliseconds for which changes are gathered that you did not cause. */
const SETTLE_MS = 100;

/** Rows handed to the editor at once: more of them are slow. */
export const MAX_ROWS = 200;

export interface RenewedPick<T extends vscode.QuickPickItem> {
  readonly title: string;
  readonly placeholder: string;
  /**
   * The rows for what is typed, at most `MAX_ROWS`, each with `alwaysShow`. They keep this order, except that the
   * editor puts rows first whose label contains what is typed (`sortByLabel` is not for extensions).
   *
   * @throws CancellationError when the signal aborted because you keep typing.
   */
  readonly rows: (typed: string, signal: AbortSignal) => Promise<readonly T[]> | readonly T[];
  /** The key of a row, wherever it is in the list. */
  readonly keyOf: (row: T) => string;
  /** Fires when there may be other rows for the same text. */
  readonly onDidChange?: Event<void>;
  /** Whether a row can be picked; others only show something. */
  readonly isPickable?: (row: T) => boolean;
  /** Whether more rows may come. */
  readonly isBusy?: () => boolean;
}

export interface RenewedAnswer<T> {
  readonly row: T;
  /** The button of the row, if that was pressed instead of the row. */
  readonly button?: vscode.QuickInputButton;
}

/** Lets you pick a row from a list that is renewed as you type; undefined when none was picked. */
export function pickRenewed<T extends vscode.QuickPickItem>(
  options: RenewedPick<T>,
): Promise<RenewedAnswer<T> | undefined> {
  const { title, placeholder, onDidChange } = options;
  const input = vscode.window.createQuickPick<T>();
  input.title = title;
  input.placeholder = placeholder;
  return showUntilAnswered<RenewedAnswer<T>>(input, (store, { resolve, reject }) => {
    const rows = store.add(new Rows(input, options));
    const renew = (): void => void rows.renew().catch(reject);
    if (onDidChange) {
      const gathered = store.add(new Gathered(SETTLE_MS, renew));
      store.add(onDidChange(() => gathered.soon()));
    }
    store.add(input.onDidChangeValue(renew));
    store.add(rows.onDidPick((row) => resolve({ row })));
    store.add(
      input.onDidTriggerItemButton(({ item, button }) => {
        const row = rows.withButton(item);
        if (row) {
          resolve({ row, button });
        }
      }),
    );
    renew();
  });
}

/** Keeps the rows of a quick pick in step with its text, and finds out which one is picked. */
class Rows<T extends vscode.QuickPickItem> implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidPick = this.#store.add(new Emitter<T>());
  readonly onDidPick = this.#onDidPick.event;
  readonly #input: vscode.QuickPick<T>;
  readonly #options: RenewedPick<T>;
  readonly #shown: ShownItems<T>;
  #abort = new AbortController();
  /** Enter was pressed before the rows for the text came, with this row highlighted. */
  #ahead: { readonly front: T | undefined } | undefined;

  constructor(input: vscode.QuickPick<T>, options: RenewedPick<T>) {
    this.#input = input;
    this.#options = options;
    this.#shown = this.#store.add(new ShownItems(input, options.keyOf));
    this.#store.add(this.#shown.onDidSettle(() => this.#catchUp()));
    this.#store.add(input.onDidChangeValue(() => (this.#ahead = undefined)));
    this.#store.add(input.onDidAccept(() => this.#accept()));
  }

  dispose(): void {
    this.#abort.abort();
    this.#store.dispose();
  }

  /** The row whose button was pressed; undefined when it may be another than the editor says. */
  withButton(item: T): T | undefined {
    return this.#shown.withButton(item);
  }

  /** Abandons a search for an earlier text. */
  async renew(): Promise<void> {
    this.#abort.abort();
    const { signal } = (this.#abort = new AbortController());
    this.#input.busy = true;
    const text = this.#input.value;
    try {
      const rows = await this.#options.rows(text, signal);
      if (!signal.aborted) {
        this.#show(rows, text);
      }
    } catch (error) {
      if (!(error instanceof CancellationError)) {
        throw error;
      }
    }
  }

  #accept(): void {
    const press = this.#shown.acceptedTyping();
    this.#ahead = press.kind === 'ahead' ? { front: press.front } : undefined;
    if (press.kind === 'row') {
      this.#pick(press.row);
    }
  }

  #catchUp(): void {
    const ahead = this.#ahead;
    if (ahead && this.#shown.text === this.#input.value) {
      this.#ahead = undefined;
      this.#pick(this.#shown.caughtUp(ahead.front));
    }
  }

  #pick(row: T | undefined): void {
    const { isPickable = () => true } = this.#options;
    if (row && isPickable(row)) {
      this.#onDidPick.fire(row);
    }
  }

  /** When rows change without typing, the active row stays active. */
  #show(rows: readonly T[], text: string): void {
    const input = this.#input;
    const { keyOf, isPickable = () => true, isBusy = () => false } = this.#options;
    const [active] = input.activeItems;
    const isTyped = this.#shown.text !== text;
    input.keepScrollPosition = !isTyped;
    this.#shown.assign(rows, text);
    input.busy = isBusy();
    const again = !isTyped && active && rows.find((row) => keyOf(row) === keyOf(active));
    if (again) {
      input.activeItems = [again];
    } else if (!rows.some(isPickable)) {
      input.activeItems = [];
    }
  }
}
