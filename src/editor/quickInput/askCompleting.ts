import * as vscode from 'vscode';
import { toDisposable } from '../../base/lifetime/disposable.ts';
import type { Suggest } from '../../host/completion/argumentCompleter.ts';
import { noSuggestions, type Suggestions } from '../../host/completion/suggestions.ts';
import { inQuickInput } from '../messages/plainText.ts';
import { type Frame, type Prompted, type TextOptions, ask, askText, inputButton } from './quickInputs.ts';
import { ShownItems } from './shownItems.ts';

export interface CompletingOptions extends TextOptions {
  readonly check: (typed: string) => string | undefined;
  /** Suggests values for what is typed; undefined when the server completes nothing. */
  readonly suggest: Suggest | undefined;
  /** The server's description of the value; follows the prompt. */
  readonly hint?: string;
}

interface Row extends vscode.QuickPickItem {
  /** What the row stands for; `typed` is what is in the box when it is accepted. */
  readonly choice:
    | { readonly kind: 'typed' | 'more' }
    | { readonly kind: 'suggested'; readonly value: string };
}

const goOnButton = inputButton('edit', 'Edit This Value');

/**
 * As `askText`, with the server's suggestions below. What is typed is always the first row, so that Enter accepts it;
 * a suggestion is used exactly as the server wrote it.
 */
export function askCompleting(frame: Frame, options: CompletingOptions): Promise<Prompted<string>> {
  const { suggest } = options;
  if (!suggest || options.isPassword) {
    return askText(frame, { ...options, promptFor: (typed) => promptOf(options, typed) });
  }
  const input = vscode.window.createQuickPick<Row>();
  input.value = options.value;
  input.placeholder = options.placeholder;
  return ask(input, frame, (store, resolve) => {
    const box = new CompletingBox(input, options, suggest, frame.problem);
    store.add(toDisposable(() => box.dispose()));
    store.add(input.onDidChangeValue(() => box.changed()));
    store.add(input.onDidChangeActive(() => box.showPrompt()));
    store.add(input.onDidTriggerItemButton(({ item }) => box.goOnFrom(item)));
    store.add(
      input.onDidAccept(() => {
        const value = box.accepted();
        if (value !== undefined) {
          resolve({ kind: 'accepted', value });
        }
      }),
    );
  });
}

/** The rows of a quick pick that serves as a box with suggestions. */
class CompletingBox {
  readonly #input: vscode.QuickPick<Row>;
  readonly #shown: ShownItems<Row>;
  readonly #options: CompletingOptions;
  readonly #suggest: Suggest;
  #typed: string;
  #problem: string | undefined;
  #suggestions = noSuggestions;
  #asking = new AbortController();

  constructor(
    input: vscode.QuickPick<Row>,
    options: CompletingOptions,
    suggest: Suggest,
    problem: string | undefined,
  ) {
    this.#input = input;
    this.#shown = new ShownItems(input, keyOf);
    this.#options = options;
    this.#suggest = suggest;
    this.#problem = problem;
    this.#typed = input.value;
    this.#renew();
    void this.#ask();
  }

