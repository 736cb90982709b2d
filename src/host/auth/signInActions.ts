import { isEditable } from '../config/edit/changeServer.ts';
import type { AnyLaunch, ServerDefinition } from '../config/serverDefinition.ts';
import type { OfferedSignIn, SignInState } from '../state/connectionState.ts';
import type { AccountAccess } from './accounts/accountVault.ts';
import { OtherResource } from './network/discovery.ts';

export type RequiredSignIn = Extract<SignInState, { readonly kind: 'required' }>;

/** What you can do about a sign-in, each as a row of its own, so that you don't have to hover for it. */
export type SignInAction =
  | 'setToken'
  | 'signIn'
  | 'signInWithout'
  | 'tryAgain'
  | 'registerAgain'
  | 'openDefinition'
  | 'useAddress'
  | 'reloadWindow'
  | 'copyAddress'
  | 'pasteAnswer'
  | 'cancel';

/** What can be done about a sign-in, the most useful first. */
export function signInActions(
  state: SignInState,
  access: AccountAccess,
  definition: ServerDefinition,
): readonly SignInAction[] {
  switch (state.kind) {
    case 'finding':
      return [];
    case 'working':
      return ['cancel'];
    case 'inBrowser':
      return ['copyAddress', 'pasteAnswer', ...unknownActions(state.offer), 'cancel'];
    case 'required': {
      const [first, ...others] = requiredActions(state, access, definition);
      return needsToken(state)
        ? ['setToken', first, ...others]
        : [first, ...others, ...tokenAction(state, access)];
    }
  }
}

function requiredActions(
  state: RequiredSignIn,
  access: AccountAccess,
  definition: ServerDefinition,
): readonly [SignInAction, ...SignInAction[]] {
  const { offer } = state;
  if (usableAddress(state, definition) !== undefined) {
    return ['useAddress', 'tryAgain'];
  }
  if (!offer) {
    if (access === 'reloadNeeded') {
      return ['reloadWindow'];
    }
    return state.reason.needs === 'definition'
      ? ['openDefinition', 'tryAgain']
      : ['tryAgain', 'openDefinition'];
  }
  if (offer.refused) {
    return offer.refused.isLeftOut ? ['signInWithout', 'openDefinition'] : ['openDefinition', 'signIn'];
  }
  if (state.reason.needs === 'definition') {
    return ['openDefinition', 'signIn'];
  }
  return hasFailed(state) || state.mayBeUnknown ? ['signIn', ...unknownActions(offer)] : ['signIn'];
}

/** What helps where the page of the issuer says that it doesn't know MCP Host, or the redirect. */
function unknownActions({ oauthClient }: OfferedSignIn): readonly SignInAction[] {
  switch (oauthClient) {
    case 'known':
      return ['registerAgain'];
    case 'metadataDocument':
      return ['openDefinition'];
    default:
      return [];
  }
}

/** Many servers take a token from those who can't sign in. */
function tokenAction({ offer, reason }: RequiredSignIn, access: AccountAccess): readonly SignInAction[] {
  return offer || reason.cause === undefined || access === 'reloadNeeded' ? [] : ['setToken'];
}

/** The address that the server claims, where a command can put it into the definition. */
export function usableAddress(
  state: SignInState | undefined,
  definition: ServerDefinition,
): string | undefined {
  const cause = state?.kind === 'required' ? state.reason.cause : undefined;
  const { url = '' }: AnyLaunch = definition;
  return cause instanceof OtherResource && isEditable(definition.origin) && !url.includes('${')
    ? cause.address
    : undefined;
}

/** Whether a token that you set helps rather than a sign-in. */
export function needsToken({ reason }: RequiredSignIn): boolean {
  return reason.needs === 'token';
}

/** Whether the reason is what went wrong at your last try. */
export function hasFailed({ reason }: RequiredSignIn): boolean {
  return reason.cause !== undefined;
}

/** Whether MCP Host was registered at an earlier sign-in. */
export function isRegistered({ offer }: RequiredSignIn): boolean {
  return offer?.oauthClient === 'known';
}
