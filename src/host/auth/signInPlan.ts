import type { UnknownRecord } from '../../base/values/record.ts';
import type { SignInOptions } from '../config/signInFields.ts';
import { HostError, type HostErrorOptions } from '../errors/hostError.ts';
import { confusedClient } from '../launch/confusedClient.ts';
import type { OfferedSignIn } from '../state/connectionState.ts';
import type { AccountOwner, LiveAccount, RegisteredClient } from './accounts/account.ts';
import { UnreadableAccounts } from './accounts/accountVault.ts';
import { withoutCommands, type EditorIssuer } from './editorAccounts/editorIssuers.ts';
import { AddressCheck } from './network/addressCheck.ts';
import { discoverFor, type Challenge, type Discovery } from './network/discovery.ts';
import type { ServerAccount, SignInPorts } from './serverAccount.ts';
import type { SignInDemand } from './serverAuthorization.ts';
import { PROOF_ALGORITHM } from './tokens/proofKey.ts';
import { grantedScopes, missingScopes, scopesIn, scopeText } from './tokens/scopes.ts';
import { hostOf } from '../addresses/addressKind.ts';

/** How this host will be known at the issuer, in the order of 2025-11-25, basic/authorization. */
export type PlannedClient =
  | { readonly kind: 'preRegistered'; readonly clientId: string }
  /** `isPublished`: by the publisher of this host, not by you. */
  | { readonly kind: 'metadataDocument'; readonly clientId: string; readonly isPublished?: true }
  /** It was registered for this server at an earlier sign-in. */
  | { readonly kind: 'known'; readonly oauthClient: RegisteredClient }
  /** `isAgain`: its earlier registration is not for all of these scopes, and issuers may grant no others. */
  | { readonly kind: 'register'; readonly isAgain?: true }
  /** The editor is known there, and lends one of its own accounts. */
  | { readonly kind: 'editor'; readonly editor: EditorIssuer };

/** Everything that a sign-in will do, before it does it: you see this, and then this happens. */
export interface SignInPlan {
  readonly owner: AccountOwner;
  readonly options: SignInOptions;
  readonly discovery: Discovery;
  /** Whether you sign in with the browser, the client does so itself, or the editor asks you. */
  readonly how: 'browser' | 'credentials' | 'editor';
  readonly oauthClient: PlannedClient;
  /** What is asked for; space-separated. */
  readonly scope: string | undefined;
  /** What of it your present sign-in lacks; undefined for a first sign-in. */
  readonly added?: readonly string[];
  /** What of that the server requires; the rest keeps you signed in. Undefined for a first sign-in. */
  readonly required?: readonly string[];
  /** The scopes that the issuer has refused, and whether this plan asks for the others alone. */
  readonly refused?: { readonly scopes: readonly string[]; readonly isLeftOut: boolean };
  /** Whether the tokens are bound to a key (RFC 9449). */
  readonly hasProof: boolean;
  /** See `Account.resource`. */
  readonly resource: string | undefined;
}

/** What of a plan is shown while nobody is asked about it. */
export function offerOf({ discovery, oauthClient, refused }: SignInPlan): OfferedSignIn {
  return {
    issuer: discovery.issuer,
    oauthClient: oauthClient.kind,
    ...(refused && { refused: { isLeftOut: refused.isLeftOut } }),
  };
}

