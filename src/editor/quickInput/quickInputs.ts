import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifetime/disposable.ts';

/** How you left a quick input. */
export type Prompted<T> =
  | { readonly kind: 'accepted'; readonly value: T }
  | { readonly kind: 'back'; readonly typed: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'pressed'; readonly button: vscode.QuickInputButton; readonly typed: string };

/** What every step shows. */
export interface Frame {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
  readonly canGoBack: boolean;
  readonly buttons: readonly vscode.QuickInputButton[];
  /** What was wrong with the last answer. */
  readonly problem: string | undefined;
}

export interface TextOptions {
  readonly value: string;
  readonly prompt: string;
  readonly placeholder: string;
  readonly isPassword: boolean;
  /** The prompt for what is typed so far, in place of `prompt`. */
  readonly promptFor?: (typed: string) => string;
  /** What is wrong with the text, in one sentence, or undefined. */
  readonly check: (typed: string) => Promise<string | undefined> | string | undefined;
}

/** A button of a quick input, by the name of its theme icon. */
export function inputButton(icon: string, tooltip: string): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip };
}

export function askText(frame: Frame, options: TextOptions): Promise<Prompted<string>> {
  const input = vscode.window.createInputBox();
  input.value = options.value;
  input.prompt = options.promptFor?.(input.value) ?? options.prompt;
  input.placeholder = options.placeholder;
  input.password = options.isPassword;
  input.validationMessage = frame.problem;
  return ask(input, frame, (store, resolve) => {
    const accept = async (value: string): Promise<void> => {
      const problem = await options.check(value);
      // Typed on meanwhile, or gone.
      if (store.isDisposed || input.value !== value) {
        return;
      }
      if (problem === undefined) {
        resolve({ kind: 'accepted', value });
      } else {
        input.validationMessage = problem;
      }
    };
    store.add(
      input.onDidChangeValue((typed) => {
        input.validationMessage = undefined;
        if (options.promptFor) {
          input.prompt = options.promptFor(typed);
        }
      }),
    );
    store.add(
      input.onDidAccept(() => {
        void accept(input.value);
      }),
    );
  });
}

export interface PickOptions<T extends vscode.QuickPickItem> {
  readonly items: readonly T[];
  readonly picked: readonly T[];
  readonly placeholder: string;
  readonly isMany: boolean;
}

export function askPick<T extends vscode.QuickPickItem>(
  frame: Frame,
  { items, picked, placeholder, isMany }: PickOptions<T>,
): Promise<Prompted<readonly T[]>> {
  const input = vscode.window.createQuickPick<T>();
  input.canSelectMany = isMany;
  input.items = items;
  input.placeholder = frame.problem ?? placeholder;
  input.matchOnDescription = true;
  if (isMany) {
    input.selectedItems = picked;
  } else if (picked.length > 0) {
    input.activeItems = picked;
  }
  return ask(input, frame, (store, resolve) => {
    store.add(
      input.onDidAccept(() => {
        if (isMany || input.selectedItems.length > 0) {
          resolve({ kind: 'accepted', value: input.selectedItems });
        }
      }),
    );
  });
}

/** Shows a step until it is answered or left, and disposes it with what `listen` added. */
export async function ask<T>(
  input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
  frame: Frame,
  listen: (store: DisposableStore, resolve: (answer: Prompted<T>) => void) => void,
): Promise<Prompted<T>> {
  input.title = frame.title;
  if (frame.totalSteps > 1) {
    input.step = frame.step;
    input.totalSteps = frame.totalSteps;
  }
  // A click into the editor would lose what was typed.
  input.ignoreFocusOut = true;
  input.buttons = [...(frame.canGoBack ? [vscode.QuickInputButtons.Back] : []), ...frame.buttons];
  const answer = await showUntilAnswered<Prompted<T>>(input, (store, { resolve }) => {
    store.add(
      input.onDidTriggerButton((button) =>
        resolve(
          button === vscode.QuickInputButtons.Back
            ? { kind: 'back', typed: input.value }
            : { kind: 'pressed', button, typed: input.value },
        ),
      ),
    );
    listen(store, resolve);
  });
  return answer ?? { kind: 'cancelled' };
}

/** Shows an input until `listen` has an answer, and disposes both; undefined when it is hidden before. */
export async function showUntilAnswered<T>(
  input: vscode.QuickInput,
  listen: (
    store: DisposableStore,
    answer: Pick<PromiseWithResolvers<T | undefined>, 'resolve' | 'reject'>,
  ) => void,
): Promise<T | undefined> {
  const store = new DisposableStore();
  store.add(input);
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
  store.add(input.onDidHide(() => resolve(undefined)));
  listen(store, { resolve, reject });
  input.show();
  try {
    return await promise;
  } finally {
    store.dispose();
  }
}
