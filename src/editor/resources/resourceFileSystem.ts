import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import type { IncreasingTime } from '../../base/time/increasingTime.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { isBinaryName } from '../../host/resources/mimeNames.ts';
import {
  placedResource,
  RESOURCE_SCHEME,
  type PlacedResource,
  type ResourceAddress,
} from '../../host/resources/resourceAddress.ts';
import { resourceFileAt, type ResourceFile } from '../../host/resources/resourceFiles.ts';
import type { ResourceReader, ResourceSnapshot } from '../../host/resources/resourceReader.ts';
import { settledServer } from '../../host/resources/settledServer.ts';
import { ReadonlyFiles } from '../documents/readonlyFiles.ts';
import { shownDocuments } from './openDocuments.ts';
import type { ReadableResources } from './readableResources.ts';
import type { ResourceUris } from './resourceUris.ts';
import {
  contentGone,
  notGiven,
  serverNotRunning,
  troubleDocument,
  troubleSentence,
  unknownServer,
  type Trouble,
} from './troubleText.ts';

/** Milliseconds that a document waits for a server that is starting. */
const START_MS = 5_000;
/** Milliseconds after which a failed read is tried again: `stat` and `readFile` share one failure. */
const FAILURE_MS = 2_000;
/** Failures that are remembered. */
const MAX_FAILURES = 500;

interface Failure {
  readonly trouble: Trouble;
  readonly mtime: number;
  /** When it is tried again, in milliseconds since the epoch. */
  readonly until: number;
}

type Found = { readonly mtime: number; readonly file: ResourceFile };

export interface ResourceFileSystemContext {
  readonly host: McpHost;
  readonly uris: ResourceUris;
  readonly reader: ResourceReader;
  readonly readable: ReadableResources;
  /** The reader uses the same. */
  readonly time: IncreasingTime;
}

/**
 * The resources of all servers as read-only files. A text that cannot be shown is replaced by the reason, and comes
 * back automatically: the editor's own error page would do neither. Bytes fail instead. What you have not opened
 * cannot be read.
 */
export class ResourceFileSystem extends ReadonlyFiles implements vscode.FileSystemProvider, Disposable {
  readonly #onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#onDidChangeFile.event;
  readonly #context: ResourceFileSystemContext;
  readonly #failures = new Map<string, Failure>();
  readonly #store = new DisposableStore();
  readonly #createdAt = Date.now();

  constructor(context: ResourceFileSystemContext) {
    super();
    this.#context = context;
    this.#store.add(this.#onDidChangeFile);
    this.#store.add(
      vscode.workspace.registerFileSystemProvider(RESOURCE_SCHEME, this, {
        isCaseSensitive: true,
        isReadonly: new vscode.MarkdownString(
          "This shows what an MCP server offers. It can't be changed here.",
        ),
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Makes the editor read these documents again. */
  changed(uris: readonly vscode.Uri[]): void {
    for (const uri of uris) {
      const failure = this.#failures.get(uri.toString());
      if (failure) {
        this.#failures.set(uri.toString(), { ...failure, until: 0 });
      }
    }
    if (uris.length > 0) {
      this.#onDidChangeFile.fire(uris.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
    }
  }

  /** Whether a document shows why it has no resource. */
  isInTrouble(uri: vscode.Uri): boolean {
    return this.#failures.has(uri.toString());
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { mtime, file } = await this.#find(uri);
    return file.kind === 'file'
      ? { type: vscode.FileType.File, ctime: 0, mtime, size: file.bytes.length }
      : { type: vscode.FileType.Directory, ctime: 0, mtime, size: 0 };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { file } = await this.#find(uri);
    if (file.kind !== 'file') {
      throw vscode.FileSystemError.FileIsADirectory(uri);
    }
    return file.bytes;
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    const { file } = await this.#find(uri);
    if (file.kind !== 'folder') {
      throw vscode.FileSystemError.FileNotADirectory(uri);
    }
    return file.names.map((name) => [name, vscode.FileType.File]);
  }

  async #find(uri: vscode.Uri): Promise<Found> {
    const placed = placedResource(uri.path);
    if (!placed) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    await this.#context.readable.readable(uri);
    const failure = this.#failures.get(uri.toString());
    if (failure && Date.now() < failure.until) {
      return foundInstead(uri, failure);
    }
    const { host, uris } = this.#context;
    const find = (): HostServer | undefined => uris.serverOf(uri.authority);
    const waitMs = find() ? START_MS : this.#createdAt + START_MS - Date.now();
    const server = await settledServer(host, find, waitMs);
    return server ? this.#fileOf(uri, placed, server) : this.#fail(uri, unknownServer);
  }

  async #fileOf(uri: vscode.Uri, placed: PlacedResource, server: HostServer): Promise<Found> {
    const { definition, state } = server.connection;
    const address = { serverId: definition.id, uri: placed.uri };
    let snapshot: ResourceSnapshot;
    try {
      snapshot = this.#shownNow(uri, address) ?? (await this.#context.reader.read(address));
    } catch (error) {
      return this.#fail(
        uri,
        state.kind === 'running' ? notGiven(server, placed.uri, error) : serverNotRunning(server),
      );
    }
    const name = nameOf(uri);
    const file = resourceFileAt(placed, name, snapshot);
    if (file.kind === 'gone') {
      return this.#fail(uri, contentGone(server, placed.uri, name));
    }
    this.#failures.delete(uri.toString());
    return { mtime: snapshot.mtime, file };
  }

  /** What a tab shows stays until the resource is read again. */
  #shownNow(uri: vscode.Uri, address: ResourceAddress): ResourceSnapshot | undefined {
    const written = uri.toString();
    return shownDocuments().some((one) => one.toString() === written)
      ? this.#context.reader.peek(address)
      : undefined;
  }

  #fail(uri: vscode.Uri, trouble: Trouble): Found {
    const key = uri.toString();
    const before = this.#failures.get(key);
    const isSame = before?.trouble.problem === trouble.problem && before.trouble.advice === trouble.advice;
    const mtime = isSame ? before.mtime : this.#context.time.next();
    const failure = { trouble, mtime, until: Date.now() + FAILURE_MS };
    this.#failures.delete(key);
    this.#failures.set(key, failure);
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > MAX_FAILURES && oldest !== undefined) {
      this.#failures.delete(oldest);
    }
    return foundInstead(uri, failure);
  }
}

/** The text instead of what cannot be shown. */
function foundInstead(uri: vscode.Uri, { trouble, mtime }: Failure): Found {
  const name = nameOf(uri);
  if (isBinaryName(name)) {
    throw vscode.FileSystemError.Unavailable(troubleSentence(trouble));
  }
  const bytes = new TextEncoder().encode(troubleDocument(trouble, name));
  return { mtime, file: { kind: 'file', bytes, mimeType: 'text/plain' } };
}

function nameOf({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
