import { isDeepStrictEqual } from 'node:util';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { Logger } from '../../base/logging/logger.ts';
import type { HttpServerDefinition } from '../config/serverDefinition.ts';
import { HostError } from '../errors/hostError.ts';
import type { AskingServer } from '../questions/question.ts';
import { loadSdk } from '../sdk/loadSdk.ts';
import type { RequestAuthorization } from '../transport/http/requestAuthorization.ts';
import type { AccountOwner, LiveAccount } from './accounts/account.ts';
import { signInBy, type OpenBrowser } from './browserLeg.ts';
import { PlanSearch } from './planSearch.ts';
import { scopeText } from './scopes.ts';
import { ServerAccount, type SignedOut } from './serverAccount.ts';
import { ServerAuthorization, type SignInDemand } from './serverAuthorization.ts';
import { isUnknownClient } from './signInFailure.ts';
import { withRegistration, type SignInPlan } from './signInPlan.ts';
import type { SignInPorts } from './signInPorts.ts';
import { signInQuestions, type SignInQuestion } from './signInQuestion.ts';

/** Where one server's sign-in is. */
export type SignInState =
  /** Nothing is required of you, as far as this window knows. */
  | { readonly kind: 'none' }
  /** You have to sign in, or to grant more; MCP Host finds out how. */
  | { readonly kind: 'finding'; readonly reason: HostError }
  /** You can sign in as the plan says; without a plan, `reason` says why you can't. */
  | { readonly kind: 'required'; readonly reason: HostError; readonly plan?: SignInPlan }
  /** MCP Host prepares the sign-in, or exchanges its answer. */
  | { readonly kind: 'working' }
  | ({ readonly kind: 'inBrowser' } & OpenBrowser);

interface SignInContext {
  readonly ports: SignInPorts;
  readonly server: () => AskingServer;
  readonly logger: Logger;
  /** Values that appear in no log and no failure. */
  readonly secrets: Pick<Set<string>, 'add'>;
}

/** The server as it was started last. */
interface Target {
  readonly account: ServerAccount;
  readonly authorization: ServerAuthorization;
}

/** The sign-in of one server: what is required, your question, the browser, the account. */
export class ServerSignIn implements Disposable {
  readonly #context: SignInContext;
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  readonly #onDidSignIn = new Emitter<void>();
  /** There is another account now: this window's or another's. */
  readonly onDidSignIn = this.#onDidSignIn.event;
  readonly #follows: readonly Disposable[];
  /** Scopes that you refused to grant, as texts. */
  readonly #refused = new Set<string>();
  readonly #search: PlanSearch;
  #state: SignInState = { kind: 'none' };
  #target: Target | undefined;
  /** The issuer of the latest plan. */
  #issuer: string | undefined;
  #demand: SignInDemand | undefined;
  #question: Disposable | undefined;
  /** You answered "Not Now": you are not asked again until you start the server, or say so. */
  #isDeclined = false;
  #leg: AbortController | undefined;

