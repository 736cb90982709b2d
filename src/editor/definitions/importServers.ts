import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { launchLabel, secretsIn } from '../../host/config/edit/secrets.ts';
import { importLocations, type ImportLocation } from '../../host/config/import/importLocations.ts';
import type { ImportedServer } from '../../host/config/import/mapServer.ts';
import { duplicateOf, readImport } from '../../host/config/import/readImport.ts';
import type { ServerDefinition } from '../../host/config/serverDefinition.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { registerCommand, runCommand } from '../commands/commands.ts';
import { inNotification, inQuickInput } from '../messages/plainText.ts';
import { reportingError } from '../messages/tellFailure.ts';
import { addServers, type AddServerDependencies } from './addServer.ts';
import { askPick, type Frame } from '../quickInput/quickInputs.ts';

/** What one file contains; `problem` says why it could not be read. */
interface FoundFile {
  readonly location: ImportLocation;
  readonly servers: readonly ImportedServer[];
  readonly problem?: string;
}

interface ServerItem extends vscode.QuickPickItem {
  readonly server?: ImportedServer;
}

/** Registers "Import Servers": opens the page of "Add Server" for each server of another program that you select. */
export function registerImportServers(dependencies: AddServerDependencies): Disposable {
  return registerCommand('importServers', () =>
    reportingError('The servers were not imported', () => importServers(dependencies)),
  );
}

async function importServers(dependencies: AddServerDependencies): Promise<void> {
  const files = await findFiles();
  if (files.some(({ servers }) => servers.length > 0)) {
    await addServers(await chooseServers(files, dependencies.host), dependencies);
  } else {
    await sayEmpty(files);
  }
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
    totalSteps: 1,
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