  /** The text in the box has changed. */
  changed(): void {
    if (this.#input.value === this.#typed) {
      return;
    }
    this.#typed = this.#input.value;
    this.#problem = undefined;
    // Until the server answers, the earlier suggestions that match stay.
    const typed = this.#typed.toLowerCase();
    this.#suggestions = {
      values: this.#suggestions.values.filter((value) => value.toLowerCase().includes(typed)),
      hasMore: false,
    };
    this.#renew();
    void this.#ask();
  }

  /** Puts the value of the row whose button was pressed into the box. */
  goOnFrom(item: Row): void {
    this.#input.value = suggestedBy(this.#shown.withButton(item)) ?? this.#input.value;
    this.changed();
  }

  /** The value of the row that was accepted; undefined when it has none, or the value has a problem. */
  accepted(): string | undefined {
    const row = this.#shown.accepted();
    if (!row || row.choice.kind === 'more') {
      return undefined;
    }
    // The row may be older than what is typed now.
    const value = suggestedBy(row) ?? this.#input.value;
    const problem = this.#options.check(value);
    if (problem === undefined) {
      return value;
    }
    this.#problem = problem;
    this.#renew();
    return undefined;
  }

  dispose(): void {
    this.#asking.abort();
    this.#shown.dispose();
  }

  async #ask(): Promise<void> {
    this.#asking.abort();
    const asking = new AbortController();
    this.#asking = asking;
    this.#input.busy = true;
    let suggestions: Suggestions;
    try {
      suggestions = await this.#suggest(this.#typed, asking.signal);
    } catch {
      suggestions = noSuggestions;
    }
    if (!asking.signal.aborted) {
      this.#suggestions = suggestions;
      this.#input.busy = false;
      this.#renew();
    }
  }

  /** Shows what accepting the active row would give. Before 1.108 a quick pick has no prompt. */
  showPrompt(): void {
    if ('prompt' in this.#input) {
      this.#input.prompt = promptOf(this.#options, suggestedBy(this.#input.activeItems[0]) ?? this.#typed);
    }
  }

  #renew(): void {
    const input = this.#input;
    const rows = [this.#typedRow(), ...this.#suggestedRows()];
    const active = suggestedBy(input.activeItems[0]);
    this.#shown.assign(rows);
    const again = rows.find((row) => active !== undefined && suggestedBy(row) === active);
    input.activeItems = again ? [again] : rows.slice(0, 1);
    this.showPrompt();
  }

  #typedRow(): Row {
    const detail = 'prompt' in this.#input ? '' : promptOf(this.#options, this.#typed);
    return {
      choice: { kind: 'typed' },
      alwaysShow: true,
      ...this.#typedText(),
      ...(detail && { detail }),
    };
  }

  #typedText(): { readonly label: string; readonly iconPath: vscode.ThemeIcon } {
    if (this.#problem !== undefined) {
      return { label: this.#problem, iconPath: new vscode.ThemeIcon('error') };
    }
    if (this.#typed !== '') {
      return { label: `Use '${inQuickInput(this.#typed, 100)}'`, iconPath: new vscode.ThemeIcon('check') };
    }
    return this.#options.check('') === undefined
      ? { label: 'Leave It Empty', iconPath: new vscode.ThemeIcon('dash') }
      : {
          label: this.#suggestions.values.length > 0 ? 'Type a value, or select one' : 'Type a value',
          iconPath: new vscode.ThemeIcon('pencil'),
        };
  }

  #suggestedRows(): readonly Row[] {
    const { values, hasMore } = this.#suggestions;
    const rows = values
      .filter((value) => value !== this.#typed)
      .map((value) => ({
        ...inOrder(inQuickInput(value, 200), 'symbol-value'),
        choice: { kind: 'suggested' as const, value },
        // A box has one line, and would join several lines.
        buttons: /[\r\n]/.test(value) ? [] : [goOnButton],
      }));
    const more = {
      ...inOrder('There are more: keep typing', 'ellipsis'),
      choice: { kind: 'more' as const },
    };
    return hasMore ? [...rows, more] : rows;
  }
}

function promptOf({ prompt, promptFor, hint }: CompletingOptions, typed: string): string {
  return [promptFor?.(typed) ?? prompt, hint].filter(Boolean).join(' · ');
}

/**
 * A row that keeps its place. The editor sorts rows whose label contains what is typed, which would lose the server's
 * order and put a suggestion before what is typed. It ignores descriptions.
 */
function inOrder(text: string, icon: string): Omit<Row, 'choice'> {
  return {
    label: '',
    description: text,
    iconPath: new vscode.ThemeIcon(icon),
    alwaysShow: true,
  };
}

function keyOf({ choice }: Row): string {
  return choice.kind === 'suggested' ? `suggested ${choice.value}` : choice.kind;
}

function suggestedBy(row: Row | undefined): string | undefined {
  return row?.choice.kind === 'suggested' ? row.choice.value : undefined;
}
