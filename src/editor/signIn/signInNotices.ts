import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import type { AccountSource } from '../../host/auth/accountText.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { runCommand } from '../commands/commands.ts';
import { inNotification } from '../messages/plainText.ts';
import type { Review } from '../review/review.ts';
import { showWhile } from './signInProgress.ts';
import { signInActions, type RequiredSignIn } from '../../host/auth/signInActions.ts';
import type { SignInState } from '../../host/state/connectionState.ts';
import { signInActionRow } from '../views/servers/signInRows.ts';

export interface SignInDependencies {
  readonly host: McpHost;
  readonly accounts: AccountSource;
  readonly review: Review;
}

/** Shows the result of a sign-in that you have begun: that it waits for the browser, and why it failed. */
export class SignInNotices implements Disposable {
  readonly #dependencies: SignInDependencies;
  readonly #store = new DisposableStore();
  readonly #before = new Map<ServerId, SignInState['kind']>();
  /** Servers whose question comes soon, and needs no announcement. */
  readonly #told = new Set<ServerId>();

  constructor(dependencies: SignInDependencies) {
    this.#dependencies = dependencies;
    this.#store.add(dependencies.host.onDidChangeServer(({ definition }) => this.#changed(definition.id)));
  }

  /** Call when a message has asked you to sign in to a server: the question is not announced as well. */
  told(id: ServerId): void {
    const { host, review } = this.#dependencies;
    review.shown(id);
    if (host.server(id)?.connection.state.signIn?.kind === 'finding') {
      this.#told.add(id);
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  #changed(id: ServerId): void {
    const { host, accounts, review } = this.#dependencies;
    const server = host.server(id);
    const state = server?.connection.state.signIn;
    if (state?.kind !== 'finding' && this.#told.delete(id)) {
      review.shown(id);
    }
    const before = this.#before.get(id);
    if (!server || !state) {
      this.#before.delete(id);
      return;
    }
    this.#before.set(id, state.kind);
    const wasBegun = before === 'working' || before === 'inBrowser';
    if (state.kind === 'inBrowser' && before !== 'inBrowser') {
      const title = `Waiting for the browser, to sign in to '${server.label}'`;
      void showWhile(host, id, 'inBrowser', title, () => server.signIn?.cancel());
      if (!state.isOpened) {
        void offerAddress(server);
      }
    } else if (state.kind === 'required' && wasBegun && state.reason.cause !== undefined) {
      void tellNotSignedIn(server, state, accounts);
    }
  }
}

/** Says why you are not signed in, with what may help: the first action of the row. */
export async function tellNotSignedIn(
  server: HostServer,
  state: RequiredSignIn,
  { access }: AccountSource,
): Promise<void> {
  const { definition } = server.connection;
  const [first] = signInActions(state, access, definition);
  const action = first === undefined || first === 'signIn' ? 'tryAgain' : first;
  const { label: help, command } = signInActionRow({ action, server });
  const message = `Not signed in to '${server.label}': ${state.reason.message}`.replace(/(?<![.!?…])$/, '.');
  const pressed = await vscode.window.showErrorMessage(inNotification(message), help, 'Show Log');
  if (pressed === 'Show Log') {
    await runCommand('showLog', definition.id);
  } else if (pressed === help && command) {
    await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
  }
}

/** The editor doesn't print some addresses as they are, and you can refuse to have it open one. */
async function offerAddress({ connection, label }: HostServer): Promise<void> {
  const copy = 'Copy the Address';
  const message = `The editor did not open the address at which you sign in to '${label}'. Copy it, and open it in a browser.`;
  if ((await vscode.window.showWarningMessage(inNotification(message), copy)) === copy) {
    await runCommand('copySignInAddress', connection.definition.id);
  }
}
