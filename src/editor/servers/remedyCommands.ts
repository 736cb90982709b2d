import * as vscode from 'vscode';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import { remedyFor, type Remedy } from '../../host/connection/failures/remedies.ts';
import { HostError } from '../../host/errors/hostError.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { commandTo } from '../commands/commandList.ts';
import { runCommand } from '../commands/commands.ts';
import { openSetting } from '../editorRules.ts';
import { inNotification } from '../messages/plainText.ts';
import { tellFailure } from '../messages/tellFailure.ts';
import { failureText } from '../messages/words.ts';
import { onServer } from '../commands/onServer.ts';

/** "Install…", for a server whose command was not found. */
export function installProgram(host: McpHost): ReturnType<typeof onServer> {
  return onServer(host, {
    placeholder: 'Select a server to install its command',
    accepts: (server) => remedyOf(server)?.kind === 'install',
    run: async (server) => {
      const remedy = remedyOf(server);
      if (remedy?.kind === 'install') {
        await vscode.env.openExternal(vscode.Uri.parse(remedy.program.address, true));
      }
    },
  });
}

/** Starts a server that you wait for; a failure is shown with what may help, which can be to sign in or to set a token. */
export async function reportStartFailure(server: HostServer, start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    const { id } = server.connection.definition;
    if (error instanceof HostError && error.needs === 'token') {
      await tellFailure(id, failureText(server.label, 'could not start', error), { error });
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

function buttonOf(remedy: Remedy, id: ServerId): vscode.Command {
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

export function remedyOf({ connection }: HostServer): Remedy | undefined {
  const { state, definition } = connection;
  return state.kind === 'failed' || state.kind === 'backingOff'
    ? remedyFor(state.reason, definition)
    : undefined;
}
