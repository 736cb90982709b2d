import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { curlCommand } from '../../host/traffic/httpExchange.ts';
import { relatedTo, sentAgain } from '../../host/traffic/sentAgain.ts';
import type { TrafficMessage } from '../../host/traffic/trafficEntry.ts';
import { numberOnLine } from '../../host/traffic/trafficLine.ts';
import { commandTo } from '../commands/commandList.ts';
import { registerCommands, runCommand } from '../commands/commands.ts';
import { lensAt } from '../commands/lensAt.ts';
import { confirmDone } from '../messages/notifications.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import type { RequestPanels } from '../requestForms/requestPanels.ts';
import type { ContextKeys } from '../workspace/contextKeys.ts';
import { compareRecordings, exportRecording } from './recordings.ts';
import { ShownTraffic, type ShownServer } from './shownTraffic.ts';
import { pickTrafficFilter } from './trafficFilters.ts';
import { entryUri, placeIn, TRAFFIC_SCHEME } from './trafficUris.ts';

const LANGUAGE = 'mcp-host-traffic';

export interface TrafficDependencies {
  readonly host: McpHost;
  readonly panels: RequestPanels;
  readonly contextKeys: ContextKeys;
  readonly viewDocuments: ViewDocuments;
}

/** "Show Traffic": the list of what goes over the wire, its entries as documents, and what can be done with them. */
export class TrafficDocuments
  implements vscode.CodeLensProvider, vscode.DefinitionProvider, vscode.Disposable
{
  readonly #panels: RequestPanels;
  readonly #contextKeys: ContextKeys;
  readonly #store = new DisposableStore();
  readonly #shown: ShownTraffic;
  /** Lists whose end is in sight, which stays so when they grow. */
  readonly #atEnd = new WeakSet<vscode.TextEditor>();

  constructor({ host, panels, contextKeys, viewDocuments }: TrafficDependencies) {
    this.#panels = panels;
    this.#contextKeys = contextKeys;
    this.#shown = this.#store.add(new ShownTraffic(host));
    const selector = { scheme: TRAFFIC_SCHEME };
    this.#store.add(vscode.languages.registerCodeLensProvider(selector, this));
    this.#store.add(vscode.languages.registerDefinitionProvider(selector, this));
    this.#store.add(vscode.workspace.onDidOpenTextDocument((document) => void setLanguage(document)));
    vscode.workspace.textDocuments.forEach((document) => void setLanguage(document));
    this.#store.add(
      vscode.window.onDidChangeTextEditorVisibleRanges(({ textEditor }) => this.#look(textEditor)),
    );
    this.#store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.#reveal(document)));
    this.#store.add(vscode.window.onDidChangeActiveTextEditor(() => this.#updateKeys()));
    this.#store.add(
      registerCommands({
        showTraffic: async (id) => {
          const server = host.server(id);
          if (server) {
            await this.#show(server);
          }
        },
        filterTraffic: (uri) => this.#onList(uri, (shown) => this.#filter(shown)),
        pauseTraffic: (uri) => this.#onList(uri, ({ list }) => (list.isPaused = true)),
        resumeTraffic: (uri) => this.#onList(uri, ({ list }) => (list.isPaused = false)),
        clearTraffic: (uri) => this.#onList(uri, ({ recorder }) => recorder.clear()),
        recordTraffic: (uri) => this.#onList(uri, (shown) => (shown.inBackground = true)),
        stopRecordingTraffic: (uri) => this.#onList(uri, (shown) => (shown.inBackground = false)),
        exportRecording: async (uri) => {
          const shown = this.#shownAt(uri);
          await (shown && exportRecording(shown));
        },
        compareRecordings: async (uri, selected) => {
          // From the title of an editor, the second argument is its group.
          const [first, second] = Array.isArray(selected) ? (selected as vscode.Uri[]) : [chosenUri(uri)];
          await (first && compareRecordings(viewDocuments, this.#shown.serverOf(first) ?? first, second));
        },
        openTrafficEntry: async (uri) => {
          await vscode.window.showTextDocument(uri);
        },
        sendAgain: (uri) => this.#sendAgain(uri),
        copyAsJsonRpc: (uri) => this.#copy(uri, 'Copied the message', ({ json }) => json),
        copyAsCurl: (uri) =>
          this.#copy(uri, 'Copied the command', ({ exchange, json }) =>
            exchange && json !== undefined ? curlCommand(exchange, json) : undefined,
          ),
      }),
    );
    this.#updateKeys();
  }

  dispose(): void {
    this.#store.dispose();
  }

  provideDefinition(document: vscode.TextDocument, at: vscode.Position): vscode.DefinitionLink[] {
    const { uri } = document;
    const line = document.lineAt(at.line);
    const entry = this.#shown.entryOf(uri);
    const number = entry ? entry.kind === 'message' && relatedTo(entry)?.number : numberOnLine(line.text);
    return typeof number === 'number'
      ? [
          {
            originSelectionRange: line.range,
            targetUri: entryUri(uri, number),
            targetRange: new vscode.Range(0, 0, 0, 0),
          },
        ]
      : [];
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const entry = this.#shown.entryOf(uri);
    if (entry?.kind !== 'message') {
      return [];
    }
    const related = relatedTo(entry);
    const commands = [
      ...(related
        ? [commandTo('openTrafficEntry', `$(arrow-swap) ${related.title}`, entryUri(uri, related.number))]
        : []),
      ...(sentAgain(entry) ? [commandTo('sendAgain', '$(debug-rerun) Send Again…', uri)] : []),
      ...(entry.json === undefined ? [] : [commandTo('copyAsJsonRpc', '$(copy) Copy as JSON-RPC', uri)]),
      ...(entry.exchange && entry.json !== undefined
        ? [commandTo('copyAsCurl', '$(terminal) Copy as cURL', uri)]
        : []),
    ];
    return commands.map((command) => lensAt(0, command));
  }

  async #show(server: HostServer): Promise<void> {
    const { uri } = this.#shown.begin(server);
    const document = await vscode.workspace.openTextDocument(uri, { encoding: 'utf8' });
    await vscode.window.showTextDocument(document, { preview: false });
  }

  #shownAt(given: unknown): ShownServer | undefined {
    const uri = chosenUri(given);
    return uri && this.#shown.serverOf(uri);
  }

  /** Changes the list of a document. */
  async #onList(given: unknown, change: (shown: ShownServer) => unknown): Promise<void> {
    const shown = this.#shownAt(given);
    if (shown) {
      await change(shown);
      this.#shown.update(shown);
      this.#updateKeys();
    }
  }

  async #filter({ recorder, list }: ShownServer): Promise<void> {
    const filter = await pickTrafficFilter(recorder.entries, list.filter);
    if (filter) {
      list.filter = filter;
    }
  }

  async #sendAgain(uri: vscode.Uri): Promise<void> {
    const entry = this.#shown.entryOf(uri);
    const again = entry?.kind === 'message' ? sentAgain(entry) : undefined;
    const server = placeIn(uri)?.id;
    if (!again || server === undefined) {
      return;
    }
    if (again.kind === 'resource') {
      await runCommand('openResource', { address: { serverId: server, uri: again.uri } });
    } else {
      const { kind, name, args } = again;
      this.#panels.open({ kind, server, name }, { args, runs: false });
    }
  }

  async #copy(
    uri: vscode.Uri,
    done: string,
    textOf: (entry: TrafficMessage) => string | undefined,
  ): Promise<void> {
    const entry = this.#shown.entryOf(uri);
    const text = entry?.kind === 'message' ? textOf(entry) : undefined;
    if (text !== undefined) {
      await vscode.env.clipboard.writeText(text);
      confirmDone(done);
    }
  }

  #look(editor: vscode.TextEditor): void {
    if (isList(editor.document.uri)) {
      const end = editor.visibleRanges.at(-1)?.end.line ?? 0;
      if (end >= editor.document.lineCount - 2) {
        this.#atEnd.add(editor);
      } else {
        this.#atEnd.delete(editor);
      }
    }
  }

  #reveal(document: vscode.TextDocument): void {
    if (!isList(document.uri)) {
      return;
    }
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document === document && this.#atEnd.has(editor)) {
        const end = document.lineCount - 1;
        editor.revealRange(new vscode.Range(end, 0, end, 0));
      }
    }
  }

  #updateKeys(): void {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const shown = uri && isList(uri) ? this.#shown.serverOf(uri) : undefined;
    this.#contextKeys.set('mcpHost.isTrafficPaused', shown?.list.isPaused === true);
    this.#contextKeys.set('mcpHost.isTrafficRecorded', shown?.inBackground === true);
  }
}

/** What a command was called on; from the title of an editor, the active document. */
function chosenUri(given: unknown): vscode.Uri | undefined {
  return given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
}

function isList(uri: vscode.Uri): boolean {
  const place = placeIn(uri);
  return place !== undefined && place.number === undefined;
}

/** The name of a list says no language, and no setting of yours for other files applies to it. */
async function setLanguage(document: vscode.TextDocument): Promise<void> {
  if (isList(document.uri) && document.languageId !== LANGUAGE) {
    await vscode.languages.setTextDocumentLanguage(document, LANGUAGE);
  }
}
