import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { realPathOf } from '../../base/files/realPathOf.ts';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import type { Event } from '../../base/lifetime/event.ts';
import { Gathered } from '../../base/time/gathered.ts';
import { copilotFile } from '../../host/config/import/copilotFile.ts';
import { layerOf, readDefinitions, type DefinitionLayer } from '../../host/config/readDefinitions.ts';
import { requestTimeout } from '../../host/config/requestTimeout.ts';
import type { DefinitionOrigin, DefinitionReading } from '../../host/config/serverDefinition.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import {
  settings,
  withValues,
  type ChatSettings,
  type GateSettings,
  type HostSettings,
} from '../../host/config/settings.ts';
import { workspaceFolders } from './workspace.ts';

/** The place of definitions in the user settings. No stable API gives their path. */
export const userSettingsPlace = 'settings:user';

/** Milliseconds without another change before the definitions are read again, and at most from the first change on. */
const QUIET_MS = 50;
const LATEST_MS = 500;

/** The values of the settings, read at the moment of use. */
export const hostSettings: HostSettings = withValues(settings.host, configured, {
  onDidChange: whenChanged(settings.host.rootsDefault.name),
  requestTimeout: ({ scope, folder }: DefinitionOrigin) =>
    requestTimeout(inspect('requestTimeout', folder && vscode.Uri.parse(folder.uri)), scope),
});

export const gateSettings: GateSettings = withValues(settings.gate, configured, {
  onDidChange: whenChanged(...Object.values(settings.gate).map(({ name }) => name)),
});

export const chatSettings: ChatSettings = withValues(settings.chat, configured, {});

const definitionSettings = withValues(settings.definitions, configured, {});

/** What the editor has under a name: a written value, even if package.json excludes it, or else the default. */
function configured(name: string): unknown {
  return vscode.workspace.getConfiguration('mcpHost').get<unknown>(name);
}

function whenChanged(...names: readonly string[]): Event<void> {
  return (listener) =>
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (names.some((name) => event.affectsConfiguration(`mcpHost.${name}`))) {
        listener();
      }
    });
}

/** Copilot's file as a source of servers, whether or not it is there. */
export interface CopilotSource {
  /** `mcpHost.copilotServers`, which no workspace can set. */
  readonly isOn: boolean;
  readonly origin: DefinitionOrigin;
  readonly refusal?: string;
}

/** As it is now: the folders that are open decide, too. */
export function copilotSource(): CopilotSource {
  const machine = { home: homedir(), platform: process.platform, env: process.env };
  const { path, ...refused } = copilotFile(machine, (vscode.workspace.workspaceFolders ?? []).map(asFolder));
  return {
    isOn: definitionSettings.copilotServers,
    origin: { scope: 'user', format: 'mcpJson', place: vscode.Uri.file(path).toString() },
    ...refused,
  };
}

/** Calls back when a file, or one of the workspace that fits a pattern, appears, changes or goes. */
export function watchFiles(what: vscode.Uri | string, listener: () => void): Disposable {
  const watcher = vscode.workspace.createFileSystemWatcher(
    typeof what === 'string'
      ? what
      : new vscode.RelativePattern(vscode.Uri.joinPath(what, '..'), what.path.split('/').at(-1) ?? ''),
  );
  watcher.onDidCreate(listener);
  watcher.onDidChange(listener);
  watcher.onDidDelete(listener);
  return watcher;
}

/**
 * Reads the definitions of each layer, now and whenever one changes. Layers are never merged: otherwise a workspace
 * could add its arguments to the user's command.
 */
export class DefinitionsWatcher implements Disposable {
  readonly #store = new DisposableStore();
  readonly #onRead: (reading: DefinitionReading) => void;
  readonly #watchers = new Map<string, Disposable>();
  readonly #changes = this.#store.add(new Gathered(LATEST_MS, () => this.#read(), QUIET_MS));
  #reading: Promise<void> = Promise.resolve();

  constructor(onRead: (reading: DefinitionReading) => void) {
    this.#onRead = onRead;
    const changed = (): void => this.#changes.soon();
    this.#store.add(whenChanged('servers', 'inputs', settings.definitions.copilotServers.name)(changed));
    this.#store.add(workspaceFolders.onDidChange(changed));
    this.#read();
  }

