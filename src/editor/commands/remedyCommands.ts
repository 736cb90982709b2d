import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { CancellationError } from '../../base/cancellation.ts';
import { remedyFor, type Remedy } from '../../host/connection/failures/remedies.ts';
import { HostError } from '../../host/errors/hostError.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { inNotification } from '../plainText.ts';
import { failureText } from '../words.ts';
import { registerOn } from './onServer.ts';

/** The command that lets you change the definition of a server. */
export const EDIT_SERVER = 'mcpHost.editServer';

/** Install… and Set Key…: what may help a server that failed. */
export function registerRemedyCommands(host: McpHost): Disposable {
  const store = new DisposableStore();
  store.add(
    registerOn(host, 'mcpHost.installProgram', {
      question: 'Select the server whose command was not found',
      accepts: (server) => remedyOf(server)?.kind === 'install',
      run: async (server) => {
        const remedy = remedyOf(server);
        if (remedy?.kind === 'install') {
          await vscode.env.openExternal(vscode.Uri.parse(remedy.program.address, true));
        }
      },
    }),
  );
  store.add(
    registerOn(host, 'mcpHost.setKey', {
      question: 'Select the server that needs a key',
      accepts: (server) => remedyOf(server)?.kind === 'setKey',
      run: async (server) => {
        if (server.connection.definition.inputs.length > 0) {
          await vscode.commands.executeCommand('mcpHost.manageInputs', { server });
        } else {
          await vscode.commands.executeCommand(EDIT_SERVER, server.connection.definition.id);
        }
      },
    }),
  );
  return store;
}

/** Starts a server that you wait for; a failure is told with what may help. */
export async function reportStartFailure(server: HostServer, start: () => Promise<void>): Promise<void> {
  try {
    await start();
  } catch (error) {
    if (!(error instanceof CancellationError)) {
      await tellStartFailure(server, error);
    }
  }
}

async function tellStartFailure(server: HostServer, error: unknown): Promise<void> {
  const { definition } = server.connection;
  const remedy = error instanceof HostError ? remedyFor(error, definition) : undefined;
  const help = remedy && buttonOf(remedy);
  const showLog = { title: 'Show Log', command: 'mcpHost.showLog' };
  const pressed = await vscode.window.showErrorMessage(
    inNotification(failureText(server.label, 'could not start', error).replace(/(?<![.!?…])$/, '.')),
    ...(help ? [help] : []),
    showLog,
  );
  if (pressed) {
    await vscode.commands.executeCommand(pressed.command, definition.id);
  }
}

function buttonOf({ kind }: Remedy): { readonly title: string; readonly command: string } {
  switch (kind) {
    case 'install':
      return { title: 'Install…', command: 'mcpHost.installProgram' };
    case 'setKey':
      return { title: 'Set Key…', command: 'mcpHost.setKey' };
    case 'edit':
      return { title: 'Edit…', command: EDIT_SERVER };
  }
}

function remedyOf({ connection }: HostServer): Remedy | undefined {
  const { state, definition } = connection;
  return state.kind === 'failed' || state.kind === 'backingOff'
    ? remedyFor(state.reason, definition)
    : undefined;
}
