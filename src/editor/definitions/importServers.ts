import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { forPlace, renamed } from '../../host/config/edit/fitDraft.ts';
import { launchLabel, secretsIn, withSecretsAsInputs } from '../../host/config/edit/secrets.ts';
import type { ServerDraft } from '../../host/config/edit/serverDraft.ts';
import { firstFree, suggestName } from '../../host/config/edit/suggestName.ts';
import { importLocations, type ImportLocation } from '../../host/config/import/importLocations.ts';
import type { ImportedServer } from '../../host/config/import/mapServer.ts';
import { duplicateOf, readImport } from '../../host/config/import/readImport.ts';
import { launchOf, serverId, type ServerDefinition } from '../../host/config/serverDefinition.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { registerCommand, runCommand } from '../commands/commands.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import type { InputStore } from '../inputs/inputStore.ts';
import { inNotification, inQuickInput } from '../messages/plainText.ts';
import { reportingError } from '../messages/tellFailure.ts';
import { confirmLaunches, type LaunchToConfirm } from './confirmLaunches.ts';
import { askPick, type Frame } from '../quickInput/quickInputs.ts';
import { saveServers } from './saveServers.ts';
import { namesTaken, saveTargets, type SaveTarget } from './saveTargets.ts';
import { startWhenThere } from './startWhenThere.ts';
import type { LaunchQuestion } from '../../host/launch/question/launchQuestion.ts';

export interface ImportServersDependencies {
  readonly host: McpHost;
  readonly viewDocuments: ViewDocuments;
  readonly inputs: InputStore;
  /** Records the answer to the question about a launch: allowed, with these folders, and for chat if you chose that. */
  readonly approve: (question: LaunchQuestion, roots: readonly string[], inChat?: boolean) => Promise<void>;
}

/** What one file contains; `problem` says why it could not be read. */
interface FoundFile {
  readonly location: ImportLocation;
  readonly servers: readonly ImportedServer[];
  readonly problem?: string;
}

interface ServerItem extends vscode.QuickPickItem {
  readonly server?: ImportedServer;
}

/** Registers "Import Servers": adds the servers of other programs after you have seen them. */
export function registerImportServers(dependencies: ImportServersDependencies): Disposable {
  return registerCommand('importServers', () =>
    reportingError('The servers were not imported', () => importServers(dependencies)),
  );
}

async function importServers(dependencies: ImportServersDependencies): Promise<void> {
  const files = await findFiles();
  if (!files.some(({ servers }) => servers.length > 0)) {
    await sayEmpty(files);
    return;
  }
  for (;;) {
    const chosen = await chooseServers(files, dependencies.host);
    if (chosen.length === 0) {
      return;
    }
    if ((await takeOver(chosen, dependencies, true)) !== 'back') {
      return;
    }
  }
}

/** Asks where to save servers, shows their launches in a document and a dialog, and saves them. */
export async function takeOver(
  servers: readonly ImportedServer[],
  { host, viewDocuments, inputs, approve }: ImportServersDependencies,
  canGoBack = false,
): Promise<'done' | 'back'> {
  const target = await chooseTarget(servers, canGoBack);
  if (typeof target === 'string') {
    return target === 'back' ? 'back' : 'done';
  }
  const launches = await prepare(servers, target);
  // What is approved is exactly the launch that was shown.
  const asked = new Map<string, LaunchQuestion>();
  const questionAbout = (definition: ServerDefinition): LaunchQuestion => {
    const key = JSON.stringify([definition.id, launchOf(definition)]);
    const question = asked.get(key) ?? host.questionAbout(definition);
    asked.set(key, question);
    return question;
  };
  const confirmed = await confirmLaunches(launches, target, { viewDocuments, questionAbout });
  if (confirmed === 'cancelled') {
    return 'done';
  }
  const drafts = launches.map(({ draft }) =>
    confirmed === 'start' ? draft : { ...draft, autoStart: false },
  );
  const isSaved = await saveServers(drafts, target, {
    inputs,
    approve: (definition) => {
      const question = questionAbout(definition);
      const proposed = question.folders.filter(({ isProposed }) => isProposed);
      return approve(
        question,
        proposed.map(({ uri }) => uri),
      );
    },
  });
  if (isSaved && confirmed === 'start') {
    const wanted = drafts.filter(({ disabled }) => disabled !== true);
    await Promise.all(wanted.map(({ name }) => startWhenThere(host, serverId(target.origin, name))));
  }
  return 'done';
}

async function findFiles(): Promise<readonly FoundFile[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const machine = { home: homedir(), platform: process.platform, env: process.env };
  const locations = importLocations(
    machine,
    folders.map(({ uri, name }) => ({ uri: uri.toString(), name })),
  );
  const paths = folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
  return Promise.all(locations.map((location) => findIn(location, paths)));
}

