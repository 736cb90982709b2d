import * as vscode from 'vscode';
import { capitalized } from '../../base/text/words.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { SignedOut } from '../../host/auth/serverAccount.ts';
import type { ServerSignIn } from '../../host/auth/serverSignIn.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';
import { registerCommands, runCommand } from '../commands/commands.ts';
import { onServer, reportFailure, type ServerCommand } from '../commands/onServer.ts';
import { inNotification, inQuickInput } from '../messages/plainText.ts';
import { confirmDone } from '../messages/notifications.ts';
import { inputButton, showUntilAnswered } from '../quickInput/quickInputs.ts';
import { SignInNotices, tellNotSignedIn, type SignInDependencies } from './signInNotices.ts';
import { showWhile } from './signInProgress.ts';
import { needsToken, type SignInSource } from '../../host/auth/signInActions.ts';
import { setToken } from './setToken.ts';

/**
 * Registers what you can do about the sign-in of a server: from the tree, the palette, or by a server's id; and shows
 * what becomes of it.
 */
export function registerSignIn(dependencies: SignInDependencies): Disposable {
  const { host, signIns, shown, review } = dependencies;
  const stateOf = ({ connection }: HostServer): ReturnType<SignInSource['stateOf']> =>
    shown.stateOf(connection.definition.id);
  const about = (
    placeholder: string,
    accepts: (server: HostServer) => boolean,
    run: (signIn: ServerSignIn, server: HostServer) => Promise<void> | void,
  ): ReturnType<typeof onServer> => {
    const command: ServerCommand = {
      placeholder,
      accepts,
      run: async (server) => {
        const signIn = signIns.of(server.connection.definition.id);
        if (signIn) {
          await run(signIn, server);
        }
      },
    };
    return onServer(host, command);
  };
  /** Opens the question as soon as it is there, or says why you can't sign in. */
  const showQuestion = async (signIn: ServerSignIn, server: HostServer): Promise<void> => {
    await showWhile(signIn, 'finding', findingTitle(server));
    if (signIn.state.kind === 'required' && !signIn.state.plan) {
      await tellNotSignedIn(server, signIn.state, shown);
    } else {
      review.review(server.connection.definition.id);
    }
  };
  const askToSignIn = (signIn: ServerSignIn, server: HostServer): Promise<void> => {
    signIn.askAgain(true);
    return showQuestion(signIn, server);
  };
  const isInBrowser = (server: HostServer): boolean => stateOf(server).kind === 'inBrowser';
  const commands = registerCommands({
    signIn: about(
      'Select a server to sign in to',
      (server) => ['finding', 'required'].includes(stateOf(server).kind),
      (signIn, server) => askToSignIn(signIn, server),
    ),
    signInOrSetToken: about(
      'Select a server to sign in to',
      (server) => ['finding', 'required'].includes(stateOf(server).kind),
      async (signIn, server) => {
        await showWhile(signIn, 'finding', findingTitle(server));
        if (signIn.state.kind === 'required' && needsToken(signIn.state)) {
          await runCommand('setKey', server.connection.definition.id);
        } else {
          await askToSignIn(signIn, server);
        }
      },
    ),
    setKey: setToken(dependencies),
    cancelSignIn: about(
      'Select a server to cancel its sign-in',
      (server) => ['working', 'inBrowser'].includes(stateOf(server).kind),
      (signIn) => signIn.cancel(),
    ),
    copySignInAddress: about(
      'Select a server to copy the address at which you sign in',
      isInBrowser,
      async ({ state }) => {
        if (state.kind === 'inBrowser') {
          await vscode.env.clipboard.writeText(state.address);
          confirmDone('Copied the address');
        }
      },
    ),
    pasteSignInAnswer: about('Select a server to paste the answer for', isInBrowser, pasteAnswer),
    registerAgain: about(
      'Select a server to register MCP Host for again',
      (server) => stateOf(server).kind !== 'none',
      (signIn, server) =>
        reportFailure(server, 'could not be registered again', async () => {
          await signIn.registerAgain();
          await showQuestion(signIn, server);
        }),
    ),
    signOut: about(
      'Select a server to sign out of',
      ({ connection }) => shown.accountOf(connection.definition.id) !== undefined,
      (signIn, server) => tellingSignOut(server.label, () => signIn.signOut()),
    ),
  });
  const notices = new SignInNotices(dependencies);
  const told = registerCommands({ signInShown: (id) => notices.told(id) });
  return vscode.Disposable.from(commands, told, notices);
}

function findingTitle({ label }: HostServer): string {
  return `Finding out how you sign in to '${label}'`;
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
async function pasteAnswer(signIn: ServerSignIn, { label }: HostServer): Promise<void> {
  const input = vscode.window.createInputBox();
  const paste = inputButton('clippy', 'Paste from the Clipboard');
  input.title = inQuickInput(`Sign in to '${label}'`, 120);
  input.prompt =
    'When you have signed in, the browser may end at a page that it can\'t open. Paste the whole address of that page: it begins with http, and contains "state=".';
  input.placeholder = 'http://127.0.0.1:…/callback?code=…&state=…';
  input.ignoreFocusOut = true;
  input.buttons = [paste];
  await showUntilAnswered<void>(input, (store, { resolve }) => {
    store.add(
      signIn.onDidChange(() => {
        if (signIn.state.kind !== 'inBrowser') {
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
