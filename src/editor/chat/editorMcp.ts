import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import { Gathered } from '../../base/time/gathered.ts';
import { isRecord } from '../../base/values/record.ts';
import {
  editorServers,
  editorTwin,
  serversInText,
  type EditorConfiguration,
  type EditorServer,
} from '../../host/config/import/editorServers.ts';
import { isInUserSettings, type ServerDefinition } from '../../host/config/serverDefinition.ts';
import type { WorkspaceFolder } from '../../host/folders/sharedRoot.ts';
import { copilotSource, watchFiles } from '../workspace/configuration.ts';
import { placeText } from '../messages/words.ts';
import type { Twin } from './agentModeState.ts';
import { workspaceFolders } from '../workspace/workspace.ts';

/** Milliseconds for which changes of files are gathered. */
const SETTLE_MS = 50;
const MAX_BYTES = 1024 * 1024;
/** The editor's switch for servers of a `.mcp.json`. */
const ROOT_CONFIG = 'chat.mcp.workspaceRootConfig.enabled';

/**
 * The servers that the editor's own MCP configuration runs, as far as an extension can read it: each folder's
 * `.vscode/mcp.json`, its `.mcp.json` and Copilot's file where the editor runs those, and the section `mcp` of the settings.
 */
export class EditorMcp implements Disposable {
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  readonly #store = new DisposableStore();
  readonly #readSoon = this.#store.add(new Gathered(SETTLE_MS, () => this.#readNow()));
  #reading: Promise<void> = Promise.resolve();
  #servers: readonly EditorServer[] = [];

  constructor() {
    const copilots = vscode.Uri.parse(copilotSource().origin.place);
    for (const file of ['**/.vscode/mcp.json', '**/.mcp.json', copilots]) {
      this.#store.add(watchFiles(file, () => this.#readSoon.soon()));
    }
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('chat.mcp') || event.affectsConfiguration('mcp')) {
          this.#readSoon.soon();
        }
      }),
    );
    this.#store.add(workspaceFolders.onDidChange(() => this.#readSoon.soon()));
    this.#readNow();
  }

  /** The same server as the editor runs it, or as Copilot does that is defined in its file. */
  twinOf(definition: ServerDefinition): Twin | undefined {
    const twin = editorTwin(definition, this.#servers, places());
    if (twin) {
      return { ...twin, by: 'editor' };
    }
    const { origin } = definition;
    return origin.scope === 'user' && !isInUserSettings(origin)
      ? { by: 'copilot', place: placeText(origin), file: origin.place }
      : undefined;
  }

  /** Reads what is there now: the editor may not have reported yet that a file has changed. */
  read(): Promise<void> {
    this.#readNow();
    return this.#reading;
  }

  dispose(): void {
    this.#store.dispose();
    this.#onDidChange.dispose();
  }

  /** One reading after the other, so that an older one never comes last. */
  #readNow(): void {
    this.#reading = this.#reading.then(async () => {
      const inFolders = await Promise.all(workspaceFolders.folders.map(filesOf));
      const found = [...inFolders.flat(), ...inSections(), ...(await inCopilotsFile())];
      const servers = editorServers(found, places());
      if (!this.#store.isDisposed && JSON.stringify(servers) !== JSON.stringify(this.#servers)) {
        this.#servers = servers;
        this.#onDidChange.fire();
      }
    });
  }
}

function places() {
  return { folders: workspaceFolders.folders, home: homedir() };
}

/** The editor also shows its `mcp.json` files as a section of the settings, without naming the file. */
function inSections(): readonly EditorConfiguration[] {
  const section = vscode.workspace.getConfiguration('mcp').inspect<unknown>('servers');
  return [
    { place: 'your own MCP configuration', scope: 'user', servers: section?.globalValue },
    { place: "the workspace's MCP configuration", scope: 'workspace', servers: section?.workspaceValue },
  ];
}

async function filesOf(folder: WorkspaceFolder): Promise<readonly EditorConfiguration[]> {
  const uri = vscode.Uri.parse(folder.uri);
  const isRootRun = vscode.workspace.getConfiguration(undefined, uri).get(ROOT_CONFIG) === true;
  const files = ['.vscode/mcp.json', ...(isRootRun ? ['.mcp.json'] : [])];
  return Promise.all(
    files.map(async (file): Promise<EditorConfiguration> => {
      const inFolder = vscode.Uri.joinPath(uri, file);
      const servers = serversInText(await textOf(inFolder), file === '.mcp.json');
      const place = `${folder.name}/${file}`;
      return { place, file: inFolder.toString(), scope: 'folder', folder, servers };
    }),
  );
}

/** Copilot's file, where the editor looks for it. */
async function inCopilotsFile(): Promise<readonly EditorConfiguration[]> {
  const discovery = vscode.workspace.getConfiguration('chat.mcp.discovery').get<unknown>('enabled');
  if (discovery !== true && !(isRecord(discovery) && discovery['copilot'] === true)) {
    return [];
  }
  const { origin } = copilotSource();
  const servers = serversInText(await textOf(vscode.Uri.parse(origin.place)), true);
  return [{ place: placeText(origin), file: origin.place, scope: 'user', servers }];
}

/** Empty if there is no such file or it cannot be read: then the editor doesn't run anything from it either. */
async function textOf(uri: vscode.Uri): Promise<string> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    // Reading a FIFO would never end.
    const isRead = (type & vscode.FileType.File) !== 0 && size <= MAX_BYTES;
    return isRead ? new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)) : '';
  } catch {
    return '';
  }
}
