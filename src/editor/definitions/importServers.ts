import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { readText } from '../../host/config/edit/changeFile.ts';
import { launchLabel, secretsIn } from '../../host/config/edit/secrets.ts';
import type { ImportedServer } from '../../host/config/import/mapServer.ts';
import { duplicateOf } from '../../host/config/import/readImport.ts';
import type { ServerDefinition } from '../../host/config/serverDefinition.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { registerCommands, runCommand } from '../commands/commands.ts';
import { copilotSource } from '../workspace/configuration.ts';
import { inNotification, inQuickInput } from '../messages/plainText.ts';
import { reportingError } from '../messages/notifications.ts';
import { placeText } from '../messages/words.ts';
import { addServers, type AddServerDependencies } from './addServer.ts';
import { findFiles, type FoundFile } from './foundServers.ts';
import { askPick, inputButton } from '../quickInput/quickInputs.ts';

interface ServerItem extends vscode.QuickPickItem {
  readonly server?: ImportedServer;
}

/**
 * Registers "Import Servers", which opens the page of "Add Server" for each server of another program that you select,
 * and "Use Copilot's Servers".
 */
export function registerImportServers(dependencies: AddServerDependencies): Disposable {
  return registerCommands({
    importServers: () => reportingError('The servers were not imported', () => importServers(dependencies)),
    useCopilotServers: () => reportingError("Copilot's servers can't be used", useCopilotServers),
  });
}

async function useCopilotServers(): Promise<void> {
  const { origin, refusal } = copilotSource();
  const place = placeText(origin);
  if (refusal !== undefined) {
    throw new Error(`${place} isn't read. ${refusal}`);
  }
  await setCopilotServers(true);
  const isThere = readText(vscode.Uri.parse(origin.place).fsPath).text !== '';
  const message = isThere
    ? `MCP Host now has the servers of ${place}, and follows its changes. None starts until you allow it.`
    : `There is no ${place} yet. Its servers appear here as soon as Copilot writes it.`;
  const undo = 'Undo';
  if ((await vscode.window.showInformationMessage(inNotification(message), undo)) === undo) {
    await setCopilotServers(undefined);
  }
}

async function setCopilotServers(value: true | undefined): Promise<void> {
  const { Global } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration('mcpHost').update('copilotServers', value, Global);
}

async function importServers(dependencies: AddServerDependencies): Promise<void> {
  const files = await findFiles();
  if (files.some(({ servers }) => servers.length > 0)) {
    await addServers(await chooseServers(files, dependencies.host), dependencies);
  } else {
    await sayEmpty(files);
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
  const answer = await askPick<ServerItem>(
    { title: 'Import Servers', buttons: copilotButtons(files) },
    {
      items,
      picked: items.filter(({ server }) => server?.draft && !duplicateOf(server.draft, configured)),
      placeholder: 'Select servers to import',
      isMany: true,
    },
  );
  if (answer.kind === 'pressed') {
    await runCommand('useCopilotServers');
  }
  return answer.kind === 'accepted'
    ? answer.value.flatMap(({ server }) => (server?.draft ? [server] : []))
    : [];
}

/** A button, because the row would be one of those that are copied. */
function copilotButtons(files: readonly FoundFile[]): readonly vscode.QuickInputButton[] {
  const { isOn, refusal } = copilotSource();
  const hasSome = files.some(
    ({ location, servers }) => location.dialect === 'copilotCli' && servers.length > 0,
  );
  return hasSome && !isOn && refusal === undefined
    ? [inputButton('link', "Use Copilot's Servers where they are, without copying them")]
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
