import { isSocketScheme } from '../addresses/serverAddress.ts';
import { randomUUID } from 'node:crypto';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { Logger } from '../../base/logging/logger.ts';
import type { HttpServerDefinition } from '../config/serverDefinition.ts';
import { secretsOfHeader, type SentHeader } from '../config/tokenText.ts';
import { namesLoopback } from '../addresses/addressKind.ts';
import { HostError } from '../errors/hostError.ts';
import type { AskingServer } from '../questions/question.ts';
import type { RequestAuthorization } from '../transport/http/requestAuthorization.ts';
import { onAccountChange } from './accountChanges.ts';
import { isSetToken, type UsedAccount } from './accounts/account.ts';
import type { OpenBrowser } from './browserSignIn.ts';
import { OtherResource } from './network/discovery.ts';
import { PlanSearch } from './planSearch.ts';
import { ServerAccount, SIGN_IN_REQUIRED, type SignedOut } from './serverAccount.ts';
import {
  isSameDemand,
  reasonOf,
  ServerAuthorization,
  TOKEN_REQUIRED,
  type SignInDemand,
} from './serverAuthorization.ts';
import { SignInAsking } from './signInAsking.ts';
import { isGuess, type SignInPlan } from './signInPlan.ts';
import type { SignInPorts } from './signInPorts.ts';
import { isRequired, type SignInState } from './signInState.ts';
import { SignInAttempt, type Tried } from './signInAttempt.ts';

interface SignInContext {
  readonly ports: SignInPorts;
  readonly server: () => AskingServer;
  readonly logger: Logger;
  /** Values that appear in no log and no failure. */
  readonly secrets: Pick<Set<string>, 'add'>;
}

/** The sign-in of one server: what is required, your question, the browser, the account. */
export class ServerSignIn implements Disposable {
  readonly #context: SignInContext;
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  readonly #onDidSignIn = new Emitter<void>();
  /** There is another account now: this window's or another's. */
  readonly onDidSignIn = this.#onDidSignIn.event;
  readonly #follows: Disposable;
  readonly #asking: SignInAsking;
  readonly #search: PlanSearch;
  #state: SignInState = { kind: 'none' };
  /** Of the server as it was started last. */
  #target: ServerAuthorization | undefined;
  /** The issuer of the latest plan. */
  #issuer: string | undefined;
  #demand: SignInDemand | undefined;
  #signingIn: AbortController | undefined;

