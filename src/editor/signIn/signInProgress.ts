import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import type { SignInState } from '../../host/state/connectionState.ts';
import { inNotification } from '../messages/plainText.ts';

/**
 * Shows a notification while a sign-in is in this state, until you cancel it; resolves then.
 *
 * @param cancelled Called if you cancel the notification.
 */
export async function showWhile(
  host: McpHost,
  id: ServerId,
  kind: SignInState['kind'],
  title: string,
  cancelled: () => void = () => {},
): Promise<void> {
  const isOver = (): boolean => host.server(id)?.connection.state.signIn?.kind !== kind;
  if (isOver()) {
    return;
  }
  const location = vscode.ProgressLocation.Notification;
  await vscode.window.withProgress(
    { location, title: inNotification(title), cancellable: true },
    (_progress, token) =>
      new Promise<void>((resolve) => {
        const store = new DisposableStore();
        const end = (): void => {
          store.dispose();
          resolve();
        };
        store.add(host.onDidChangeServer(() => isOver() && end()));
        store.add(host.onDidChangeServers(() => isOver() && end()));
        store.add(
          token.onCancellationRequested(() => {
            end();
            cancelled();
          }),
        );
      }),
  );
}
