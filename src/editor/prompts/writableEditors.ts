import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifetime/disposable.ts';

/** Documents that are remembered; most of them are closed soon. */
const MAX_REMEMBERED = 20;

/** The text editors that you worked in: where a text can be inserted. */
export class WritableEditors implements vscode.Disposable {
  readonly #store = new DisposableStore();
  /** The last one first. */
  #documents: readonly vscode.TextDocument[] = [];

  constructor() {
    vscode.window.visibleTextEditors.forEach((editor) => this.#remember(editor));
    this.#remember(vscode.window.activeTextEditor);
    this.#store.add(vscode.window.onDidChangeActiveTextEditor((editor) => this.#remember(editor)));
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Shows the last one as you left it; undefined when none is open. */
  async showLast(): Promise<vscode.TextEditor | undefined> {
    for (const document of this.#documents) {
      const viewColumn = document.isClosed ? undefined : columnOf(document.uri);
      if (viewColumn !== undefined) {
        return vscode.window.showTextDocument(document, { viewColumn, preview: false });
      }
    }
    return undefined;
  }

  #remember(editor: vscode.TextEditor | undefined): void {
    if (editor && isWritable(editor.document.uri)) {
      const others = this.#documents.filter((document) => document !== editor.document);
      this.#documents = [editor.document, ...others].slice(0, MAX_REMEMBERED);
    }
  }
}

function isWritable({ scheme }: vscode.Uri): boolean {
  return scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(scheme) === true;
}

function columnOf(uri: vscode.Uri): vscode.ViewColumn | undefined {
  return vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  )?.viewColumn;
}