  constructor(context: SignInContext) {
    this.#context = context;
    this.#search = new PlanSearch(context.ports);
    const { accounts, editor } = context.ports;
    this.#follows = [
      accounts.onDidChange((owner) => void this.#accountChanged(owner)),
      ...(editor ? [editor.accounts.onDidChange(() => this.#editorChanged())] : []),
    ];
  }

  get state(): SignInState {
    return this.#state;
  }

  /** The account that requests carry; undefined without one. */
  account(): Promise<LiveAccount | undefined> {
    return this.#target?.account.current() ?? Promise.resolve(undefined);
  }

  /** What the requests of a connection to this definition carry; its variables are replaced. */
  authorize(definition: HttpServerDefinition): RequestAuthorization {
    const before = this.#target;
    const account = new ServerAccount(definition, this.#context.ports);
    if (before && isSameSignIn(before.account, account)) {
      return before.authorization;
    }
    const { options } = account;
    this.#reset();
    [options.clientSecret, options.privateKey].forEach(
      (value) => value !== undefined && this.#context.secrets.add(value),
    );
    const authorization = new ServerAuthorization({
      account,
      now: () => this.#context.ports.clock.now(),
      hide: (value) => this.#context.secrets.add(value),
      demand: (demand) => this.#require(demand),
      hasRefused: (scopes) => this.#refused.has(textOf(scopes)),
    });
    this.#target = { account, authorization };
    return authorization;
  }

  /** Call when you start the server, or look at its sign-in: you are asked even if you said "Not Now". */
  askAgain(): void {
    this.#isDeclined = false;
    this.#refused.clear();
    if (this.#state.kind !== 'required') {
      return;
    }
    if (this.#state.plan) {
      this.#ask(this.#state.plan);
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
    await this.#leave(this.#state.plan, this.#target);
  }

  /** Ends a sign-in that waits for the browser. */
  cancel(): void {
    this.#leg?.abort();
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
    this.#refused.clear();
    return (await this.#target?.account.revoke()) ?? 'forgotten';
  }

  /** Signs out, and registers this host again at the next sign-in, because the issuer has forgotten it. */
  async registerAgain(): Promise<void> {
    const target = this.#target;
    const issuer = this.#issuer ?? (await this.account())?.issuer;
    this.#end();
    if (!target || issuer === undefined) {
      return;
    }
    await target.account.forgetClient(issuer);
    await this.#context.ports.accounts.remove(target.account.owner);
    target.account.changed();
    this.#isDeclined = false;
    this.#set({ kind: 'none' });
    this.#require(this.#demand ?? { challenge: {}, reason: 'the server requires you to sign in' });
  }

  dispose(): void {
    this.#reset();
    this.#follows.forEach((one) => one.dispose());
    this.#onDidChange.dispose();
    this.#onDidSignIn.dispose();
  }

  /** Call when the server was stopped: nothing is asked any longer. */
  stopped(): void {
    this.#end();
    this.#set({ kind: 'none' });
  }

  #require(demand: SignInDemand): void {
    const before = this.#demand;
    const isSame =
      before?.challenge.scope === demand.challenge.scope && before?.lacking?.id === demand.lacking?.id;
    const isKnown =
      this.#state.kind === 'required' &&
      isSame &&
      (this.#state.plan !== undefined || this.#search.wasRefused);
    if (!this.#target || this.#leg || this.#search.isRunning || isKnown) {
      return;
    }
    this.#demand = demand;
    const reason = new HostError('signInRequired', demand.reason);
    this.#withdraw();
    this.#set({ kind: 'finding', reason });
    void this.#search.run(
      this.#target.account,
      demand,
      (plan) => {
        this.#issuer = plan.discovery.issuer;
        // With the question, because listeners look for it.
        this.#state = { kind: 'required', reason, plan };
        this.#ask(plan);
        this.#onDidChange.fire();
      },
      (failure) => this.#failed(failure),
    );
  }

  #ask(plan: SignInPlan): void {
    if (this.#isDeclined || this.#question || this.#leg) {
      return;
    }
    const question: SignInQuestion = { kind: signInQuestions, server: this.#context.server(), plan };
    const { questions } = this.#context.ports;
    const asked = questions.ask(question, (answer) => {
      this.#question = undefined;
      if (answer === 'signIn') {
        this.signIn().catch(() => {
          // The state and the log say why.
        });
      } else {
        this.#decline(plan);
      }
    });
    // It may have been answered at once.
    this.#question = questions.questions.includes(question) ? asked : undefined;
  }

  #decline({ added }: SignInPlan): void {
    if (added) {
      this.#refused.add(textOf(added));
      this.#set({ kind: 'none' });
    } else {
      this.#isDeclined = true;
    }
  }

  async #registered(plan: SignInPlan): Promise<SignInPlan> {
    const { accounts, clock } = this.#context.ports;
    const known = await accounts.oauthClient(plan.owner, plan.discovery.issuer);
    return withRegistration(plan, known, clock.now());
  }

  async #leave(shown: SignInPlan, target: Target): Promise<void> {
    const leg = new AbortController();
    const { ports, server, secrets, logger } = this.#context;
    const { label } = server();
    this.#withdraw();
    this.#leg = leg;
    this.#set({ kind: 'working' });
    let plan = shown;
    try {
      const sdk = await loadSdk();
      plan = await this.#registered(shown);
      const account = await signInBy(
        {
          sdk,
          plan,
          label,
          ports,
          rejected: target.account.rejectedToken,
          hide: (value) => secrets.add(value),
          opened: (browser) => this.#leg === leg && this.#set({ kind: 'inBrowser', ...browser }),
          registered: (oauthClient) => ports.accounts.saveClient(plan.owner, oauthClient),
        },
        leg.signal,
      );
      await target.account.keep(account);
      target.authorization.signedIn(account);
      if (this.#leg !== leg) {
        return;
      }
      this.#leg = undefined;
      this.#demand = undefined;
      this.#isDeclined = false;
      logger.log('info', `You are signed in at ${account.issuer}.`);
      this.#set({ kind: 'none' });
      this.#onDidSignIn.fire();
    } catch (error) {
      if (isUnknownClient(await loadSdk(), error instanceof Error ? error.cause : undefined)) {
        await target.account.forgetClient(plan.discovery.issuer);
      }
      const next = await this.#registered(plan).catch(() => plan);
      const reason = this.#demand?.reason ?? 'the server requires you to sign in';
      const failure =
        error instanceof HostError ? error : new HostError('signInRequired', reason, { cause: error });
      if (this.#leg === leg) {
        this.#leg = undefined;
        if (error instanceof CancellationError) {
          this.#set({ kind: 'required', reason: new HostError('signInRequired', reason), plan: next });
        } else {
          this.#failed(failure, next);
        }
      }
      throw error instanceof CancellationError ? error : failure;
    }
  }

  #failed(failure: HostError, plan?: SignInPlan): void {
    this.#context.logger.log('warn', `Not signed in: ${failure.message}`);
    const reason = new HostError('signInRequired', failure.message, { cause: failure });
    this.#set({ kind: 'required', reason, ...(plan && { plan }) });
  }

  /** Another window has signed in or out, or refreshed a token. */
  async #accountChanged({ server, url }: AccountOwner): Promise<void> {
    const target = this.#target;
    if (target?.account.owner.server !== server || target.account.owner.url !== url) {
      return;
    }
    target.account.changed();
    if (!this.#isRequired || this.#leg) {
      return;
    }
    const lacking = this.#demand?.lacking;
    const account = await target.account.current().catch(() => undefined);
    if (account && account.id !== lacking?.id && this.#target === target && this.#isRequired) {
      this.#search.forget();
      this.#withdraw();
      this.#demand = undefined;
      this.#set({ kind: 'none' });
      this.#onDidSignIn.fire();
    }
  }

  /** You may have signed in or out in the editor. */
  #editorChanged(): void {
    if (this.#target) {
      void this.#accountChanged(this.#target.account.owner);
      this.#onDidChange.fire();
    }
  }

  get #isRequired(): boolean {
    return this.#state.kind === 'finding' || this.#state.kind === 'required';
  }

  #reset(): void {
    this.#end();
    this.#target = undefined;
    this.#issuer = undefined;
    this.#demand = undefined;
    this.#refused.clear();
    this.#set({ kind: 'none' });
  }

  #end(): void {
    this.#search.forget();
    this.#leg?.abort();
    this.#leg = undefined;
    this.#withdraw();
  }

  #withdraw(): void {
    this.#question?.dispose();
    this.#question = undefined;
  }

  #set(state: SignInState): void {
    if (this.#state.kind === 'none' && state.kind === 'none') {
      return;
    }
    this.#state = state;
    this.#onDidChange.fire();
  }
}

function textOf(scopes: readonly string[]): string {
  return scopeText([...scopes].sort()) ?? '';
}

function isSameSignIn(one: ServerAccount, other: ServerAccount): boolean {
  return one.owner.url === other.owner.url && isDeepStrictEqual(one.options, other.options);
}
