import { isSocketScheme } from '../addresses/serverAddress.ts';
import { randomUUID } from 'node:crypto';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import type { Logger } from '../../base/logging/logger.ts';
import type { HttpServerDefinition } from '../config/serverDefinition.ts';
import { secretsOfHeader, type SentHeader } from '../config/tokenText.ts';
import { namesLoopback } from '../addresses/addressKind.ts';
import { HostError, messageOf } from '../errors/hostError.ts';
import type { AskingServer } from '../questions/question.ts';
import { isRequired, type ConnectionState, type SignInState } from '../state/connectionState.ts';
import type { RequestAuthorization } from '../transport/http/requestAuthorization.ts';
import { isSetToken, type UsedAccount } from './accounts/account.ts';
import { OtherResource } from './network/discovery.ts';
import { ServerAccount, SIGN_IN_REQUIRED, type SignedOut, type SignInPorts } from './serverAccount.ts';
import {
  isSameDemand,
  reasonOf,
  ServerAuthorization,
  TOKEN_REQUIRED,
  type SignInDemand,
} from './serverAuthorization.ts';
import { SignInAsking } from './signInAsking.ts';
import { SignInAttempt, type Tried } from './signInAttempt.ts';
import { findPlan, isGuess, offerOf, type SignInPlan } from './signInPlan.ts';

/** Milliseconds for which it isn't found out again why you can't sign in, unless you ask. */
const REFUSED_MS = 30_000;

interface SignInContext {
  readonly ports: SignInPorts;
  readonly server: () => AskingServer;
  /** Has the state that this sign-in is a part of. */
  readonly connection: {
    readonly state: ConnectionState;
    readonly logger: Logger;
    setSignIn(signIn: SignInState | undefined): void;
  };
  /** Values that appear in no log and no failure. */
  readonly secrets: Pick<Set<string>, 'add'>;
  /** Called when there is another account, of this window or another. */
  readonly signedIn: () => void;
  /** Called when the account may be another one: you have signed in or out, here or elsewhere, or a token was refreshed. */
  readonly accountChanged: () => void;
}

/** Signs you in to one server: finds out how, asks you, carries that out, and keeps the state of the server up to date. */
export class ServerSignIn implements Disposable {
  readonly #context: SignInContext;
  readonly #store = new DisposableStore();
  readonly #asking: SignInAsking;
  /** Of the server as it was started last. */
  #target: ServerAuthorization | undefined;
  #demand: SignInDemand | undefined;
  /** The latest plan. */
  #plan: SignInPlan | undefined;
  /** Finds out how you would sign in. */
  #search: AbortController | undefined;
  /** When it was found out that you can't sign in, in milliseconds since the epoch. */
  #refusedAt = -Infinity;
  #attempt: SignInAttempt | undefined;

