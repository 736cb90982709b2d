import { randomBytes, randomUUID } from 'node:crypto';
import { CancellationError, unlessAborted } from '../../base/lifetime/cancellation.ts';
import { HostError } from '../errors/hostError.ts';
import type { Sdk } from '../sdk/loadSdk.ts';
import type { Account, LiveAccount, RegisteredClient } from './accounts/account.ts';
import type { EditorIssuer } from './editorAccounts/editorIssuers.ts';
import { askForAccount } from './editorAccounts/editorTokens.ts';
import { nameOf } from './tokens/idToken.ts';
import { AddressCheck } from './network/addressCheck.ts';
import { oauthFetch } from './network/oauthFetch.ts';
import { newProofKey, proofSession } from './tokens/proofKey.ts';
import { openRedirect, type Redirect } from './redirect/redirect.ts';
import { hasState, type RedirectAnswer } from './redirect/redirectListener.ts';
import { isInvalidScope, scopeFailure } from './refusedScopes.ts';
import { clientFor } from './registration.ts';
import { hostOf } from '../addresses/addressKind.ts';
import { signInFailure } from './signInFailure.ts';
import { documentHelp, type SignInPlan } from './signInPlan.ts';
import type { SignInPorts } from './signInPorts.ts';
import { exchangeCode, requestOwnTokens, storedTokens, type TokenSource } from './tokens/tokenRequests.ts';

/** Minutes for which a sign-in waits for the browser. */
const WAIT_MINUTES = 10;

/** What a sign-in uses. */
export interface BrowserContext {
  readonly sdk: Sdk;
  readonly plan: SignInPlan;
  /** What the server is called. */
  readonly label: string;
  readonly ports: Pick<SignInPorts, 'browser' | 'clock' | 'connections' | 'editor'>;
  /** See `ServerAccount.rejectedToken`. */
  readonly rejected: string | undefined;
  /** Called with each value that must not be logged. */
  readonly hide: (value: string) => void;
  /** Called when the browser has been opened, or couldn't be. */
  readonly opened: (browser: OpenBrowser) => unknown;
  /** Keeps how this host is registered, before the browser opens: it stays so if you don't finish. */
  readonly registered: (oauthClient: RegisteredClient) => Promise<void>;
}

/** A sign-in that waits for the browser. */
export interface OpenBrowser {
  /** The address at which you sign in. */
  readonly address: string;
  /** Whether the editor opened it. */
  readonly isOpened: boolean;
  /**
   * Takes the address at which the browser ended.
   *
   * @throws HostError `invalidArguments` for anything else.
   */
  paste(text: string): void;
}

/**
 * Does what a plan says: with the browser (OAuth 2.1, 4.1 with PKCE), without, or with an account of the editor's.
 *
 * @throws HostError `signInRequired` or `unreachable` that says what failed; CancellationError when the signal aborted.
 */
export async function signInBy(context: BrowserContext, signal: AbortSignal): Promise<LiveAccount> {
  const { sdk, plan } = context;
  try {
    const account = await accountBy(context, signal);
    signal.throwIfAborted();
    return account;
  } catch (error) {
    if (error instanceof CancellationError || signal.aborted) {
      throw new CancellationError();
    }
    throw failureOf(sdk, error, plan);
  }
}

function failureOf(sdk: Sdk, error: unknown, plan: SignInPlan): HostError {
  const { issuer, issuers, metadata } = plan.discovery;
  const others = issuers.filter((one) => one !== issuer).map(hostOf);
  const elsewhere = `to sign in at ${others.join(' or ')} instead, name that issuer as "issuer" in "oauth" in the definition`;
  const takesDocuments = metadata?.client_id_metadata_document_supported === true;
  const help = takesDocuments ? `it takes ${documentHelp}` : others.length > 0 ? elsewhere : undefined;
  return isInvalidScope(sdk, error) ? scopeFailure(error, plan) : signInFailure(sdk, error, issuer, help);
}

function accountBy(context: BrowserContext, signal: AbortSignal): Promise<LiveAccount> {
  const { how, oauthClient } = context.plan;
  if (oauthClient.kind === 'editor') {
    return borrow(context, oauthClient.editor, signal);
  }
  return how === 'credentials' ? signInClient(context) : signInBrowser(context, signal);
}

