import * as vscode from 'vscode';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import { remedyFor, type Remedy } from '../../host/connection/failures/remedies.ts';
import { lookAlikeSentence } from '../../host/addresses/lookAlikes.ts';
import type { StartRequest } from '../../host/state/connectionState.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import { HostError } from '../../host/errors/hostError.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { editorBrowser } from '../browser/editorBrowser.ts';
import { commandTo, openSetting } from '../commands/commandList.ts';
import { runCommand } from '../commands/commands.ts';
import { inNotification, oneLine } from '../messages/plainText.ts';
import { confirmDone } from '../messages/notifications.ts';
import { tellFailure } from '../commands/tellFailure.ts';
import { failureText } from '../messages/words.ts';
import { onServer } from '../commands/onServer.ts';
import { remediesFor } from '../../host/servers/serverRemedies.ts';

/** "Install…", for a server whose command was not found. */
export function installProgram(host: McpHost): ReturnType<typeof onServer> {
  return onServer(host, {
    placeholder: 'Select a server to install its command',
    accepts: (server) => remediesFor(server)[0]?.kind === 'install',
    run: async (server) => {
      const [remedy] = remediesFor(server);
      if (remedy?.kind === 'install') {
        await vscode.env.openExternal(vscode.Uri.parse(remedy.program.address, true));
      }
    },
  });
}

/** Opens the address that a server asks you to open before it starts, when you have seen where it leads. */
export async function openAsked(host: McpHost, id: ServerId): Promise<void> {
  const address = asksOf(host, id)?.address;
  if (address) {
    const { url, host: ascii, readableHost } = address;
    const name = ascii === readableHost ? ascii : `${ascii} (${readableHost})`;
    const text = `'${host.server(id)?.label ?? ''}' asks you to open an address at ${name}.`;
    const warning = lookAlikeSentence(readableHost.replace(/:\d+$/, '')) ?? '';
    const options = { modal: true, detail: `${oneLine(url, 300)}\n\n${warning}`.trim() };
    const pressed = await vscode.window.showInformationMessage(inNotification(text), options, 'Open');
    if (pressed && !(await editorBrowser.open(url))) {
      void vscode.window.showWarningMessage('The address was not opened. You can copy it from its row.');
    }
  }
}

/** Copies the address or the code that a server names before it starts. */
export async function copyAsked(host: McpHost, id: ServerId, what: 'address' | 'code'): Promise<void> {
  const asks = asksOf(host, id);
  await vscode.env.clipboard.writeText((what === 'code' ? asks?.code : asks?.address?.url) ?? '');
  confirmDone(`Copied the ${what}`);
}

function asksOf(host: McpHost, id: ServerId): StartRequest | undefined {
  const state = host.server(id)?.connection.state;
  return state?.kind === 'starting' ? state.asks : undefined;
}

/** Starts a server that you wait for; a failure is shown with what may help, which can be to sign in or to set a token. */
export async function reportStartFailure(server: HostServer, start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    const { id } = server.connection.definition;
    if (error instanceof HostError && error.needs === 'token') {
      await tellFailure(id, failureText(server.label, 'could not start', error), error);
    } else if (error instanceof HostError && error.code === 'signInRequired') {
      await runCommand('signInOrSetToken', id);
    } else if (!(error instanceof CancellationError)) {
      await tellStartFailure(server, error);
    }
  }
}

async function tellStartFailure(server: HostServer, error: unknown): Promise<void> {
  const { id } = server.connection.definition;
  const remedy = error instanceof HostError ? remedyFor(error, server.connection.definition) : undefined;
  const pressed = await vscode.window.showErrorMessage(
    inNotification(failureText(server.label, 'could not start', error).replace(/(?<![.!?…])$/, '.')),
    ...(remedy ? [buttonOf(remedy, id)] : []),
    commandTo('showLog', 'Show Log', id),
  );
  if (pressed) {
    await vscode.commands.executeCommand(pressed.command, ...(pressed.arguments ?? []));
  }
}

/** What applies a remedy to a server. */
export function buttonOf(remedy: Remedy, id: ServerId): vscode.Command {
  switch (remedy.kind) {
    case 'install':
      return commandTo('installProgram', 'Install…', id);
    case 'setKey':
      return commandTo('setKey', 'Set Token…', id);
    case 'edit':
      return commandTo('editServer', 'Edit…', id);
    case 'setting':
      return openSetting(remedy.setting);
  }
}