  dispose(): void {
    this.#store.dispose();
    this.#watchers.forEach((watcher) => watcher.dispose());
    this.#watchers.clear();
  }

  #watchFiles(): void {
    const wanted = new Set(fileOrigins().flatMap(watchedPlaces));
    for (const [place, watcher] of this.#watchers) {
      if (!wanted.has(place)) {
        watcher.dispose();
        this.#watchers.delete(place);
      }
    }
    for (const place of wanted) {
      if (!this.#watchers.has(place)) {
        this.#watchers.set(
          place,
          watchFiles(vscode.Uri.parse(place), () => this.#changes.soon()),
        );
      }
    }
  }

  /** Readings run one after the other, so that an older one never ends last. */
  #read(): void {
    this.#watchFiles();
    this.#reading = this.#reading.then(async () => {
      const layers = [...settingsLayers(), ...(await Promise.all(fileOrigins().map(fileLayers))).flat()];
      if (!this.#store.isDisposed) {
        this.#onRead(readDefinitions(layers));
      }
    });
  }
}

function settingsLayers(): DefinitionLayer[] {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const origins: readonly DefinitionOrigin[] = [
    { scope: 'user', format: 'settings', place: userSettingsPlace },
    ...(workspaceFile
      ? [{ scope: 'workspace', format: 'settings', place: workspaceFile.toString() } as const]
      : []),
    ...workspaceFolders.map((folder) => {
      const place = vscode.Uri.joinPath(folder.uri, '.vscode', 'settings.json').toString();
      return { scope: 'folder', format: 'settings', place, folder: asFolder(folder) } as const;
    }),
  ];
  return origins
    .map((origin) => ({ origin, ...settingsNow(origin) }))
    .filter(({ servers, inputs }) => servers !== undefined || inputs !== undefined);
}

/** The editor's current values of one layer of the settings, which may be older than the file. */
export function settingsNow({ scope, folder }: DefinitionOrigin): {
  readonly servers: unknown;
  readonly inputs: unknown;
} {
  const valueOf = (key: string): unknown => {
    const values = inspect(key, folder && vscode.Uri.parse(folder.uri));
    switch (scope) {
      case 'user':
        return values?.globalValue;
      case 'workspace':
        return values?.workspaceValue;
      case 'folder':
        return values?.workspaceFolderValue;
      case 'extension':
        return undefined;
    }
  };
  return { servers: valueOf('servers'), inputs: valueOf('inputs') };
}

function inspect(key: string, folder?: vscode.Uri) {
  return vscode.workspace.getConfiguration('mcpHost', folder).inspect<unknown>(key);
}

function fileOrigins(): readonly DefinitionOrigin[] {
  const { isOn, origin } = copilotSource();
  const inFolders = (vscode.workspace.workspaceFolders ?? []).map((folder): DefinitionOrigin => {
    const place = vscode.Uri.joinPath(folder.uri, '.mcp.json').toString();
    return { scope: 'folder', format: 'mcpJson', place, folder: asFolder(folder) };
  });
  return [...(isOn ? [origin] : []), ...inFolders];
}

/** Copilot's file may be a link, which doesn't change when the file behind it does. */
function watchedPlaces({ scope, place }: DefinitionOrigin): readonly string[] {
  const real = (): string => vscode.Uri.file(realPathOf(vscode.Uri.parse(place).fsPath)).toString();
  return scope === 'user' ? [place, real()] : [place];
}

/** One layer, or none if there is no file. */
async function fileLayers(origin: DefinitionOrigin): Promise<readonly DefinitionLayer[]> {
  const { refusal } = copilotSource();
  if (origin.scope === 'user' && refusal !== undefined) {
    return [{ origin, refused: refusal }];
  }
  const uri = vscode.Uri.parse(origin.place);
  try {
    const stat = async () => {
      const { type, size, mtime } = await vscode.workspace.fs.stat(uri);
      return { isRegular: (type & vscode.FileType.File) !== 0, size, mtime };
    };
    return [await layerOf(origin, { stat, read: () => vscode.workspace.fs.readFile(uri) })];
  } catch (error) {
    const isMissing = error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
    return isMissing ? [] : [{ origin, unreadable: messageOf(error) }];
  }
}

function asFolder({ uri, name }: vscode.WorkspaceFolder): { readonly uri: string; readonly name: string } {
  return { uri: uri.toString(), name };
}
