import { randomBytes, randomUUID } from 'node:crypto';
import { CancellationError, unlessAborted } from '../../base/lifetime/cancellation.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { hostOf } from '../addresses/addressKind.ts';
import { HostError, messageOf } from '../errors/hostError.ts';
import { loadSdk, type Sdk } from '../sdk/loadSdk.ts';
import type { Account, LiveAccount, RegisteredClient } from './accounts/account.ts';
import type { EditorIssuer } from './editorAccounts/editorIssuers.ts';
import { askForAccount } from './editorAccounts/editorTokens.ts';
import { AddressCheck } from './network/addressCheck.ts';
import { oauthFetch } from './network/oauthFetch.ts';
import { openRedirect, type Redirect } from './redirect/redirect.ts';
import { hasState, type RedirectAnswer } from './redirect/redirectListener.ts';
import { clientFor } from './registration.ts';
import type { SignInPorts } from './serverAccount.ts';
import type { ServerAuthorization } from './serverAuthorization.ts';
import { boundedText, isInvalidScope, isUnknownClient, signInFailure } from './signInFailure.ts';
import { documentHelp, withoutRefused, withRegistration, type SignInPlan } from './signInPlan.ts';
import { nameOf } from './tokens/idToken.ts';
import { newProofKey, proofSession } from './tokens/proofKey.ts';
import { scopeText } from './tokens/scopes.ts';
import { exchangeCode, requestOwnTokens, storedTokens, type TokenSource } from './tokens/tokenRequests.ts';

/** Minutes for which a sign-in waits for the browser. */
const WAIT_MINUTES = 10;

interface AttemptContext {
  readonly ports: SignInPorts;
  readonly authorization: ServerAuthorization;
  /** What the server is called. */
  readonly label: string;
  /** Called with each value that must not be logged. */
  readonly hide: (value: string) => void;
  /** Called when the browser has been opened, or couldn't be, with the address at which you sign in. */
  readonly opened: (browser: { readonly address: string; readonly isOpened: boolean }) => void;
}

/** How a try ended; `plan` is that of the next one. */
export type Tried =
  | { readonly kind: 'signedIn'; readonly account: LiveAccount }
  | { readonly kind: 'cancelled'; readonly plan: SignInPlan }
  | { readonly kind: 'failed'; readonly plan: SignInPlan; readonly failure: HostError };

/** One try to sign in, by a plan that you have seen. */
export class SignInAttempt {
  readonly #context: AttemptContext;
  readonly #abort = new AbortController();
  #plan: SignInPlan;
  /** Set while the browser is open. */
  #paste: ((text: string) => void) | undefined;

  constructor(context: AttemptContext, plan: SignInPlan) {
    this.#context = context;
    this.#plan = plan;
  }

  /** Signs in, and keeps the account. Never rejects. */
  async signIn(): Promise<Tried> {
    try {
      return { kind: 'signedIn', account: await this.#signIn() };
    } catch (error) {
      const plan = await this.#planAfter(error).catch(() => this.#plan);
      if (error instanceof CancellationError) {
        return { kind: 'cancelled', plan };
      }
      const failure =
        error instanceof HostError
          ? error
          : new HostError('signInRequired', messageOf(error).replace(/\.$/, ''), { cause: error });
      return { kind: 'failed', plan, failure };
    }
  }

  cancel(): void {
    this.#abort.abort();
  }

  /**
   * Takes the address at which the browser ended.
   *
   * @throws HostError `invalidArguments` for anything else; `notOffered` while the browser isn't open.
   */
  paste(text: string): void {
    if (!this.#paste) {
      throw new HostError('notOffered', 'no sign-in waits for an answer');
    }
    this.#paste(text);
  }

  async #signIn(): Promise<LiveAccount> {
    const { authorization } = this.#context;
    const sdk = await loadSdk();
    this.#plan = await this.#registered();
    const account = await this.#carriedOut(sdk);
    await authorization.account.keep(account);
    authorization.signedIn(account);
    return account;
  }

