import * as vscode from 'vscode';
import { isBinaryName } from '../../host/resources/mimeNames.ts';
import { DocumentStore, type DocumentLimits } from './documentStore.ts';
import { ReadonlyFiles } from './readonlyFiles.ts';

export const VIEW_SCHEME = 'mcp-host-view';

const defaultLimits: DocumentLimits = { documents: 50, bytes: 32 * 1_024 * 1_024 };

/** The folder of earlier contents in comparisons. */
export const LAST_SEEN = 'Last seen';

const TEXT_PATH = /\.(?:txt|jsonc)$/;
const HAS_GONE = 'This was kept only in memory, and is gone.';
const RUN_AGAIN = 'To see it again, run the same command again.';

export interface ShowOptions {
  /** The language of a text; plain text if the editor does not know it. */
  readonly language?: string;
  readonly viewColumn?: vscode.ViewColumn;
  readonly preserveFocus?: boolean;
  /** Shows a text in the preview tab, which the next one replaces. */
  readonly preview?: boolean;
  /** An earlier document that this one replaces, if that is still kept. */
  readonly instead?: vscode.Uri | undefined;
}

/**
 * What the host itself writes for you to read, as read-only documents in memory. They are files, not virtual
 * documents, so that the editor's own viewers open images and audio.
 */
export class ViewDocuments extends ReadonlyFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#onDidChangeFile.event;
  readonly #store: DocumentStore;
  readonly #registration: vscode.Disposable;

  constructor(limits: DocumentLimits = defaultLimits) {
    super();
    this.#store = new DocumentStore(limits);
    this.#registration = vscode.workspace.registerFileSystemProvider(VIEW_SCHEME, this, {
      isCaseSensitive: true,
      isReadonly: new vscode.MarkdownString('This is shown by MCP Host and is read-only.'),
    });
  }

  dispose(): void {
    this.#registration.dispose();
    this.#onDidChangeFile.dispose();
  }

  /**
   * Shows a text as a document, or bytes in the editor's viewer for them. `name` is a path whose last part
   * ends in `.txt` or `.jsonc` for a text, and in the ending of its type otherwise.
   */
  async show(name: string, content: string | Uint8Array, options: ShowOptions = {}): Promise<vscode.Uri> {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    const uri = this.keep(name, bytes, options.instead);
    const { viewColumn = vscode.ViewColumn.Active, preserveFocus = false, preview = false } = options;
    const columns = { viewColumn, preserveFocus, preview };
    if (typeof content !== 'string') {
      await vscode.commands.executeCommand('vscode.open', uri, columns);
      return uri;
    }
    // Explicit, because your setting `files.encoding` applies to this file system, too.
    const document = await vscode.workspace.openTextDocument(uri, { encoding: 'utf8' });
    await vscode.window.showTextDocument(await withLanguage(document, options.language), columns);
    return uri;
  }

  /**
   * Keeps bytes as a document without showing it, in place of another one if that is still kept. The same bytes are
   * the same document.
   */
  keep(name: string, bytes: Uint8Array, instead?: vscode.Uri): vscode.Uri {
    const kept = this.#store.paths.find((path) => this.#store.get(path)?.bytes === bytes);
    const isReplaced = instead !== undefined && this.#store.replace(instead.path, bytes);
    const uri = isReplaced ? instead : uriOf(kept ?? this.#store.add(name, bytes));
    // A tab from before a reload may have the same path.
    this.#onDidChangeFile.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    this.#trim();
    return uri;
  }

  /** Keeps a text under a title without showing it, and returns the URI of its document. */
  keepText(title: string, text: string): string {
    return this.keep(`${title.replaceAll('/', '_')}.txt`, new TextEncoder().encode(text)).toString();
  }

  /** The bytes of a document; undefined when it is gone. The same document gives the same object. */
  bytesOf({ path }: vscode.Uri): Uint8Array | undefined {
    return this.#store.get(path)?.bytes;
  }

  /** Rewrites a text wherever it is shown; false when it is no longer kept. */
  replace(uri: vscode.Uri, text: string): boolean {
    const bytes = new TextEncoder().encode(text);
    const before = this.#store.get(uri.path)?.bytes;
    if (!before || Buffer.compare(before, bytes) === 0) {
      return before !== undefined;
    }
    this.#store.replace(uri.path, bytes);
    this.#onDidChangeFile.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    return true;
  }

  /** Shows plain text under a title. */
  showText(title: string, text: string, options: ShowOptions = {}): Promise<vscode.Uri> {
    return this.show(`${title.replaceAll('/', '_')}.txt`, text, options);
  }

  stat({ path }: vscode.Uri): vscode.FileStat {
    const document = this.#store.get(path);
    if (document) {
      return {
        type: vscode.FileType.File,
        ctime: document.mtime,
        mtime: document.mtime,
        size: document.bytes.length,
      };
    }
    const gone = textInstead(path);
    if (gone) {
      return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: gone.length };
    }
    if (this.#store.list(path)) {
      return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
    throw notFound();
  }

  readFile({ path }: vscode.Uri): Uint8Array {
    const document = this.#store.get(path);
    if (document) {
      return document.bytes;
    }
    // After a reload of the window the tab is still there, and shows what happened.
    const gone = textInstead(path);
    if (gone) {
      return gone;
    }
    throw notFound();
  }

  readDirectory({ path }: vscode.Uri): [string, vscode.FileType][] {
    const entries = this.#store.list(path);
    if (!entries) {
      throw notFound();
    }
    return [...entries].map(([name, kind]) => [
      name,
      kind === 'folder' ? vscode.FileType.Directory : vscode.FileType.File,
    ]);
  }

  #trim(): void {
    const open = openPaths();
    const dropped = this.#store.trim((path) => open.has(path));
    if (dropped.length > 0) {
      this.#onDidChangeFile.fire(
        dropped.map((path) => ({ type: vscode.FileChangeType.Deleted, uri: uriOf(path) })),
      );
    }
  }
}

function uriOf(path: string): vscode.Uri {
  return vscode.Uri.from({ scheme: VIEW_SCHEME, path });
}

/** What a restored tab shows instead of a text that is gone; in JSON it is a comment. */
function textInstead(path: string): Uint8Array | undefined {
  if (path.startsWith(`/${LAST_SEEN}/`)) {
    return isBinaryName(path) ? undefined : new TextEncoder().encode(`${HAS_GONE}\n`);
  }
  return TEXT_PATH.test(path) ? new TextEncoder().encode(`// ${HAS_GONE} ${RUN_AGAIN}\n`) : undefined;
}

function notFound(): vscode.FileSystemError {
  return vscode.FileSystemError.FileNotFound(`${HAS_GONE} ${RUN_AGAIN}`);
}

async function withLanguage(
  document: vscode.TextDocument,
  language: string | undefined,
): Promise<vscode.TextDocument> {
  const known = language === undefined ? [] : await vscode.languages.getLanguages();
  return language !== undefined && known.includes(language)
    ? vscode.languages.setTextDocumentLanguage(document, language)
    : document;
}

/** The paths that tabs show: the tab of a viewer is not a text document. */
function openPaths(): ReadonlySet<string> {
  const uris = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) => {
      if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) {
        return [input.uri];
      }
      return input instanceof vscode.TabInputTextDiff ? [input.original, input.modified] : [];
    });
  return new Set(uris.filter(({ scheme }) => scheme === VIEW_SCHEME).map(({ path }) => path));
}
