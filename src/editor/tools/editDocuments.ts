import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { TextProblem } from '../../host/schemas/jsonProblems.ts';
import { registerCommands } from '../commands/commands.ts';
import { commandTo } from '../commands/commandList.ts';
import { inNotification, inTooltip } from '../messages/plainText.ts';
import { fileName } from '../documents/documentStore.ts';

const EDIT_SCHEME = 'mcp-host-edit';

const cancelled: Edited = { kind: 'cancelled' };

export interface EditRequest {
  /** The name of the file; its ending decides the language. */
  readonly name: string;
  readonly text: string;
  /** What you write, such as `'headers' of fetch`. */
  readonly subject: string;
  readonly canGoBack: boolean;
  /** The problems of a text, with their places. */
  readonly check: (text: string) => Promise<readonly TextProblem[]>;
}

/** The text, or how you left the editor. */
export type Edited =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'back' | 'cancelled' };

interface Editing {
  readonly request: EditRequest;
  readonly finish: (edited: Edited) => void;
  /** True once you have answered; the document is only being closed then. */
  isFinished: boolean;
  /** The text that you are saving. */
  saving: string | undefined;
  /** Whether problems are shown as you type: not before the first answer had a problem. */
  showsProblems: boolean;
  bytes: Uint8Array;
  mtime: number;
}

/**
 * Asks for a text in its own editor. You go on with "Continue" above the text or by saving, and cancel with "Cancel"
 * or by closing the editor.
 *
 * The documents are files in memory, not untitled ones, so that they close without a question.
 */
export class EditDocuments implements vscode.FileSystemProvider, vscode.CodeLensProvider, vscode.Disposable {
  readonly #onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#onDidChangeFile.event;
  readonly #editings = new Map<string, Editing>();
  readonly #store = new DisposableStore();
  readonly #problems = this.#store.add(vscode.languages.createDiagnosticCollection('mcp-host-edit'));
  #count = 0;

  constructor() {
    this.#store.add(this.#onDidChangeFile);
    this.#store.add(
      vscode.workspace.registerFileSystemProvider(EDIT_SCHEME, this, { isCaseSensitive: true }),
    );
    this.#store.add(vscode.languages.registerCodeLensProvider({ scheme: EDIT_SCHEME }, this));
    const on =
      (act: (path: string) => void) =>
      (argument?: unknown): void => {
        // From the palette the command is for the active editor.
        const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
        if (uri?.scheme === EDIT_SCHEME) {
          act(uri.path);
        }
      };
    this.#store.add(
      registerCommands({
        'editing.continue': on((path) => this.#continue(path)),
        'editing.back': on((path) => this.#editings.get(path)?.finish({ kind: 'back' })),
        'editing.cancel': on((path) => this.#editings.get(path)?.finish(cancelled)),
      }),
    );
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const editing = this.#editingOf(document);
        if (editing?.showsProblems === true) {
          void this.#showProblems(document, editing);
        }
      }),
    );
    this.#store.add(
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
        const editing = this.#editingOf(document);
        // Automatic saving, after a delay or when the focus moves, is not an answer.
        if (editing && reason === vscode.TextDocumentSaveReason.Manual) {
          // The text as it was typed: when it is saved, settings may trim it or add a line.
          editing.saving = document.getText();
        }
      }),
    );
    this.#store.add(
      vscode.workspace.onDidSaveTextDocument((document) => {
        const editing = this.#editingOf(document);
        if (editing?.saving !== undefined) {
          void this.#answer(document, editing, editing.saving);
          editing.saving = undefined;
        }
      }),
    );
    this.#store.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        for (const path of closed.map(pathIn)) {
          // A tab that moves to another group is closed as well.
          if (path !== undefined && tabsOf(path).length === 0) {
            this.#editings.get(path)?.finish(cancelled);
          }
        }
      }),
    );
    // Tabs from before a reload of the window, which has ended their calls.
    const left = allTabs().filter((tab) => pathIn(tab) !== undefined && !tab.isDirty);
    if (left.length > 0) {
      void vscode.window.tabGroups.close(left);
    }
  }

  dispose(): void {
    this.#editings.forEach(({ finish }) => finish(cancelled));
    this.#store.dispose();
  }

  /** Resolves with a text in which `check` finds no problem. */
  async edit(request: EditRequest): Promise<Edited> {
    this.#count += 1;
    const path = `/${this.#count}/${fileName(request.name)}`;
    const finished = Promise.withResolvers<Edited>();
    const editing: Editing = {
      request,
      finish: finished.resolve,
      isFinished: false,
      saving: undefined,
      showsProblems: false,
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
          title: `Write ${request.subject} in the editor, then save it or select Continue above it.`,
          cancellable: true,
        },
        (_, token) => {
          token.onCancellationRequested(() => finished.resolve(cancelled));
          return finished.promise;
        },
      );
    } finally {
      editing.isFinished = true;
      this.#problems.delete(uriOf(path));
      await close(path);
      this.#editings.delete(path);
    }
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const canGoBack = this.#editings.get(uri.path)?.request.canGoBack ?? false;
    const top = new vscode.Range(0, 0, 0, 0);
    return [
      commandTo('editing.continue', '$(check) Continue', uri),
      ...(canGoBack ? [commandTo('editing.back', '$(arrow-left) Back', uri)] : []),
      commandTo('editing.cancel', '$(close) Cancel', uri),
    ].map((command) => new vscode.CodeLens(top, command));
  }

  #continue(path: string): void {
    const editing = this.#editings.get(path);
    const document = vscode.workspace.textDocuments.find((one) => this.#editingOf(one) === editing);
    if (editing && document) {
      void this.#answer(document, editing, document.getText());
    }
  }

  async #answer(document: vscode.TextDocument, editing: Editing, text: string): Promise<void> {
    const { request, finish } = editing;
    const [first] = await request.check(text);
    if (editing.isFinished) {
      return;
    }
    if (!first) {
      finish({ kind: 'text', text });
      return;
    }
    editing.showsProblems = true;
    void this.#showProblems(document, editing);
    const at = document.positionAt(first.offset);
    const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
    if (editor) {
      editor.selection = new vscode.Selection(at, at);
      editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
    void vscode.window.showErrorMessage(inNotification(`Line ${at.line + 1}: ${first.message}`));
  }

  async #showProblems(document: vscode.TextDocument, editing: Editing): Promise<void> {
    const { version } = document;
    const found = await editing.request.check(document.getText());
    // Checked again if it was changed meanwhile.
    if (editing.isFinished || document.version !== version) {
      return;
    }
    this.#problems.set(
      document.uri,
      found.map(({ offset, length, message }) => {
        const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
        const diagnostic = new vscode.Diagnostic(range, inTooltip(message));
        diagnostic.source = 'MCP Host';
        return diagnostic;
      }),
    );
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
      throw vscode.FileSystemError.FileNotFound('This text was for a call that has ended.');
    }
    return editing;
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
    // A saved document closes without a question.
    await vscode.workspace.save(uriOf(path));
    await vscode.window.tabGroups.close(tabs);
  }
}