  /** Without a registration, or scopes, that the issuer has just rejected. */
  async #planAfter(error: unknown): Promise<SignInPlan> {
    const [sdk, cause] = [await loadSdk(), error instanceof Error ? error.cause : undefined];
    if (isUnknownClient(sdk, cause)) {
      await this.#context.authorization.account.forgetClient(this.#plan.discovery.issuer);
    }
    const plan = await this.#registered();
    return isInvalidScope(sdk, cause) ? this.#withoutRefused(plan) : plan;
  }

  /** The same in the next window: what the issuer refused is kept. */
  async #withoutRefused(before: SignInPlan): Promise<SignInPlan> {
    const plan = withoutRefused(before);
    const { owner, discovery, refused } = plan;
    if (refused?.isLeftOut === true) {
      const refusal = { ...owner, issuer: discovery.issuer, scopes: refused.scopes };
      // Where it can't be stored, this window still knows.
      await this.#context.ports.accounts.saveRefusal(refusal).catch(() => {});
    }
    return plan;
  }

  async #registered(): Promise<SignInPlan> {
    const { accounts, clock } = this.#context.ports;
    const { owner, discovery } = this.#plan;
    return withRegistration(this.#plan, await accounts.oauthClient(owner, discovery.issuer), clock.now());
  }

  /**
   * Does what the plan says: with the browser (OAuth 2.1, 4.1 with PKCE), without, or with an account of the editor's.
   *
   * @throws HostError `signInRequired` or `unreachable` that says what failed; CancellationError when it was cancelled.
   */
  async #carriedOut(sdk: Sdk): Promise<LiveAccount> {
    const { signal } = this.#abort;
    const { how, oauthClient } = this.#plan;
    try {
      const account = await (oauthClient.kind === 'editor'
        ? this.#borrowed(oauthClient.editor)
        : how === 'credentials'
          ? this.#byClient(sdk)
          : this.#byBrowser(sdk));
      signal.throwIfAborted();
      return account;
    } catch (error) {
      if (error instanceof CancellationError || signal.aborted) {
        throw new CancellationError();
      }
      throw failureOf(sdk, error, this.#plan);
    }
  }

  async #borrowed(editor: EditorIssuer): Promise<LiveAccount> {
    const { ports, label, hide, authorization } = this.#context;
    if (!ports.editor) {
      throw new HostError('signInRequired', 'the editor has no accounts');
    }
    const { owner, scope, discovery } = this.#plan;
    const rejected = authorization.account.rejectedToken;
    const now = (): number => ports.clock.now();
    const demand = { owner, editor, issuer: discovery.issuer, scope, label, rejected, now };
    const account = await askForAccount(ports.editor.accounts, demand, this.#abort.signal);
    hide(account.tokens.accessToken);
    return account;
  }

  async #byClient(sdk: Sdk): Promise<Account> {
    const { redirectUri: _none, ...oauthClient } = await clientFor(sdk, this.#plan, '', this.#fetch);
    const key = this.#newKey();
    const source = await this.#sourceOf(sdk, oauthClient, key);
    return this.#accountOf(oauthClient, key, await requestOwnTokens(sdk, source, this.#plan.scope));
  }

  async #byBrowser(sdk: Sdk): Promise<Account> {
    const { ports, hide } = this.#context;
    const { owner, options, oauthClient: planned, discovery, scope, resource } = this.#plan;
    const before = planned.kind === 'known' ? planned.oauthClient.redirectUri : undefined;
    const redirect = await openRedirect({ fixed: options.redirectUri, before }, ports.browser);
    try {
      const registering = clientFor(sdk, this.#plan, redirect.uri, this.#fetch);
      const oauthClient = await unlessAborted(registering, this.#abort.signal);
      if (oauthClient.how === 'registered') {
        hide(oauthClient.clientSecret ?? '');
        // Before the browser opens: it stays registered if you don't finish.
        await ports.accounts.saveClient(owner, oauthClient);
      }
      const state = randomBytes(32).toString('base64url');
      const { authorizationUrl, codeVerifier } = await sdk.startAuthorization(discovery.issuer, {
        ...(discovery.metadata && { metadata: discovery.metadata }),
        clientInformation: { client_id: oauthClient.clientId },
        redirectUrl: redirect.uri,
        state,
        ...(scope !== undefined && { scope }),
        ...(resource !== undefined && { resource }),
      });
      [state, codeVerifier].forEach(hide);
      const answer = await this.#answer(redirect, authorizationUrl.href, state);
      return await this.#finished(sdk, answer, oauthClient, codeVerifier, redirect.uri);
    } finally {
      redirect.listener?.dispose();
    }
  }

  /**
   * Opens the browser, and waits until it comes back, or you paste where it ended.
   *
   * @throws HostError `signInRequired` when that takes too long.
   */
  async #answer({ uri, listener }: Redirect, href: string, state: string): Promise<RedirectAnswer> {
    const { ports, opened } = this.#context;
    const { signal } = this.#abort;
    const { url: address } = await new AddressCheck(this.#plan.owner.url, ports.connections).browser(href);
    const pasted = Promise.withResolvers<RedirectAnswer>();
    const listening = listener?.answer(state, uri);
    if (signal.aborted) {
      throw new CancellationError();
    }
    const isOpened = await ports.browser.open(address).catch(() => false);
    this.#paste = (text) => pasted.resolve({ parameters: pastedAnswer(text, uri, state), respond: () => {} });
    opened({ address, isOpened });
    const late = Promise.withResolvers<never>();
    const limit = ports.clock.after(WAIT_MINUTES * 60_000, () =>
      late.reject(
        new HostError('signInRequired', lateText(this.#plan), { word: 'no answer from the browser' }),
      ),
    );
    try {
      const answers = [pasted.promise, ...(listening ? [listening] : []), late.promise];
      return await unlessAborted(Promise.race(answers), signal);
    } finally {
      limit.dispose();
    }
  }

  /** Reads the answer: `iss` is compared before anything else of it is used or shown (RFC 9207, 2.4). */
  async #finished(
    sdk: Sdk,
    { parameters, respond }: RedirectAnswer,
    oauthClient: RegisteredClient,
    verifier: string,
    redirectUri: string,
  ): Promise<Account> {
    const { hide, label } = this.#context;
    const { metadata, issuer } = this.#plan.discovery;
    try {
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
      hide(code);
      const key = this.#newKey();
      const source = await this.#sourceOf(sdk, oauthClient, key);
      const given = await exchangeCode(sdk, source, { code, iss, verifier, redirectUri });
      const account = this.#accountOf(oauthClient, key, given);
      respond({ title: `You are signed in to ${label}`, text: 'MCP Host in your editor has what it needs.' });
      return account;
    } catch (error) {
      const failure = failureOf(sdk, error, this.#plan);
      respond({
        title: `You are not signed in to ${label}`,
        text: `The reason: ${failure.message}. Your editor shows what you can do next.`,
      });
      throw failure;
    }
  }

  #accountOf(
    oauthClient: RegisteredClient,
    proofKey: string | undefined,
    given: Parameters<typeof storedTokens>[0],
  ): Account {
    const { ports, hide } = this.#context;
    const { owner, discovery, resource, scope } = this.#plan;
    const now = ports.clock.now();
    const tokens = storedTokens(given, now, proofKey !== undefined);
    [tokens.accessToken, tokens.refreshToken, given.id_token, oauthClient.clientSecret].forEach(
      (value) => value !== undefined && hide(value),
    );
    return {
      ...owner,
      id: randomUUID(),
      issuer: discovery.issuer,
      oauthClient,
      ...(resource !== undefined && { resource }),
      ...(scope !== undefined && { askedScope: scope }),
      tokens,
      ...(tokens.type === 'DPoP' && proofKey !== undefined && { proofKey }),
      ...nameOf(given.id_token),
      since: now,
    };
  }

  /** For tokens that are bound to a key. */
  #newKey(): string | undefined {
    return this.#plan.hasProof ? newProofKey() : undefined;
  }

  async #sourceOf(
    sdk: Sdk,
    oauthClient: RegisteredClient,
    proofKey: string | undefined,
  ): Promise<TokenSource> {
    const { discovery, options, resource } = this.#plan;
    const { issuer, metadata } = discovery;
    const proof = proofKey === undefined ? undefined : await proofSession(sdk, proofKey);
    return { issuer, metadata, oauthClient, options, resource, fetch: this.#fetch, proof };
  }

  get #fetch(): TokenSource['fetch'] {
    return oauthFetch(new AddressCheck(this.#plan.owner.url, this.#context.ports.connections));
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

function failureOf(sdk: Sdk, error: unknown, plan: SignInPlan): HostError {
  const { issuer, issuers, metadata } = plan.discovery;
  const others = issuers.filter((one) => one !== issuer).map(hostOf);
  const elsewhere = `to sign in at ${others.join(' or ')} instead, name that issuer as "issuer" in "oauth" in the definition`;
  const takesDocuments = metadata?.client_id_metadata_document_supported === true;
  const help = takesDocuments ? `it takes ${documentHelp}` : others.length > 0 ? elsewhere : undefined;
  return isInvalidScope(sdk, error) ? scopeFailure(error, plan) : signInFailure(sdk, error, issuer, help);
}

/** A failure that says which scopes the issuer of a plan refuses, and what to do. */
function scopeFailure(error: unknown, plan: SignInPlan): HostError {
  const { options, discovery, refused } = withoutRefused(plan);
  const host = hostOf(discovery.issuer);
  const scopes = visibleText(scopeText(refused?.scopes ?? []) ?? '');
  const words =
    error instanceof Error && error.message !== 'invalid_scope' ? ` (${boundedText(error.message)})` : '';
  const fail = (message: string): HostError =>
    new HostError('signInRequired', message, { cause: error, word: 'scopes refused' });
  if (scopes === '') {
    return fail(
      `${host} wants to be asked for scopes${words}, and the server names none; name them as "scopes" in "oauth" in its definition`,
    );
  }
  if (refused?.isLeftOut === true) {
    return fail(`${host} refuses these scopes: ${scopes}${words}; sign in without them`);
  }
  if (plan.required) {
    const isOwn = ['preRegistered', 'metadataDocument'].includes(plan.oauthClient.kind);
    return fail(
      isOwn
        ? `${host} refuses the client of the definition these scopes, which the server requires: ${scopes}${words}; add them to that client at ${host}`
        : `${host} refuses these scopes, which the server requires: ${scopes}${words}; ask who runs ${host} to allow them`,
    );
  }
  return fail(
    options.scopes === undefined
      ? `${host} refuses these scopes, which the server asks for: ${scopes}${words}; name others as "scopes" in "oauth" in its definition`
      : `${host} refuses these scopes: ${scopes}${words}; change "scopes" in "oauth" in its definition`,
  );
}
