import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';

/**
 * Milliseconds after which the editor has put away a notification that nobody answered, while its window has the
 * focus.
 */
const SHOWN_MS = 15_000;

/**
 * The one notification for everything that waits. No extension can close a notification: it is hidden together with all
 * others that are in the corner at that moment, and they stay in the editor's list.
 */
export class AnnouncementToast implements Disposable {
  readonly #onDidGo = new Emitter<void>();
  /** It has gone, so that another one may come. */
  readonly onDidGo = this.#onDidGo.event;
  readonly #store = new DisposableStore();
  /** The one that may still be up; another object for each. */
  #shown: object | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.#store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused && this.#shown) {
          this.#goLater();
        }
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#store.dispose();
    this.#onDidGo.dispose();
  }

  /** Whether it may still be in the corner. */
  get isUp(): boolean {
    return this.#shown !== undefined;
  }

  /** Shows it, and resolves when it is answered: true when its button was pressed. */
  async show(text: string, button: string): Promise<boolean> {
    const shown = {};
    this.#shown = shown;
    this.#goLater();
    const chosen = await vscode.window.showInformationMessage(text, button, 'Later');
    if (this.#shown === shown) {
      this.#gone();
    }
    return chosen === button;
  }

  /** Hides it. */
  hide(): void {
    if (this.#shown) {
      this.#gone();
      vscode.commands.executeCommand('notifications.hideToasts').then(undefined, () => {
        // A fork may not have it: then the notification goes by its time.
      });
    }
  }

  /** In a window without the focus the editor keeps it until you come back. */
  #goLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (vscode.window.state.focused) {
        this.#gone();
      }
    }, SHOWN_MS);
  }

  #gone(): void {
    clearTimeout(this.#timer);
    this.#shown = undefined;
    this.#onDidGo.fire();
  }
}