async function borrow(
  { plan, ports, label, rejected, hide }: BrowserContext,
  editor: EditorIssuer,
  signal: AbortSignal,
): Promise<LiveAccount> {
  if (!ports.editor) {
    throw new HostError('signInRequired', 'the editor has no accounts');
  }
  const { owner, scope, discovery } = plan;
  const now = (): number => ports.clock.now();
  const demand = { owner, editor, issuer: discovery.issuer, scope, label, rejected, now };
  const account = await askForAccount(ports.editor.accounts, demand, signal);
  hide(account.tokens.accessToken);
  return account;
}

async function signInClient(context: BrowserContext): Promise<Account> {
  const { sdk, plan } = context;
  const oauthClient = await clientFor(sdk, plan, '', fetchOf(context));
  const { redirectUri: _none, ...known } = oauthClient;
  const key = keyFor(plan);
  const source = await sourceOf(context, known, key);
  return accountOf(context, known, key, await requestOwnTokens(sdk, source, plan.scope));
}

async function signInBrowser(context: BrowserContext, signal: AbortSignal): Promise<Account> {
  const { sdk, plan, ports } = context;
  const { options, oauthClient: planned } = plan;
  const before = planned.kind === 'known' ? planned.oauthClient.redirectUri : undefined;
  const redirect = await openRedirect({ fixed: options.redirectUri, before }, ports.browser);
  try {
    const oauthClient = await unlessAborted(clientFor(sdk, plan, redirect.uri, fetchOf(context)), signal);
    if (oauthClient.how === 'registered') {
      [oauthClient.clientSecret ?? ''].forEach((value) => context.hide(value));
      await context.registered(oauthClient);
    }
    const state = randomBytes(32).toString('base64url');
    const { authorizationUrl, codeVerifier } = await sdk.startAuthorization(plan.discovery.issuer, {
      ...(plan.discovery.metadata && { metadata: plan.discovery.metadata }),
      clientInformation: { client_id: oauthClient.clientId },
      redirectUrl: redirect.uri,
      state,
      ...(plan.scope !== undefined && { scope: plan.scope }),
      ...(plan.resource !== undefined && { resource: plan.resource }),
    });
    [state, codeVerifier].forEach((value) => context.hide(value));
    const answer = await answered(context, redirect, authorizationUrl.href, state, signal);
    return await finished(context, answer, oauthClient, codeVerifier, redirect.uri);
  } finally {
    redirect.listener?.dispose();
  }
}

/**
 * Opens the browser, and waits until it comes back, or you paste where it ended.
 *
 * @throws HostError `signInRequired` when that takes too long.
 */
async function answered(
  { ports, opened, plan }: BrowserContext,
  { uri, listener }: Redirect,
  href: string,
  state: string,
  signal: AbortSignal,
): Promise<RedirectAnswer> {
  const { url: address } = await new AddressCheck(plan.owner.url, ports.connections).browser(href);
  const pasted = Promise.withResolvers<RedirectAnswer>();
  const listening = listener?.answer(state, uri);
  if (signal.aborted) {
    throw new CancellationError();
  }
  const isOpened = await ports.browser.open(address).catch(() => false);
  opened({
    address,
    isOpened,
    paste: (text) => pasted.resolve({ parameters: pastedAnswer(text, uri, state), respond: () => {} }),
  });
  const late = Promise.withResolvers<never>();
  const limit = ports.clock.after(WAIT_MINUTES * 60_000, () =>
    late.reject(new HostError('signInRequired', lateText(plan), { word: 'no answer from the browser' })),
  );
  try {
    const answers = [pasted.promise, ...(listening ? [listening] : []), late.promise];
    return await unlessAborted(Promise.race(answers), signal);
  } finally {
    limit.dispose();
  }
}

