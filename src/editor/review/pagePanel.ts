import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import type { PageSession } from '../../host/review/pageSession.ts';
import { inNotification } from '../messages/plainText.ts';
import { panelPage, type PageName } from './panelPage.ts';

type Session = Pick<PageSession<unknown, never>, 'opened' | 'hidden' | 'receive' | 'dispose'>;

/** The type of a panel, by which the editor finds who restores it. */
export function panelType(name: PageName): string {
  return `mcpHost.${name}`;
}

/** A panel with a page, whose script puts everything in. It lives as long as its tab. */
export class PagePanel implements Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #name: PageName;
  readonly #panel: vscode.WebviewPanel;
  readonly #store = new DisposableStore();

  /**
   * @param tab the title of a tab to open, or a panel that the editor has opened again.
   * @param isBeside opens the tab beside the active column, which keeps the focus.
   */
  constructor(extensionUri: vscode.Uri, name: PageName, tab: string | vscode.WebviewPanel, isBeside = false) {
    this.#extensionUri = extensionUri;
    this.#name = name;
    const panel =
      typeof tab === 'string'
        ? vscode.window.createWebviewPanel(panelType(name), tab, {
            viewColumn: isBeside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
            preserveFocus: isBeside,
          })
        : tab;
    panel.webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [this.#bundle] };
    this.#panel = this.#store.add(panel);
    this.#store.add(panel.onDidDispose(() => this.dispose()));
  }

  /** False as soon as the tab is closed. */
  get isOpen(): boolean {
    return !this.#store.isDisposed;
  }

  /** The title of its tab. */
  set title(title: string) {
    this.#panel.title = title;
  }

  get isVisible(): boolean {
    return this.isOpen && this.#panel.visible;
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Disposes it together with the panel. */
  add<T extends Disposable>(disposable: T): T {
    return this.#store.add(disposable);
  }

  /** Brings it to the front, where it is; without the focus if another part keeps it. */
  reveal(keepsFocus = false): void {
    this.#panel.reveal(undefined, keepsFocus);
  }

  post(message: unknown): void {
    void this.#panel.webview.postMessage(message);
  }

  /** Loads the page, which speaks with this session; `shown` hears whenever it comes into sight. */
  load(session: Session, shown: () => void = () => {}): void {
    const { webview } = this.#panel;
    const changed = (): void => {
      if (this.#panel.visible) {
        session.opened();
        shown();
      } else {
        session.hidden();
      }
    };
    this.#store.add(session);
    this.#store.add(
      webview.onDidReceiveMessage((message: unknown) => {
        session.receive(message).catch((error: unknown) => {
          void vscode.window.showErrorMessage(inNotification(messageOf(error)));
        });
      }),
    );
    this.#store.add(this.#panel.onDidChangeViewState(changed));
    session.opened();
    shown();
    webview.html = panelPage(this.#name, {
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('base64'),
      source: (file) => webview.asWebviewUri(vscode.Uri.joinPath(this.#bundle, file)).toString(),
    });
  }

  get #bundle(): vscode.Uri {
    return vscode.Uri.joinPath(this.#extensionUri, 'dist', 'webview');
  }
}
