import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { placedResource } from '../../host/resources/resourceAddress.ts';
import { documentsOf, shownDocuments } from './openDocuments.ts';

/** Milliseconds: the editor reads a document before it reports its tab. */
const TAB_MS = 2_000;

/**
 * The resources that may be read as documents: those that a tab shows, and those that you opened or attached. Any
 * extension can read any URI, and the editor does not say which one does, so reading alone never reaches a server.
 */
export class ReadableResources implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onDidShow = this.#store.add(new vscode.EventEmitter<void>());
  readonly #opened = new Set<string>();
  readonly #attached = new Set<string>();

  constructor() {
    this.#store.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        const gone = closed.flatMap(documentsOf).filter((uri) => !isShown(uri));
        gone.forEach((uri) => this.#opened.delete(keyOf(uri)));
        this.#onDidShow.fire();
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** You open a document: it may be read until its tab is closed. */
  open(uri: vscode.Uri): void {
    this.#opened.add(keyOf(uri));
    this.#onDidShow.fire();
  }

  /** You attach a document to a chat, which reads it when you send your message. */
  attach(uri: vscode.Uri): void {
    this.#attached.add(keyOf(uri));
    this.#onDidShow.fire();
  }

  /** Resolves when the document may be read. @throws FileSystemError `NoPermissions` when it may not. */
  async readable(uri: vscode.Uri): Promise<void> {
    if (!this.#isReadable(uri) && !(await this.#isReadableSoon(uri))) {
      throw vscode.FileSystemError.NoPermissions(
        'Open this resource of an MCP server first: only open resources can be read.',
      );
    }
  }

  #isReadable(uri: vscode.Uri): boolean {
    const key = keyOf(uri);
    return this.#opened.has(key) || this.#attached.has(key) || isShown(uri);
  }

  async #isReadableSoon(uri: vscode.Uri): Promise<boolean> {
    const found = Promise.withResolvers<boolean>();
    const waiting = this.#onDidShow.event(() => {
      if (this.#isReadable(uri)) {
        found.resolve(true);
      }
    });
    const end = new AbortController();
    try {
      return await Promise.race([
        found.promise,
        delay(TAB_MS, false, { signal: end.signal }).catch(() => false),
      ]);
    } finally {
      waiting.dispose();
      end.abort();
    }
  }
}

function isShown(uri: vscode.Uri): boolean {
  const key = keyOf(uri);
  return shownDocuments().some((shown) => keyOf(shown) === key);
}

/** A resource and its contents are one: the server sends them together. */
function keyOf({ authority, path }: vscode.Uri): string {
  return JSON.stringify([authority, placedResource(path)?.uri ?? path]);
}
