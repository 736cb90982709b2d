import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { DisposableStore } from '../../base/lifetime/disposable.ts';
import { afterTimeout } from '../../base/time/clock.ts';
import { AccountStore } from '../../host/auth/accounts/accountStore.ts';
import type { AccountOwner } from '../../host/auth/accounts/account.ts';
import type { SecretStore } from '../../host/auth/accounts/accountVault.ts';
import { ServerAccounts } from '../../host/auth/accounts/serverAccounts.ts';
import { CLIENT_DOCUMENT_URL } from '../../host/auth/clientDocument.ts';
import { editorIssuers, type EditorIssuer } from '../../host/auth/editorAccounts/editorIssuers.ts';
import { ServerConnections } from '../../host/auth/network/serverConnections.ts';
import { ServerAccount, type SignedOut, type SignInPorts } from '../../host/auth/serverAccount.ts';
import type { ServerSignIn } from '../../host/auth/serverSignIn.ts';
import type { HttpServerDefinition, ServerId } from '../../host/config/serverDefinition.ts';
import type { SentHeader } from '../../host/config/tokenText.ts';
import type { QuestionQueue } from '../../host/questions/questionQueue.ts';
import { editorBrowser } from '../browser/editorBrowser.ts';
import { editorAccounts } from './editorAccounts.ts';

/** Signing in to servers, and the accounts of this machine. */
export interface OpenSignIn {
  readonly ports: SignInPorts;
  readonly accounts: AccountStore;
  /** The accounts of a server whose definition is renamed or removed. */
  readonly kept: ServerAccounts;
  /** Keeps a token for the requests to a server, whether it runs or not. */
  keepToken(owner: AccountOwner, sent: SentHeader): Promise<void>;
  /**
   * Signs you out of a server, whether it runs or not.
   *
   * @throws HostError that says why the issuer did not revoke; the account is forgotten all the same.
   */
  signOut(owner: AccountOwner): Promise<SignedOut>;
}

/**
 * Builds what signs you in. The store of accounts ends with the store.
 *
 * @param signInOf The sign-in of a server that is configured.
 * @param issuers For whom the editor's accounts are: only tests have others than the list.
 */
export function openSignIn(
  { secrets, globalStorageUri }: { readonly secrets: SecretStore; readonly globalStorageUri: vscode.Uri },
  questions: QuestionQueue,
  signInOf: (id: ServerId) => ServerSignIn | undefined,
  store: DisposableStore,
  issuers: readonly EditorIssuer[] = editorIssuers,
): OpenSignIn {
  const folder = vscode.Uri.joinPath(globalStorageUri, 'accounts').fsPath;
  const accounts = store.add(new AccountStore(folder, secrets));
  const ports: SignInPorts = {
    accounts,
    browser: editorBrowser,
    connections: new ServerConnections(),
    questions,
    clientDocument: CLIENT_DOCUMENT_URL,
    editor: { accounts: editorAccounts, issuers },
    clock: { now: () => Date.now(), after: afterTimeout },
  };
  return {
    ports,
    accounts,
    kept: new ServerAccounts(accounts),
    keepToken: (owner, sent) =>
      accounts.save({ ...owner, ...sent, id: randomUUID(), since: ports.clock.now() }),
    signOut: async (owner) => {
      const signIn = signInOf(owner.server);
      const used = await signIn?.account();
      // A server that has not been started yet in this window has no account here.
      return signIn && used?.url === owner.url
        ? signIn.signOut()
        : new ServerAccount(bareDefinition(owner), ports).revoke();
    },
  };
}

/**
 * What is needed to revoke the token of a server that isn't started here. Without the secret of its client, an issuer
 * that requires it refuses, and a message says so.
 */
function bareDefinition({ server, url }: AccountOwner): HttpServerDefinition {
  return {
    id: server,
    type: 'http',
    url,
    headers: {},
    name: '',
    origin: { scope: 'user', format: 'settings', place: '' },
    inputs: [],
    disabled: false,
  };
}
