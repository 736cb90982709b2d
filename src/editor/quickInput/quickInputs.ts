import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifetime/disposable.ts';

/** How you left a quick input. */
export type Prompted<T> =
  | { readonly kind: 'accepted'; readonly value: T }
  | { readonly kind: 'back' | 'cancelled' }
  | { readonly kind: 'pressed'; readonly button: vscode.QuickInputButton; readonly typed: string };

/** What is around every quick input. */
export interface Frame {
  readonly title: string;
  readonly canGoBack?: boolean;
  readonly buttons?: readonly vscode.QuickInputButton[];
}

export interface TextOptions {
  readonly value: string;
  readonly prompt: string;
  readonly placeholder: string;
  readonly isPassword: boolean;
  /** What is wrong with the text, in one sentence, or undefined. */
  readonly check: (typed: string) => string | undefined;
}

/** A button of a quick input, by the name of its theme icon. */
export function inputButton(icon: string, tooltip: string): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip };
}

export function askText(frame: Frame, options: TextOptions): Promise<Prompted<string>> {
  const input = vscode.window.createInputBox();
  input.value = options.value;
  input.prompt = options.prompt;
  input.placeholder = options.placeholder;
  input.password = options.isPassword;
  return ask(input, frame, (store, resolve) => {
    store.add(
      input.onDidChangeValue(() => {
        input.validationMessage = undefined;
      }),
    );
    store.add(
      input.onDidAccept(() => {
        const { value } = input;
        const problem = options.check(value);
        if (problem === undefined) {
          resolve({ kind: 'accepted', value });
        } else {
          input.validationMessage = problem;
        }
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
  input.placeholder = placeholder;
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

/** Shows an input until it is answered or left, and disposes it with what `listen` added. */
async function ask<T>(
  input: vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>,
  { title, canGoBack = false, buttons = [] }: Frame,
  listen: (store: DisposableStore, resolve: (answer: Prompted<T>) => void) => void,
): Promise<Prompted<T>> {
  input.title = title;
  // A click into the editor would lose what was typed.
  input.ignoreFocusOut = true;
  input.buttons = [...(canGoBack ? [vscode.QuickInputButtons.Back] : []), ...buttons];
  const answer = await showUntilAnswered<Prompted<T>>(input, (store, { resolve }) => {
    store.add(
      input.onDidTriggerButton((button) =>
        resolve(
          button === vscode.QuickInputButtons.Back
            ? { kind: 'back' }
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