interface PlanRequest {
  readonly owner: AccountOwner;
  readonly options: SignInOptions;
  readonly discovery: Discovery;
  readonly challenge: Challenge;
  /** How this host was registered for this server before. */
  readonly known: RegisteredClient | undefined;
  /** See `SignInPorts.clientDocument`. */
  readonly clientDocument: string;
  /** Whose account the editor lends. */
  readonly editor: EditorIssuer | undefined;
  /** The account that lacks a scope. */
  readonly lacking: LiveAccount | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Whether nothing but its refusal says that a server has a sign-in: it more likely takes a token, such as an API key, than
 * that it is a server of 2025-03-26 without metadata.
 */
export function isGuess({ how, discovery: { resource, metadata }, oauthClient }: SignInPlan): boolean {
  return how === 'browser' && !resource && !metadata && oauthClient.kind === 'register';
}

/**
 * Finds out how you would sign in to the server of an account.
 *
 * @throws HostError that says why you can't sign in; the reason of the signal.
 */
export async function findPlan(
  {
    accounts,
    clientDocument,
    clock,
    connections,
  }: Pick<SignInPorts, 'accounts' | 'clientDocument' | 'clock' | 'connections'>,
  account: ServerAccount,
  { challenge, lacking }: SignInDemand,
  signal: AbortSignal,
): Promise<SignInPlan> {
  const { owner, definition, options } = account;
  const access = await accounts.access();
  if (access === 'reloadNeeded' || access === 'newer') {
    const word = access === 'newer' ? 'update MCP Host' : 'reload the window';
    throw refused(asClause(new UnreadableAccounts(access).message), { word });
  }
  const planAt = async (discovery: Discovery): Promise<SignInPlan> => {
    const confused = confusedClient(definition, discovery.issuer);
    if (confused !== undefined) {
      throw refused(asClause(confused));
    }
    const known = await accounts.oauthClient(owner, discovery.issuer);
    const editor = account.editorIssuer(discovery.issuer);
    const now = clock.now();
    const request = { owner, options, discovery, challenge, known, editor, lacking, clientDocument, now };
    const plan = planSignIn(request);
    return withoutEarlierRefused(plan, await accounts.refusedScopes(owner, discovery.issuer));
  };
  return discoverFor(
    new AddressCheck(owner.url, connections),
    {
      challenge,
      issuer: options.issuer,
      before: lacking?.issuer,
      usesRefreshTokens: options.grantType !== 'client_credentials',
      asksIssuer: (issuer) => account.editorIssuer(issuer) === undefined,
    },
    planAt,
    signal,
  );
}

/** @throws HostError `signInRequired` that says why a sign-in is refused, and what to do. */
function planSignIn(request: PlanRequest): SignInPlan {
  const { owner, options, discovery } = request;
  const how = howTo(request);
  if (how === 'browser') {
    checkIssuer(discovery, options);
  }
  // A sign-in at another issuer starts from nothing.
  const lacking = request.lacking?.issuer === discovery.issuer ? request.lacking : undefined;
  const wanted = scopesToAsk(request, lacking);
  const scopes = how === 'editor' ? withoutCommands(wanted) : wanted;
  const scope = scopeText(scopes);
  return {
    owner,
    options,
    discovery,
    how,
    oauthClient: how === 'credentials' ? ownClient(request) : plannedClient({ ...request, scope }),
    scope,
    ...(lacking && {
      added: missingScopes(scope, lacking),
      required: missingScopes(request.challenge.scope, lacking),
    }),
    hasProof: request.challenge.isDpop === true && signsProofs(discovery),
    resource: how === 'editor' || options.omitResource === true ? undefined : discovery.resourceIndicator,
  };
}

function howTo({ options, editor }: PlanRequest): SignInPlan['how'] {
  if (options.grantType === 'client_credentials') {
    return 'credentials';
  }
  return editor ? 'editor' : 'browser';
}

/** Whether an issuer binds tokens to a key (RFC 9449, 5.1). */
function signsProofs({ metadata }: Discovery): boolean {
  // The SDK's type doesn't have it.
  const algorithms = (metadata as UnknownRecord | undefined)?.['dpop_signing_alg_values_supported'];
  return Array.isArray(algorithms) && algorithms.includes(PROOF_ALGORITHM);
}

function checkIssuer({ metadata, issuer, hasPkce }: Discovery, { assumePkce }: SignInOptions): void {
  const host = hostOf(issuer);
  // 2025-06-18, basic/authorization: clients MUST refuse. Without any metadata, 2025-03-26 applies.
  if (metadata?.code_challenge_methods_supported && !hasPkce) {
    throw refused(`${host} says that it does not protect the sign-in with PKCE (S256), which MCP requires`);
  }
  if (metadata && !hasPkce && assumePkce !== true) {
    throw refused(
      `${host} does not say that it protects the sign-in with PKCE (S256); if you know that it does, set "assumePkce" in "oauth" in your user settings`,
    );
  }
  if (metadata && !metadata.response_types_supported.includes('code')) {
    throw refused(`${host} does not offer the way of signing in that MCP requires (response type "code")`);
  }
}

function ownClient({ options: { clientId, clientSecret, privateKey } }: PlanRequest): PlannedClient {
  if (clientId === undefined || (clientSecret === undefined && privateKey === undefined)) {
    throw refused(
      'a client that signs in itself needs "clientId", and "clientSecret" or "privateKey", in "oauth" in its definition',
    );
  }
  return { kind: 'preRegistered', clientId };
}

/**
 * The plan with how this host is registered now: an earlier try may have registered it, and the issuer may have rejected
 * a registration.
 *
 * @throws HostError `signInRequired` if the issuer has rejected it, and registers no clients.
 */
export function withRegistration(
  plan: SignInPlan,
  known: RegisteredClient | undefined,
  now: number,
): SignInPlan {
  const { oauthClient } = plan;
  return oauthClient.kind === 'known' || oauthClient.kind === 'register'
    ? { ...plan, oauthClient: plannedClient({ ...plan, known, clientDocument: '', editor: undefined, now }) }
    : plan;
}

type ClientRequest = Omit<PlanRequest, 'owner' | 'challenge' | 'lacking'> & {
  readonly scope: string | undefined;
};

function plannedClient(request: ClientRequest): PlannedClient {
  const { options, discovery, known, clientDocument, editor, scope, now } = request;
  if (editor) {
    return { kind: 'editor', editor };
  }
  const { clientId, clientMetadataUrl } = options;
  const { metadata, issuer } = discovery;
  if (clientId !== undefined) {
    return { kind: 'preRegistered', clientId };
  }
  const takesDocuments = metadata?.client_id_metadata_document_supported === true;
  if (clientMetadataUrl !== undefined && takesDocuments) {
    return { kind: 'metadataDocument', clientId: clientMetadataUrl };
  }
  if (clientDocument !== '' && takesDocuments) {
    return { kind: 'metadataDocument', clientId: clientDocument, isPublished: true };
  }
  const isValid =
    known?.how === 'registered' && known.issuer === issuer && (known.secretExpiresAt ?? Infinity) > now;
  const mayRegister = !metadata || metadata.registration_endpoint !== undefined;
  if (isValid) {
    const allowed = scopesIn(known.scope ?? scope);
    const isWithin = scopesIn(scope).every((one) => allowed.includes(one));
    return isWithin || !mayRegister
      ? { kind: 'known', oauthClient: known }
      : { kind: 'register', isAgain: true };
  }
  if (!mayRegister) {
    throw refused(
      takesDocuments
        ? `${hostOf(issuer)} does not register clients, but takes ${documentHelp}`
        : `${hostOf(issuer)} does not register clients; add the client ID that you have there to "oauth" in its definition`,
      { needs: 'definition' },
    );
  }
  return { kind: 'register' };
}

/** What the server asks for, or its definition instead; for more permissions, with what you have granted already. */
function scopesToAsk(
  { options, discovery }: PlanRequest,
  lacking: LiveAccount | undefined,
): readonly string[] {
  return lacking
    ? scopesIn([lacking.askedScope, ...grantedScopes(lacking), discovery.scope].join(' '))
    : (options.scopes ?? scopesIn(discovery.scope));
}

/**
 * The plan after its issuer has refused scopes: without those that the issuer doesn't list. Where that helps nothing, or
 * the definition says what to ask for, it asks for the same, and only the definition can be changed.
 */
export function withoutRefused(plan: SignInPlan): SignInPlan {
  const listed = plan.discovery.metadata?.scopes_supported;
  const asked = scopesIn(plan.scope);
  const unlisted = listed === undefined ? [] : asked.filter((one) => !listed.includes(one));
  if (canLeaveOut(plan, unlisted)) {
    return leavingOut(plan, unlisted);
  }
  return {
    ...plan,
    refused: {
      scopes: [unlisted, plan.added ?? [], asked].find((some) => some.length > 0) ?? [],
      isLeftOut: false,
    },
  };
}

/**
 * The plan without the scopes that its issuer has refused at an earlier sign-in, unless the issuer lists them now, or a
 * call requires them.
 */
function withoutEarlierRefused(plan: SignInPlan, earlier: readonly string[]): SignInPlan {
  const listed = plan.discovery.metadata?.scopes_supported ?? [];
  const still = scopesIn(plan.scope).filter((one) => earlier.includes(one) && !listed.includes(one));
  return canLeaveOut(plan, still) ? leavingOut(plan, still) : plan;
}

function canLeaveOut({ options, required = [] }: SignInPlan, scopes: readonly string[]): boolean {
  return options.scopes === undefined && scopes.length > 0 && !required.some((one) => scopes.includes(one));
}

function leavingOut(plan: SignInPlan, scopes: readonly string[]): SignInPlan {
  const rest = (some: readonly string[]): readonly string[] => some.filter((one) => !scopes.includes(one));
  const before = plan.refused?.isLeftOut === true ? plan.refused.scopes : [];
  return {
    ...plan,
    scope: scopeText(rest(scopesIn(plan.scope))),
    ...(plan.added && { added: rest(plan.added) }),
    refused: { scopes: [...before, ...scopes], isLeftOut: true },
  };
}

/** What to do where an issuer takes client metadata documents, and there is none. */
export const documentHelp =
  'a client metadata document; host one, and name it as "clientMetadataUrl" in "oauth" in the definition';

function refused(message: string, more: Pick<HostErrorOptions, 'word' | 'needs'> = {}): HostError {
  return new HostError('signInRequired', message, more);
}

function asClause(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
