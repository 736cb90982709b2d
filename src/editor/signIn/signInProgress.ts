import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { ServerSignIn } from '../../host/auth/serverSignIn.ts';
import type { SignInState } from '../../host/auth/signInState.ts';
import { inNotification } from '../messages/plainText.ts';

/**
 * Shows a notification while a sign-in is in this state, until you cancel it; resolves then.
 *
 * @param cancelled Called if you cancel the notification.
 */
export async function showWhile(
  signIn: ServerSignIn,
  kind: SignInState['kind'],
  title: string,
  cancelled: () => void = () => {},
): Promise<void> {
  if (signIn.state.kind !== kind) {
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
        store.add(signIn.onDidChange(() => signIn.state.kind !== kind && end()));
        store.add(
          token.onCancellationRequested(() => {
            end();
            cancelled();
          }),
        );
      }),
  );
}
