import * as vscode from 'vscode';
import { CancellationError } from '../../base/cancellation.ts';
import type { Event } from '../../base/event.ts';
import { Gathered } from '../../base/gathered.ts';
import { showUntilAnswered } from './quickInputs.ts';

/** Milliseconds for which changes that the person did not make are gathered. */
const SETTLE_MS = 100;

/** Rows handed to the editor at once: more of them are slow. */
export const MAX_ROWS = 200;

export interface RenewedPick<T extends vscode.QuickPickItem> {
  readonly title: string;
  readonly placeholder: string;
  /**
   * The rows for what is typed, at most `MAX_ROWS`, each with `alwaysShow`. They stay in this order but for
   * those whose label has what is typed: the editor puts these first, by their labels (`sortByLabel` is not
   * for extensions).
   *
   * @throws CancellationError when the signal aborted, because typing goes on.
   */
  readonly rows: (typed: string, signal: AbortSignal) => Promise<readonly T[]> | readonly T[];
  /** When there may be other rows for the same text. */
  readonly onDidChange?: Event<void>;
  /** Whether a row can be picked; others only say something. */
  readonly isPickable?: (row: T) => boolean;
  /** Whether more rows may come by themselves. */
  readonly isBusy?: () => boolean;
}

export interface RenewedAnswer<T> {
  readonly row: T;
  /** The button of the row that was pressed in place of the row. */
  readonly button?: vscode.QuickInputButton;
}

/** Lets the person pick a row, renewed as one types; undefined when none was picked. */
export function pickRenewed<T extends vscode.QuickPickItem>(
  options: RenewedPick<T>,
): Promise<RenewedAnswer<T> | undefined> {
  const { title, placeholder, onDidChange, isPickable = () => true } = options;
  const input = vscode.window.createQuickPick<T>();
  input.title = title;
  input.placeholder = placeholder;
  return showUntilAnswered<RenewedAnswer<T>>(input, (store, { resolve, reject }) => {
    const rows = store.add(new Rows(input, options));
    const renew = (isTyped: boolean): void => void rows.renew(isTyped).catch(reject);
    if (onDidChange) {
      const gathered = store.add(new Gathered(SETTLE_MS, () => renew(false)));
      store.add(onDidChange(() => gathered.soon()));
    }
    store.add(input.onDidChangeValue(() => renew(true)));
    store.add(
      input.onDidAccept(() => {
        // What was chosen is unknown when its row has been renewed meanwhile: then it is the one in front.
        const row = input.selectedItems[0] ?? input.items.find(isPickable);
        if (row && isPickable(row)) {
          resolve({ row });
        }
      }),
    );
    store.add(input.onDidTriggerItemButton(({ item, button }) => resolve({ row: item, button })));
    renew(true);
  });
}

/** Keeps the rows of a quick pick as its text says. */
class Rows<T extends vscode.QuickPickItem> {
  readonly #input: vscode.QuickPick<T>;
  readonly #options: RenewedPick<T>;
  #abort = new AbortController();

  constructor(input: vscode.QuickPick<T>, options: RenewedPick<T>) {
    this.#input = input;
    this.#options = options;
  }

  dispose(): void {
    this.#abort.abort();
  }

  /** What is under way for an earlier text is given up. */
  async renew(isTyped: boolean): Promise<void> {
    this.#abort.abort();
    const { signal } = (this.#abort = new AbortController());
    this.#input.busy = true;
    try {
      const rows = await this.#options.rows(this.#input.value, signal);
      if (!signal.aborted) {
        this.#show(rows, isTyped);
      }
    } catch (error) {
      if (!(error instanceof CancellationError)) {
        throw error;
      }
    }
  }

  /** Rows that change by themselves leave the person where they are. */
  #show(rows: readonly T[], isTyped: boolean): void {
    const input = this.#input;
    const { isPickable = () => true, isBusy = () => false } = this.#options;
    const [active] = input.activeItems;
    input.keepScrollPosition = !isTyped;
    input.items = rows;
    input.busy = isBusy();
    const again =
      !isTyped &&
      active &&
      rows.find(({ label, description }) => label === active.label && description === active.description);
    if (again) {
      input.activeItems = [again];
    } else if (!rows.some(isPickable)) {
      input.activeItems = [];
    }
  }
}