  constructor(context: SignInContext) {
    this.#context = context;
    const { accounts, editor, questions } = context.ports;
    this.#asking = new SignInAsking(questions, context.server);
    this.#store.add(
      accounts.onDidChange(({ server, url }) => {
        const owner = this.#target?.account.owner;
        if (owner?.server === server && owner.url === url) {
          void this.#accountChanged();
        }
      }),
    );
    if (editor) {
      this.#store.add(editor.accounts.onDidChange(() => void this.#accountChanged()));
    }
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
    const state = this.#state;
    if (state?.kind !== 'required') {
      return;
    }
    if (state.offer && this.#plan) {
      if (isChosen || state.reason.needs !== 'token') {
        this.#ask(this.#plan, state.reason);
      }
    } else if (this.#demand) {
      this.#endSearch();
      this.#require(this.#demand);
    }
  }

  /**
   * Signs you in as the plan says that you have seen; you have just selected that.
   *
   * @throws HostError that says why not; CancellationError if it was cancelled.
   */
  async signIn(): Promise<void> {
    const [state, plan, authorization] = [this.#state, this.#plan, this.#target];
    if (state?.kind !== 'required' || !state.offer || !plan || !authorization) {
      throw new HostError('notOffered', 'the server does not require you to sign in');
    }
    const { ports, server, secrets } = this.#context;
    const attempt = new SignInAttempt(
      {
        ports,
        authorization,
        label: server().label,
        hide: (value) => secrets.add(value),
        opened: (browser) => {
          if (this.#attempt === attempt) {
            this.#set({ kind: 'inBrowser', offer: offerOf(plan), ...browser });
          }
        },
      },
      plan,
    );
    this.#asking.withdraw();
    this.#attempt = attempt;
    this.#set({ kind: 'working' });
    const tried = await attempt.signIn();
    if (this.#attempt === attempt) {
      this.#attempt = undefined;
      this.#ended(tried, plan);
    }
    if (tried.kind !== 'signedIn') {
      throw tried.kind === 'failed' ? tried.failure : new CancellationError();
    }
  }

  /** Ends a sign-in that waits for the browser. */
  cancel(): void {
    this.#attempt?.cancel();
  }

  /**
   * Takes the address at which the browser ended, if it can't reach this machine.
   *
   * @throws HostError `invalidArguments`, `notOffered`
   */
  paste(text: string): void {
    if (!this.#attempt) {
      throw new HostError('notOffered', 'no sign-in waits for an answer');
    }
    this.#attempt.paste(text);
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
    const signedInAt = account && !isSetToken(account) ? account.issuer : undefined;
    const issuer = this.#plan?.discovery.issuer ?? signedInAt;
    this.#end();
    if (!target || issuer === undefined) {
      return;
    }
    await target.account.forgetClient(issuer);
    await target.account.forget();
    this.#asking.forgetDeclined();
    this.#set(undefined);
    this.#require(this.#demand ?? firstDemand);
  }

  dispose(): void {
    this.#reset();
    this.#store.dispose();
  }

  /** Call when the server was stopped, or may not run: nothing is asked any longer. */
  stopped(): void {
    this.#end();
  }

  get #state(): SignInState | undefined {
    return this.#context.connection.state.signIn;
  }

  #set(state: SignInState | undefined): void {
    this.#context.connection.setSignIn(state);
  }

  #require(demand: SignInDemand): void {
    const state = this.#state;
    const isKnown =
      state?.kind === 'required' &&
      isSameDemand(this.#demand, demand) &&
      (state.offer !== undefined || this.#context.ports.clock.now() - this.#refusedAt < REFUSED_MS);
    const target = this.#target;
    if (!target || this.#attempt || this.#search || isKnown) {
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
    // Not for a server that was stopped meanwhile.
    if (this.#state?.kind === 'finding') {
      void this.#find(target.account, demand);
    }
  }

  /** Finds out how you would sign in, while nothing waits for that. */
  async #find(account: ServerAccount, demand: SignInDemand): Promise<void> {
    const search = new AbortController();
    const { ports } = this.#context;
    this.#search = search;
    const found = await findPlan(ports, account, demand, search.signal).catch((error: unknown) =>
      error instanceof HostError ? error : new HostError('signInRequired', messageOf(error)),
    );
    if (search.signal.aborted) {
      return;
    }
    this.#search = undefined;
    this.#refusedAt = found instanceof HostError ? ports.clock.now() : -Infinity;
    if (!(found instanceof HostError)) {
      this.#found(found, demand);
    } else if (demand.refused) {
      this.#set({ kind: 'required', reason: reasonOf(demand) });
    } else if (isUnencrypted(account) && !(found instanceof OtherResource)) {
      this.#set({ kind: 'required', reason: tokenRequired() });
    } else {
      this.#failed(found);
    }
  }

  #found(plan: SignInPlan, demand: SignInDemand): void {
    const reason = reasonFor(demand, plan);
    this.#plan = plan;
    // Listeners of the state look for the question, and those of the answer look for the state.
    this.#context.ports.questions.inOneChange(() => {
      if (reason.needs !== 'token' && !demand.isRepeated) {
        this.#ask(plan, reason);
      }
      this.#set({ kind: 'required', reason, offer: offerOf(plan) });
    });
  }

  #ask(plan: SignInPlan, { message }: HostError): void {
    if (this.#attempt) {
      return;
    }
    const agreed = (): void => {
      this.signIn().catch(() => {
        // The state and the log say why.
      });
    };
    const reason = message === SIGN_IN_REQUIRED || plan.added ? undefined : message;
    this.#asking.ask({ plan, reason }, agreed, () => this.#set(undefined));
  }

  #ended(tried: Tried, { oauthClient }: SignInPlan): void {
    switch (tried.kind) {
      case 'signedIn':
        this.#asking.forgetDeclined();
        this.#context.connection.logger.log('info', `You are signed in at ${tried.account.issuer}.`);
        this.#satisfied();
        break;
      case 'cancelled': {
        const reason = reasonFor(this.#demand ?? firstDemand, tried.plan);
        const offer = offerOf(tried.plan);
        const mayBeUnknown = oauthClient.kind === 'known' || oauthClient.kind === 'metadataDocument';
        this.#plan = tried.plan;
        this.#set({ kind: 'required', reason, offer, ...(mayBeUnknown && { mayBeUnknown }) });
        break;
      }
      case 'failed':
        this.#failed(tried.failure, tried.plan);
    }
  }

  /** There is an account now. */
  #satisfied(): void {
    this.#demand = undefined;
    this.#set(undefined);
    this.#context.signedIn();
  }

  #failed(failure: HostError, plan?: SignInPlan): void {
    this.#context.connection.logger.log('warn', `Not signed in: ${failure.message}`);
    const { message, word } = failure;
    const needs = plan && isGuess(plan) ? 'token' : failure.needs;
    const reason = new HostError('signInRequired', message, { cause: failure, word, needs });
    this.#plan = plan ?? this.#plan;
    this.#set({ kind: 'required', reason, ...(plan && { offer: offerOf(plan) }) });
  }

  async #accountChanged(): Promise<void> {
    const used = this.#target?.account;
    if (!used) {
      return;
    }
    used.changed();
    if (isRequired(this.#state) && !this.#attempt) {
      const { lacking, refused } = this.#demand ?? firstDemand;
      const account = await used.current().catch(() => undefined);
      const isOther = account !== undefined && account.id !== lacking?.id && account.id !== refused?.id;
      if (isOther && this.#target?.account === used && isRequired(this.#state)) {
        this.#endSearch();
        this.#asking.withdraw();
        this.#satisfied();
      }
    }
    this.#context.accountChanged();
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
    this.#plan = undefined;
    this.#demand = undefined;
    this.#asking.forgetRefused();
    this.#set(undefined);
  }

  /** Ends what is under way. */
  #end(): void {
    this.#endSearch();
    this.#attempt?.cancel();
    this.#attempt = undefined;
    this.#asking.withdraw();
  }

  /** Ends the search, and forgets its latest result. */
  #endSearch(): void {
    this.#search?.abort();
    this.#search = undefined;
    this.#refusedAt = -Infinity;
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
