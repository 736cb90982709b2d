import type { Event } from '../../../base/lifetime/event.ts';
import type { AccountAccess } from '../../../host/auth/accounts/accountVault.ts';
import type { ShownAccount } from '../../../host/auth/accountText.ts';
import type { SignInState } from '../../../host/auth/signInState.ts';
import type { ServerId } from '../../../host/config/serverDefinition.ts';

/** What the tree, and other views of a server, ask about its sign-in. */
export interface SignInSource {
  /** The sign-in, or the account, of a server has changed. */
  readonly onDidChange: Event<ServerId>;
  stateOf(id: ServerId): SignInState;
  /** The account that the requests to a server carry. */
  accountOf(id: ServerId): ShownAccount | undefined;
  /** Whether this window can read accounts, as far as it is known. */
  readonly access: AccountAccess;
}

/** A sign-in that a row tells about. */
export type ShownSignIn = Exclude<SignInState, { readonly kind: 'none' }>;

export type RequiredSignIn = Extract<SignInState, { readonly kind: 'required' }>;

/** What you can do about a sign-in, each as a row of its own, so that you don't have to hover for it. */
export type SignInAction =
  | 'signIn'
  | 'signInWithout'
  | 'tryAgain'
  | 'registerAgain'
  | 'openDefinition'
  | 'reloadWindow'
  | 'copyAddress'
  | 'pasteAnswer'
  | 'cancel';

/** What can be done about a sign-in, the most useful first. */
export function signInActions(
  state: ShownSignIn,
  { access }: Pick<SignInSource, 'access'>,
): readonly SignInAction[] {
  switch (state.kind) {
    case 'finding':
      return [];
    case 'working':
      return ['cancel'];
    case 'inBrowser':
      return ['copyAddress', 'pasteAnswer', 'cancel'];
    case 'required':
      if (!state.plan) {
        return access === 'reloadNeeded' ? ['reloadWindow'] : ['tryAgain', 'openDefinition'];
      }
      if (state.plan.refused) {
        return state.plan.refused.isLeftOut
          ? ['signInWithout', 'openDefinition']
          : ['openDefinition', 'signIn'];
      }
      return hasFailed(state) && isRegistered(state) ? ['signIn', 'registerAgain'] : ['signIn'];
  }
}

/** Whether the reason is what went wrong at your last try. */
export function hasFailed({ reason }: RequiredSignIn): boolean {
  return reason.cause !== undefined;
}

/** Whether MCP Host was registered at an earlier sign-in. */
export function isRegistered({ plan }: RequiredSignIn): boolean {
  return plan?.oauthClient.kind === 'known';
}