function lateText({ discovery: { issuer }, oauthClient }: SignInPlan): string {
  const isPublished = oauthClient.kind === 'metadataDocument' && oauthClient.isPublished;
  const more = isPublished
    ? `; if it shows an error about the redirect, ${hostOf(issuer)} compares ports: host a document of your own, and name it as "clientMetadataUrl" in "oauth" in the definition`
    : '';
  return `the browser did not come back from ${hostOf(issuer)} within ${WAIT_MINUTES} minutes; sign in again, and if the browser ends at a page that it can't open, paste the address of that page${more}`;
}

/** Only the whole address with the right `state`: whoever makes you paste a bare code signs you in to their account. */
function pastedAnswer(text: string, redirectUri: string, state: string): URLSearchParams {
  const expected = new URL(redirectUri);
  const url = URL.parse(text.trim());
  if (url?.origin !== expected.origin || url.pathname !== expected.pathname) {
    throw new HostError(
      'invalidArguments',
      `paste the whole address at which the browser ended; it begins with ${redirectUri}`,
    );
  }
  if (!hasState(url.searchParams, state)) {
    throw new HostError('invalidArguments', 'this address is not the answer to this sign-in');
  }
  return url.searchParams;
}

/** Reads the answer: `iss` is compared before anything else of it is used or shown (RFC 9207, 2.4). */
async function finished(
  context: BrowserContext,
  { parameters, respond }: RedirectAnswer,
  oauthClient: RegisteredClient,
  verifier: string,
  redirectUri: string,
): Promise<Account> {
  const { sdk, plan, label } = context;
  try {
    const { metadata, issuer } = plan.discovery;
    const iss = parameters.get('iss') ?? undefined;
    sdk.validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: metadata?.issuer,
      issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
    });
    const error = parameters.get('error');
    if (error !== null) {
      throw new sdk.OAuthError(error, parameters.get('error_description') ?? error);
    }
    const code = parameters.get('code');
    if (code === null || parameters.getAll('code').length > 1) {
      throw new HostError('signInRequired', `${hostOf(issuer)} sent the browser back without an answer`);
    }
    context.hide(code);
    const key = keyFor(plan);
    const source = await sourceOf(context, oauthClient, key);
    const given = await exchangeCode(sdk, source, { code, iss, verifier, redirectUri });
    const account = accountOf(context, oauthClient, key, given);
    respond({ title: `You are signed in to ${label}`, text: 'MCP Host in your editor has what it needs.' });
    return account;
  } catch (error) {
    const failure = failureOf(sdk, error, plan);
    respond({
      title: `You are not signed in to ${label}`,
      text: `The reason: ${failure.message}. Your editor shows what you can do next.`,
    });
    throw failure;
  }
}

function accountOf(
  { plan, ports, hide }: BrowserContext,
  oauthClient: RegisteredClient,
  proofKey: string | undefined,
  given: Parameters<typeof storedTokens>[0],
): Account {
  const now = ports.clock.now();
  const tokens = storedTokens(given, now, proofKey !== undefined);
  [tokens.accessToken, tokens.refreshToken, given.id_token, oauthClient.clientSecret].forEach(
    (value) => value !== undefined && hide(value),
  );
  return {
    ...plan.owner,
    id: randomUUID(),
    issuer: plan.discovery.issuer,
    oauthClient,
    ...(plan.resource !== undefined && { resource: plan.resource }),
    ...(plan.scope !== undefined && { askedScope: plan.scope }),
    tokens,
    ...(tokens.type === 'DPoP' && proofKey !== undefined && { proofKey }),
    ...nameOf(given.id_token),
    since: now,
  };
}

function keyFor({ hasProof }: SignInPlan): string | undefined {
  return hasProof ? newProofKey() : undefined;
}

async function sourceOf(
  context: BrowserContext,
  oauthClient: RegisteredClient,
  proofKey: string | undefined,
): Promise<TokenSource> {
  const { discovery, options, resource } = context.plan;
  const { issuer, metadata } = discovery;
  const proof = proofKey === undefined ? undefined : await proofSession(context.sdk, proofKey);
  return { issuer, metadata, oauthClient, options, resource, fetch: fetchOf(context), proof };
}

function fetchOf({ plan, ports }: BrowserContext): TokenSource['fetch'] {
  return oauthFetch(new AddressCheck(plan.owner.url, ports.connections));
}
