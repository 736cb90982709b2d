import * as vscode from 'vscode';
import { capitalized } from '../../base/text/words.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { SignedOut } from '../../host/auth/serverAccount.ts';
import type { ServerSignIn } from '../../host/auth/serverSignIn.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { registerCommands, runCommand } from '../commands/commands.ts';
import { onServer, reportFailure, type ServerCommand } from '../commands/onServer.ts';
import { inNotification, inQuickInput } from '../messages/plainText.ts';
import { confirmDone } from '../messages/notifications.ts';
import { inputButton, showUntilAnswered } from '../quickInput/quickInputs.ts';
import { SignInNotices, tellNotSignedIn, type SignInDependencies } from './signInNotices.ts';
import { showWhile } from './signInProgress.ts';
import { needsToken } from '../../host/auth/signInActions.ts';
import { isRequired, type SignInState } from '../../host/state/connectionState.ts';
import { setToken } from './setToken.ts';

/**
 * Registers what you can do about the sign-in of a server: from the tree, the palette, or by a server's id; and shows
 * the result.
 */
export function registerSignIn(dependencies: SignInDependencies): Disposable {
  const { host, accounts, review } = dependencies;
  const about = (
    placeholder: string,
    accepts: (server: HostServer) => boolean,
    run: (signIn: ServerSignIn, server: HostServer) => Promise<void> | void,
  ): ReturnType<typeof onServer> => {
    const command: ServerCommand = {
      placeholder,
      accepts,
      run: async (server) => {
        if (server.signIn) {
          await run(server.signIn, server);
        }
      },
    };
    return onServer(host, command);
  };
  /** Opens the question as soon as it is there, or says why you can't sign in. */
  const showQuestion = async (server: HostServer): Promise<void> => {
    await untilFound(host, server);
    const state = stateOf(server);
    if (state?.kind === 'required' && !state.offer) {
      await tellNotSignedIn(server, state, accounts);
    } else {
      review.review(server.connection.definition.id);
    }
  };
  const askToSignIn = (signIn: ServerSignIn, server: HostServer): Promise<void> => {
    signIn.askAgain(true);
    return showQuestion(server);
  };
  const commands = registerCommands({
    signIn: about('Select a server to sign in to', (server) => isRequired(stateOf(server)), askToSignIn),
    signInOrSetToken: about(
      'Select a server to sign in to',
      (server) => isRequired(stateOf(server)),
      async (signIn, server) => {
        await untilFound(host, server);
        const state = stateOf(server);
        if (state?.kind === 'required' && needsToken(state)) {
          await runCommand('setKey', server.connection.definition.id);
        } else {
          await askToSignIn(signIn, server);
        }
      },
    ),
    setKey: setToken(dependencies),
    cancelSignIn: about(
      'Select a server to cancel its sign-in',
      (server) => stateOf(server)?.kind === 'working' || isInBrowser(server),
      (signIn) => signIn.cancel(),
    ),
    copySignInAddress: about(
      'Select a server to copy the address at which you sign in',
      isInBrowser,
      async (_signIn, server) => {
        const state = stateOf(server);
        if (state?.kind === 'inBrowser') {
          await vscode.env.clipboard.writeText(state.address);
          confirmDone('Copied the address');
        }
      },
    ),
    pasteSignInAnswer: about('Select a server to paste the answer for', isInBrowser, (signIn, server) =>
      pasteAnswer(host, signIn, server),
    ),
    registerAgain: about(
      'Select a server to register MCP Host for again',
      (server) => stateOf(server) !== undefined,
      (signIn, server) =>
        reportFailure(server, 'could not be registered again', async () => {
          await signIn.registerAgain();
          await showQuestion(server);
        }),
    ),
    signOut: about(
      'Select a server to sign out of',
      ({ connection }) => accounts.accountOf(connection.definition.id) !== undefined,
      (signIn, server) => tellingSignOut(server.label, () => signIn.signOut()),
    ),
  });
  const notices = new SignInNotices(dependencies);
  const told = registerCommands({ signInShown: (id) => notices.told(id) });
  return vscode.Disposable.from(commands, told, notices);
}

function stateOf({ connection }: HostServer): SignInState | undefined {
  return connection.state.signIn;
}

function isInBrowser(server: HostServer): boolean {
  return stateOf(server)?.kind === 'inBrowser';
}

/** Waits until it is known how you sign in, or that you can't. */
function untilFound(host: McpHost, { connection, label }: HostServer): Promise<void> {
  return showWhile(host, connection.definition.id, 'finding', `Finding out how you sign in to '${label}'`);
}

/** Signs you out; says so where the issuer did not revoke, although the account is forgotten. */
export async function tellingSignOut(label: string, signOut: () => Promise<SignedOut>): Promise<void> {
  try {
    const signedOut = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: inNotification(`Signing out of '${label}'`) },
      signOut,
    );
    if (signedOut === 'editorStays') {
      void vscode.window.showInformationMessage(
        inNotification(
          `'${label}' no longer uses your account. The editor itself stays signed in: to sign out there, open the Accounts menu in the Activity Bar.`,
        ),
      );
    } else {
      confirmDone(`Signed out of '${label}'`);
    }
  } catch (error) {
    void vscode.window.showWarningMessage(
      inNotification(
        `You are signed out of '${label}' in this editor, but the token could not be revoked: ${messageOf(error)}. It stays valid until it expires.`,
      ),
    );
  }
}

/** Asks for the address at which the browser ended, until it is the answer to this sign-in. */
async function pasteAnswer(host: McpHost, signIn: ServerSignIn, server: HostServer): Promise<void> {
  const input = vscode.window.createInputBox();
  const paste = inputButton('clippy', 'Paste from the Clipboard');
  input.title = inQuickInput(`Sign in to '${server.label}'`, 120);
  input.prompt =
    'When you have signed in, the browser may end at a page that it can\'t open. Paste the whole address of that page: it begins with http, and contains "state=".';
  input.placeholder = 'http://127.0.0.1:…/callback?code=…&state=…';
  input.ignoreFocusOut = true;
  input.buttons = [paste];
  await showUntilAnswered<void>(input, (store, { resolve }) => {
    store.add(
      host.onDidChangeServer(() => {
        if (stateOf(server)?.kind !== 'inBrowser') {
          resolve();
        }
      }),
    );
    store.add(
      input.onDidChangeValue(() => {
        input.validationMessage = undefined;
      }),
    );
    store.add(
      input.onDidTriggerButton(async () => {
        input.value = await vscode.env.clipboard.readText();
      }),
    );
    store.add(
      input.onDidAccept(() => {
        try {
          signIn.paste(input.value);
          resolve();
        } catch (error) {
          input.validationMessage = inQuickInput(capitalized(messageOf(error)));
        }
      }),
    );
  });
}