  constructor(context: SignInContext) {
    this.#context = context;
    this.#search = new PlanSearch(context.ports);
    this.#asking = new SignInAsking(context.ports.questions, context.server);
    this.#follows = onAccountChange(
      context.ports,
      () => this.#target?.account,
      (account) => void this.#accountChanged(account),
    );
  }

  get state(): SignInState {
    return this.#state;
  }

  /** The account that requests carry; undefined without one. */
  account(): Promise<UsedAccount | undefined> {
    return this.#target?.account.current() ?? Promise.resolve(undefined);
  }

  /**
   * Keeps a token that the requests to this server carry from now on, in place of a sign-in.
   *
   * @throws HostError `notOffered` while the address of the server isn't known; UnreadableAccounts.
   */
  async setToken(sent: SentHeader): Promise<void> {
    const account = this.#target?.account ?? this.#accountBefore();
    secretsOfHeader(sent).forEach((value) => this.#context.secrets.add(value));
    const since = this.#context.ports.clock.now();
    await account.keep({ ...account.owner, ...sent, id: randomUUID(), since });
    this.#end();
    this.#satisfied();
  }

  /** What the requests of a connection to this definition carry; its variables are replaced. */
  authorize(definition: HttpServerDefinition): RequestAuthorization {
    const before = this.#target;
    const account = new ServerAccount(definition, this.#context.ports);
    if (before?.account.isFor(account)) {
      return before;
    }
    this.#reset();
    account.secrets.forEach((value) => this.#context.secrets.add(value));
    this.#target = new ServerAuthorization({
      account,
      fetch: this.#context.ports.connections.fetch,
      now: () => this.#context.ports.clock.now(),
      hide: (value) => this.#context.secrets.add(value),
      demand: (demand) => this.#require(demand),
      hasRefused: (scopes) => this.#asking.hasRefused(scopes),
    });
    return this.#target;
  }

  /**
   * Call when you start the server, or look at its sign-in: you are asked even if you said "Not Now".
   *
   * @param isChosen You want to sign in, even if the server more likely needs a token.
   */
  askAgain(isChosen = false): void {
    this.#asking.forget();
    this.#target?.forgetRefusals();
    if (this.#state.kind !== 'required') {
      return;
    }
    if (this.#state.plan) {
      if (isChosen || this.#state.reason.needs !== 'token') {
        this.#ask(this.#state.plan, this.#state.reason);
      }
    } else if (this.#demand) {
      this.#search.forget();
      this.#require(this.#demand);
    }
  }

  /**
   * Signs you in as the plan says that you have seen; you have just selected that.
   *
   * @throws HostError that says why not; CancellationError if it was cancelled.
   */
  async signIn(): Promise<void> {
    if (this.#state.kind !== 'required' || !this.#state.plan || !this.#target) {
      throw new HostError('notOffered', 'the server does not require you to sign in');
    }
    await this.#try(this.#state.plan, this.#target);
  }

  /** Ends a sign-in that waits for the browser. */
  cancel(): void {
    this.#signingIn?.abort();
  }

  /**
   * Takes the address at which the browser ended, if it can't reach this machine.
   *
   * @throws HostError `invalidArguments`, `notOffered`
   */
  paste(text: string): void {
    if (this.#state.kind !== 'inBrowser') {
      throw new HostError('notOffered', 'no sign-in waits for an answer');
    }
    this.#state.paste(text);
  }

  /**
   * Signs you out: the issuer revokes what it gave, if it can; an account of the editor's is no longer used.
   *
   * @throws HostError that says why it did not revoke; the account is forgotten all the same.
   */
  async signOut(): Promise<SignedOut> {
    this.cancel();
    this.#asking.forgetRefused();
    return (await this.#target?.account.revoke()) ?? 'forgotten';
  }

  /** Signs out, and registers this host again at the next sign-in, because the issuer has forgotten it. */
  async registerAgain(): Promise<void> {
    const target = this.#target;
    const account = await this.account();
    const issuer = this.#issuer ?? (account && !isSetToken(account) ? account.issuer : undefined);
    this.#end();
    if (!target || issuer === undefined) {
      return;
    }
    await target.account.forgetClient(issuer);
    await target.account.forget();
    this.#asking.forgetDeclined();
    this.#set({ kind: 'none' });
    this.#require(this.#demand ?? firstDemand);
  }

  dispose(): void {
    this.#reset();
    this.#follows.dispose();
    this.#onDidChange.dispose();
    this.#onDidSignIn.dispose();
  }

  /** Call when the server was stopped: nothing is asked any longer. */
  stopped(): void {
    this.#end();
    this.#set({ kind: 'none' });
  }

  #require(demand: SignInDemand): void {
    const isKnown =
      this.#state.kind === 'required' &&
      isSameDemand(this.#demand, demand) &&
      (this.#state.plan !== undefined || this.#search.wasRefused);
    const target = this.#target;
    if (!target || this.#signingIn || this.#search.isRunning || isKnown) {
      return;
    }
    this.#demand = demand;
    const reason = reasonOf(demand);
    this.#asking.withdraw();
    if (demand.isToken) {
      this.#set({ kind: 'required', reason });
      return;
    }
    this.#set({ kind: 'finding', reason });
    void this.#search.run(
      target.account,
      demand,
      (plan) => {
        this.#issuer = plan.discovery.issuer;
        // With the question, because listeners look for it.
        this.#state = { kind: 'required', reason: reasonFor(demand, plan), plan };
        if (this.#state.reason.needs !== 'token' && !demand.isRepeated) {
          this.#ask(plan, this.#state.reason);
        }
        this.#onDidChange.fire();
      },
      (failure) => {
        const isOther = failure instanceof OtherResource;
        if (demand.refused || (isUnencrypted(target.account) && !isOther)) {
          this.#set({ kind: 'required', reason: demand.refused ? reason : tokenRequired() });
        } else {
          this.#failed(failure);
        }
      },
    );
  }

  #ask(plan: SignInPlan, { message }: HostError): void {
    if (this.#signingIn) {
      return;
    }
    const agreed = (): void => {
      this.signIn().catch(() => {
        // The state and the log say why.
      });
    };
    const reason = message === SIGN_IN_REQUIRED || plan.added ? undefined : message;
    this.#asking.ask({ plan, reason }, agreed, () => this.#set({ kind: 'none' }));
  }

  async #try(plan: SignInPlan, authorization: ServerAuthorization): Promise<void> {
    const signingIn = new AbortController();
    const { ports, server, secrets } = this.#context;
    this.#asking.withdraw();
    this.#signingIn = signingIn;
    this.#set({ kind: 'working' });
    const hide = (value: string): unknown => secrets.add(value);
    const opened = (browser: OpenBrowser): void => {
      if (this.#signingIn === signingIn) {
        this.#set({ kind: 'inBrowser', plan, ...browser });
      }
    };
    const attempt = new SignInAttempt({ ports, authorization, label: server().label, hide, opened }, plan);
    const tried = await attempt.signIn(signingIn.signal);
    if (this.#signingIn === signingIn) {
      this.#signingIn = undefined;
      this.#ended(tried, plan);
    }
    if (tried.kind !== 'signedIn') {
      throw tried.kind === 'failed' ? tried.failure : new CancellationError();
    }
  }

  #ended(tried: Tried, { oauthClient }: SignInPlan): void {
    switch (tried.kind) {
      case 'signedIn':
        this.#asking.forgetDeclined();
        this.#context.logger.log('info', `You are signed in at ${tried.account.issuer}.`);
        this.#satisfied();
        break;
      case 'cancelled': {
        const reason = reasonFor(this.#demand ?? firstDemand, tried.plan);
        const mayBeUnknown = oauthClient.kind === 'known' || oauthClient.kind === 'metadataDocument';
        this.#set({ kind: 'required', reason, plan: tried.plan, ...(mayBeUnknown && { mayBeUnknown }) });
        break;
      }
      case 'failed':
        this.#failed(tried.failure, tried.plan);
    }
  }

  /** There is an account now. */
  #satisfied(): void {
    this.#demand = undefined;
    this.#set({ kind: 'none' });
    this.#onDidSignIn.fire();
  }

  #failed(failure: HostError, plan?: SignInPlan): void {
    this.#context.logger.log('warn', `Not signed in: ${failure.message}`);
    const { message, word } = failure;
    const needs = plan && isGuess(plan) ? 'token' : failure.needs;
    const reason = new HostError('signInRequired', message, { cause: failure, word, needs });
    this.#set({ kind: 'required', reason, ...(plan && { plan }) });
  }

  async #accountChanged(used: ServerAccount): Promise<void> {
    if (isRequired(this.#state) && !this.#signingIn) {
      const { lacking, refused } = this.#demand ?? firstDemand;
      const account = await used.current().catch(() => undefined);
      const isOther = account !== undefined && account.id !== lacking?.id && account.id !== refused?.id;
      if (isOther && this.#target?.account === used && isRequired(this.#state)) {
        this.#search.forget();
        this.#asking.withdraw();
        this.#satisfied();
      }
    }
    this.#onDidChange.fire();
  }

  /** Before the first start: with a variable in it, the address is known only afterwards. */
  #accountBefore(): ServerAccount {
    const { definition } = this.#context.server();
    if (definition.type !== 'stdio' && isSocketScheme(definition.url)) {
      throw new HostError('notOffered', 'nobody signs in over a socket; add a header to its definition');
    }
    if (definition.type === 'stdio' || definition.url.includes('${') || !URL.canParse(definition.url)) {
      throw new HostError('notOffered', 'its address is not known yet; start it first');
    }
    return new ServerAccount(definition, this.#context.ports);
  }

  #reset(): void {
    this.#end();
    this.#target = undefined;
    this.#issuer = undefined;
    this.#demand = undefined;
    this.#asking.forgetRefused();
    this.#set({ kind: 'none' });
  }

  #end(): void {
    this.#search.forget();
    this.#signingIn?.abort();
    this.#signingIn = undefined;
    this.#asking.withdraw();
  }

  #set(state: SignInState): void {
    if (this.#state.kind === 'none' && state.kind === 'none') {
      return;
    }
    this.#state = state;
    this.#onDidChange.fire();
  }
}

const firstDemand: SignInDemand = { challenge: {}, reason: SIGN_IN_REQUIRED };

/** The reason once it is known how you would sign in. */
function reasonFor(demand: SignInDemand, plan: SignInPlan): HostError {
  return !demand.refused && isGuess(plan) ? tokenRequired() : reasonOf(demand);
}

function tokenRequired(): HostError {
  return new HostError('signInRequired', TOKEN_REQUIRED, { word: 'token required', needs: 'token' });
}

/** Where signing in isn't possible, because the tokens of an issuer must not be sent like that. */
function isUnencrypted({ owner }: ServerAccount): boolean {
  const url = new URL(owner.url);
  return url.protocol === 'http:' && !namesLoopback(url);
}
