import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { fileName } from './documentStore.ts';

const EDIT_SCHEME = 'mcp-host-edit';
const CONTINUE_COMMAND = 'mcpHost.editing.continue';
const CANCEL_COMMAND = 'mcpHost.editing.cancel';

export interface EditRequest {
  /** The name of the file; its ending decides the language. */
  readonly name: string;
  readonly text: string;
  /** What is to be written, such as `'headers' of fetch`. */
  readonly subject: string;
  /** A sentence that says what is wrong with the text, or undefined. */
  readonly check: (text: string) => string | undefined;
}

interface Editing {
  readonly request: EditRequest;
  readonly finish: (text: string | undefined) => void;
  /** True once the person has answered; the document is only closed then. */
  isFinished: boolean;
  /** The text that the person is saving. */
  saving: string | undefined;
  bytes: Uint8Array;
  mtime: number;
}

/**
 * Asks for a text in an editor of its own. The person goes on with "Continue" above the text or by saving,
 * and takes it back with "Cancel" or by closing the editor.
 *
 * The documents are files in memory, not untitled ones, so that closing them asks nothing.
 */
export class EditDocuments implements vscode.FileSystemProvider, vscode.CodeLensProvider, vscode.Disposable {
  readonly #onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#onDidChangeFile.event;
  readonly #editings = new Map<string, Editing>();
  readonly #store = new DisposableStore();
  #count = 0;

  constructor() {
    this.#store.add(this.#onDidChangeFile);
    this.#store.add(
      vscode.workspace.registerFileSystemProvider(EDIT_SCHEME, this, { isCaseSensitive: true }),
    );
    this.#store.add(vscode.languages.registerCodeLensProvider({ scheme: EDIT_SCHEME }, this));
    this.#store.add(
      vscode.commands.registerCommand(CONTINUE_COMMAND, (path: string) => this.#continue(path)),
    );
    this.#store.add(
      vscode.commands.registerCommand(CANCEL_COMMAND, (path: string) =>
        this.#editings.get(path)?.finish(undefined),
      ),
    );
    this.#store.add(
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
        const editing = this.#editingOf(document);
        // Saving by itself, after a delay or when the focus moves, is no answer.
        if (editing && reason === vscode.TextDocumentSaveReason.Manual) {
          // As it was written: on the way to its file, settings may trim it or add a line.
          editing.saving = document.getText();
        }
      }),
    );
    this.#store.add(
      vscode.workspace.onDidSaveTextDocument((document) => {
        const editing = this.#editingOf(document);
        if (editing?.saving !== undefined) {
          answer(editing, editing.saving);
          editing.saving = undefined;
        }
      }),
    );
    this.#store.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const path of closed.map(pathIn)) {
          // A tab that moves to another group is closed, too.
          if (path !== undefined && tabsOf(path).length === 0) {
            this.#editings.get(path)?.finish(undefined);
          }
        }
      }),
    );
    // Tabs from before a reload of the window: their calls have ended with it.
    const left = allTabs().filter((tab) => pathIn(tab) !== undefined && !tab.isDirty);
    if (left.length > 0) {
      void vscode.window.tabGroups.close(left);
    }
  }

  dispose(): void {
    this.#editings.forEach(({ finish }) => finish(undefined));
    this.#store.dispose();
  }

  /** Gives the text, which passed `check`; undefined when the person took it back. */
  async edit(request: EditRequest): Promise<string | undefined> {
    this.#count += 1;
    const path = `/${this.#count}/${fileName(request.name)}`;
    const finished = Promise.withResolvers<string | undefined>();
    const editing: Editing = {
      request,
      finish: finished.resolve,
      isFinished: false,
      saving: undefined,
      bytes: new TextEncoder().encode(request.text),
      mtime: Date.now(),
    };
    this.#editings.set(path, editing);
    try {
      const document = await vscode.workspace.openTextDocument(uriOf(path), { encoding: 'utf8' });
      await vscode.window.showTextDocument(document, { preview: false });
      return await vscode.window.withProgress(
        {
          location: vscode.ProgressLocation.Notification,
          title: `Write ${request.subject} in the editor, then save it or choose Continue above it.`,
          cancellable: true,
        },
        (_, token) => {
          token.onCancellationRequested(() => finished.resolve(undefined));
          return finished.promise;
        },
      );
    } finally {
      editing.isFinished = true;
      await close(path);
      this.#editings.delete(path);
    }
  }

  provideCodeLenses({ uri: { path } }: vscode.TextDocument): vscode.CodeLens[] {
    const top = new vscode.Range(0, 0, 0, 0);
    return [
      { title: '$(check) Continue', command: CONTINUE_COMMAND, arguments: [path] },
      { title: '$(close) Cancel', command: CANCEL_COMMAND, arguments: [path] },
    ].map((command) => new vscode.CodeLens(top, command));
  }

  #continue(path: string): void {
    const editing = this.#editings.get(path);
    const document = vscode.workspace.textDocuments.find((one) => this.#editingOf(one) === editing);
    if (editing && document) {
      answer(editing, document.getText());
    }
  }

  #editingOf({ uri }: vscode.TextDocument): Editing | undefined {
    return uri.scheme === EDIT_SCHEME ? this.#editings.get(uri.path) : undefined;
  }

  watch(): vscode.Disposable {
    return { dispose: () => {} };
  }

  stat({ path }: vscode.Uri): vscode.FileStat {
    const { bytes, mtime } = this.#editingAt(path);
    return { type: vscode.FileType.File, ctime: mtime, mtime, size: bytes.length };
  }

  readFile({ path }: vscode.Uri): Uint8Array {
    return this.#editingAt(path).bytes;
  }

  writeFile({ path }: vscode.Uri, content: Uint8Array): void {
    const editing = this.#editingAt(path);
    editing.bytes = content;
    editing.mtime = Math.max(Date.now(), editing.mtime + 1);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  #editingAt(path: string): Editing {
    const editing = this.#editings.get(path);
    if (!editing) {
      throw vscode.FileSystemError.FileNotFound('This was written for a call that has ended.');
    }
    return editing;
  }
}

function answer({ request, isFinished, finish }: Editing, text: string): void {
  if (isFinished) {
    return;
  }
  const problem = request.check(text);
  if (problem === undefined) {
    finish(text);
  } else {
    void vscode.window.showErrorMessage(problem);
  }
}

function uriOf(path: string): vscode.Uri {
  return vscode.Uri.from({ scheme: EDIT_SCHEME, path });
}

function pathIn({ input }: vscode.Tab): string | undefined {
  return input instanceof vscode.TabInputText && input.uri.scheme === EDIT_SCHEME
    ? input.uri.path
    : undefined;
}

function tabsOf(path: string): readonly vscode.Tab[] {
  return allTabs().filter((tab) => pathIn(tab) === path);
}

function allTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
}

async function close(path: string): Promise<void> {
  const tabs = tabsOf(path);
  if (tabs.length > 0) {
    // What is saved closes without a question.
    await vscode.workspace.save(uriOf(path));
    await vscode.window.tabGroups.close(tabs);
  }
}