async function findIn(location: ImportLocation, folders: readonly string[]): Promise<FoundFile> {
  const { at, dialect } = location;
  const uri =
    at.kind === 'path'
      ? vscode.Uri.file(at.path)
      : vscode.Uri.joinPath(vscode.Uri.parse(at.folder.uri), ...at.relative);
  try {
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    return { location, ...readImport(text, dialect, folders) };
  } catch (error) {
    const isMissing =
      error instanceof vscode.FileSystemError &&
      (error.code === 'FileNotFound' || error.code === 'FileNotADirectory');
    return { location, servers: [], ...(!isMissing && { problem: messageOf(error) }) };
  }
}

async function sayEmpty(files: readonly FoundFile[]): Promise<void> {
  const places = files.map(({ location, problem }) =>
    problem === undefined ? location.label : `${location.label} (${problem})`,
  );
  const add = 'Add Server…';
  const detail = `Looked in:\n${places.map((place) => inNotification(place)).join('\n')}`;
  const chosen = await vscode.window.showInformationMessage(
    'No other program on this machine or in this workspace has MCP servers to import.',
    { modal: true, detail },
    add,
  );
  if (chosen === add) {
    await runCommand('addServer');
  }
}

async function chooseServers(files: readonly FoundFile[], host: McpHost): Promise<readonly ImportedServer[]> {
  const configured = host.servers.map(({ connection }) => connection.definition);
  const frame: Frame = {
    title: 'Import Servers',
    step: 1,
    totalSteps: 2,
    canGoBack: false,
    buttons: [],
    problem: undefined,
  };
  const items = files.flatMap(({ location, servers, problem }): ServerItem[] => {
    if (servers.length === 0 && problem === undefined) {
      return [];
    }
    return [
      { label: inQuickInput(location.label), kind: vscode.QuickPickItemKind.Separator },
      ...servers.map((server) => itemOf(server, configured)),
      ...(problem === undefined
        ? []
        : [{ label: '$(warning) This file could not be read', detail: inQuickInput(problem) }]),
    ];
  });
  const answer = await askPick<ServerItem>(frame, {
    items,
    picked: [],
    placeholder: 'Select servers to import',
    isMany: true,
  });
  return answer.kind === 'accepted'
    ? answer.value.flatMap(({ server }) => (server?.draft ? [server] : []))
    : [];
}

function itemOf(server: ImportedServer, configured: readonly ServerDefinition[]): ServerItem {
  const { name, draft, notes } = server;
  if (!draft) {
    return {
      label: `$(circle-slash) ${inQuickInput(name)}`,
      description: "can't be imported",
      detail: inQuickInput(notes.join(' ')),
    };
  }
  const { launch } = draft;
  const same = duplicateOf(draft, configured);
  const more = [
    ...(secretsIn(launch).length > 0 ? ['Secrets are kept in the secret storage.'] : []),
    ...notes,
  ];
  return {
    label: inQuickInput(name),
    description: [
      ...(same ? [`already configured as ${inQuickInput(same.name)}`] : []),
      inQuickInput(launchLabel(launch), 120),
    ].join(' · '),
    ...(more.length > 0 && { detail: inQuickInput(more.join(' ')) }),
    server,
  };
}

async function chooseTarget(
  servers: readonly ImportedServer[],
  canGoBack: boolean,
): Promise<SaveTarget | 'back' | 'cancelled'> {
  const frame: Frame = {
    title: canGoBack ? 'Import Servers' : 'Add Server',
    step: 2,
    totalSteps: canGoBack ? 2 : 1,
    canGoBack,
    buttons: [],
    problem: undefined,
  };
  const items = saveTargets()
    .filter(({ where }) => servers.every(({ draft }) => draft && typeof forPlace(draft, where) === 'object'))
    .map((target) => ({ label: inQuickInput(target.label), detail: inQuickInput(target.detail), target }));
  const answer = await askPick(frame, {
    items,
    picked: [],
    placeholder: 'Select where to save the servers',
    isMany: false,
  });
  if (answer.kind === 'accepted') {
    return answer.value[0]?.target ?? 'cancelled';
  }
  return answer.kind === 'back' ? 'back' : 'cancelled';
}

/** The servers as they are written: with free names and ids of inputs, and without secrets. */
async function prepare(
  servers: readonly ImportedServer[],
  target: SaveTarget,
): Promise<readonly LaunchToConfirm[]> {
  const taken = await namesTaken(target);
  const names = new Set(taken.servers);
  const ids = new Set(taken.inputs);
  const launches: LaunchToConfirm[] = [];
  for (const { draft, notes } of servers) {
    if (draft) {
      const name = draft.name.trim() === '' ? suggestName(draft.launch, names) : freeName(draft, names);
      const named = { ...draft, name };
      const free = renamed(withSecretsAsInputs(named, secretsIn(draft.launch)), name, ids);
      names.add(free.name);
      free.inputs.forEach(({ id }) => ids.add(id));
      const fitting = forPlace(free, target.where);
      if (typeof fitting === 'string') {
        throw new Error(fitting);
      }
      launches.push({ draft: fitting, notes });
    }
  }
  return launches;
}

export function freeName({ name }: Pick<ServerDraft, 'name'>, taken: ReadonlySet<string>): string {
  return firstFree(name.trim() === '' || name === '__proto__' ? 'my-server' : name.trim(), taken);
}
