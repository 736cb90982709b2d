import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { Gathered } from '../../base/time/gathered.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { trafficDocument } from '../../host/traffic/trafficDocument.ts';
import type { TrafficEntry } from '../../host/traffic/trafficEntry.ts';
import { TrafficList } from '../../host/traffic/trafficList.ts';
import type { TrafficRecorder } from '../../host/traffic/trafficRecorder.ts';
import { ReadonlyFiles } from '../documents/readonlyFiles.ts';
import { documentsOf } from '../resources/openDocuments.ts';
import { TrafficDiagnostics } from './trafficDiagnostics.ts';
import { listUri, placeIn, TRAFFIC_SCHEME } from './trafficUris.ts';

/** Milliseconds between two changes of a list. */
const UPDATE_MS = 250;
const GONE = '// This is no longer kept.\n';

/** The traffic of one server, while a tab shows it or it is recorded in the background. */
export interface ShownServer {
  readonly server: HostServer;
  readonly uri: vscode.Uri;
  readonly recorder: TrafficRecorder;
  readonly list: TrafficList;
  /** Whether it is recorded although no tab shows the list. */
  inBackground: boolean;
}

interface Kept extends ShownServer {
  readonly store: DisposableStore;
  readonly updating: Gathered;
  recording: Disposable | undefined;
  bytes: Uint8Array;
  mtime: number;
  /** Whether the editor has read these bytes; the next change waits for it: of two at once it would not see which lines stayed. */
  isRead: boolean;
}

/**
 * The documents with the traffic of servers: a list of each, and its entries. They are files, not virtual documents, so
 * that cursor and selection stay when a list grows. A server is recorded while a tab shows its list.
 */
export class ShownTraffic extends ReadonlyFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #host: McpHost;
  readonly #kept = new Map<ServerId, Kept>();
  readonly #store = new DisposableStore();
  readonly #onDidChangeFile = this.#store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile = this.#onDidChangeFile.event;
  readonly #diagnostics = this.#store.add(new TrafficDiagnostics());
  readonly #following = this.#store.add(new Gathered(UPDATE_MS, () => this.#follow()));

  constructor(host: McpHost) {
    super();
    this.#host = host;
    this.#store.add(
      vscode.workspace.registerFileSystemProvider(TRAFFIC_SCHEME, this, {
        isCaseSensitive: true,
        isReadonly: new vscode.MarkdownString('This is recorded by MCP Host and is read-only.'),
      }),
    );
    this.#store.add(vscode.window.tabGroups.onDidChangeTabs(() => this.#following.soon()));
    // A line has moved when others were dropped.
    this.#store.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const place = placeIn(document.uri);
        const kept = place && this.#kept.get(place.id);
        if (kept && place.number === undefined) {
          this.#showFaults(kept);
        }
      }),
    );
    // Tabs from before a reload are there before the servers are known.
    this.#store.add(host.onDidChangeServers(() => this.#follow()));
    this.#follow();
  }

  dispose(): void {
    this.#kept.forEach((_, id) => this.#forget(id));
    this.#store.dispose();
  }

  /** Begins to record a server, for a document that is about to be opened. */
  begin(server: HostServer): ShownServer {
    const { id } = server.connection.definition;
    const kept = this.#kept.get(id) ?? this.#keep(id, server);
    kept.recording ??= kept.recorder.record();
    return kept;
  }

  /** What a document belongs to; undefined for another document, and if it is no longer kept. */
  serverOf(uri: vscode.Uri): ShownServer | undefined {
    const place = placeIn(uri);
    return place && this.#kept.get(place.id);
  }

  /** The entry that a document shows. */
  entryOf(uri: vscode.Uri): TrafficEntry | undefined {
    const number = placeIn(uri)?.number;
    return number === undefined ? undefined : this.serverOf(uri)?.recorder.get(number);
  }

  /** Shows in the list what has changed. Call after its filter, or whether it is paused, has changed. */
  update({ server }: ShownServer): void {
    const kept = this.#kept.get(server.connection.definition.id);
    if (kept) {
      kept.list.update();
      this.#changed(kept);
      this.#follow();
    }
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const place = placeIn(uri);
    const kept = place && this.#kept.get(place.id);
    const [mtime, bytes] =
      kept && place.number === undefined ? [kept.mtime, kept.bytes] : [1, this.readFile(uri)];
    return { type: vscode.FileType.File, ctime: 0, mtime, size: bytes.length };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const place = placeIn(uri);
    const kept = place && this.#kept.get(place.id);
    if (place && kept && place.number === undefined) {
      kept.isRead = true;
      // What came meanwhile: what was removed and what is new are two changes.
      kept.updating.soon();
      return kept.bytes;
    }
    const entry = this.entryOf(uri);
    return new TextEncoder().encode(entry && kept ? trafficDocument(entry, kept.server.label) : GONE);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  #keep(id: ServerId, server: HostServer): Kept {
    const { label, connection } = server;
    const recorder = connection.traffic;
    const list = new TrafficList(recorder, label);
    const store = new DisposableStore();
    const updating = store.add(
      new Gathered(UPDATE_MS, () => {
        if (kept.isRead && list.update()) {
          this.#changed(kept);
        } else {
          this.#showFaults(kept);
        }
      }),
    );
    const kept: Kept = {
      server,
      uri: listUri(id, label),
      recorder,
      list,
      inBackground: false,
      store,
      updating,
      recording: undefined,
      bytes: new TextEncoder().encode(list.text),
      mtime: Date.now(),
      isRead: false,
    };
    store.add(recorder.onDidChange(() => updating.soon()));
    this.#kept.set(id, kept);
    return kept;
  }

  #showFaults({ uri, recorder }: Kept): void {
    const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
    if (document) {
      this.#diagnostics.show(document, recorder.entries);
    }
  }

  #changed(kept: Kept): void {
    kept.bytes = new TextEncoder().encode(kept.list.text);
    kept.mtime = Math.max(Date.now(), kept.mtime + 1);
    kept.isRead = false;
    this.#onDidChangeFile.fire([{ type: vscode.FileChangeType.Changed, uri: kept.uri }]);
  }

  /** Records what tabs show, and forgets what no tab shows. */
  #follow(): void {
    const places = vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs.flatMap(documentsOf))
      .flatMap((uri) => placeIn(uri) ?? []);
    const lists = new Set(places.filter(({ number }) => number === undefined).map(({ id }) => id));
    for (const id of lists) {
      const server = this.#host.server(id);
      if (server && this.#kept.get(id)?.recorder !== server.connection.traffic) {
        this.#forget(id);
        this.#changed(this.begin(server) as Kept);
      }
    }
    for (const [id, kept] of this.#kept) {
      const isGone = !this.#host.server(id);
      if (!isGone && (lists.has(id) || kept.inBackground)) {
        kept.recording ??= kept.recorder.record();
        continue;
      }
      kept.recording?.dispose();
      kept.recording = undefined;
      if (!places.some((place) => place.id === id)) {
        this.#forget(id);
      }
    }
  }

  #forget(id: ServerId): void {
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    kept?.recording?.dispose();
    kept?.store.dispose();
    if (kept) {
      this.#diagnostics.forget(kept.uri);
    }
    kept?.recorder.clear();
  }
}
