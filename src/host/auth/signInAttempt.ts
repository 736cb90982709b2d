import { CancellationError } from '../../base/lifetime/cancellation.ts';
import { HostError, messageOf } from '../errors/hostError.ts';
import { loadSdk } from '../sdk/loadSdk.ts';
import type { LiveAccount } from './accounts/account.ts';
import { signInBy, type OpenBrowser } from './browserSignIn.ts';
import { isInvalidScope, withoutRefused } from './refusedScopes.ts';
import type { ServerAuthorization } from './serverAuthorization.ts';
import { isUnknownClient } from './signInFailure.ts';
import { withRegistration, type SignInPlan } from './signInPlan.ts';
import type { SignInPorts } from './signInPorts.ts';

interface AttemptContext {
  readonly ports: SignInPorts;
  readonly authorization: ServerAuthorization;
  /** What the server is called. */
  readonly label: string;
  /** Called with each value that must not be logged. */
  readonly hide: (value: string) => void;
  /** Called when the browser has been opened, or couldn't be. */
  readonly opened: (browser: OpenBrowser) => unknown;
}

/** How a try ended; `plan` is that of the next one. */
export type Tried =
  | { readonly kind: 'signedIn'; readonly account: LiveAccount }
  | { readonly kind: 'cancelled'; readonly plan: SignInPlan }
  | { readonly kind: 'failed'; readonly plan: SignInPlan; readonly failure: HostError };

/** One try to sign in, by a plan that you have seen. */
export class SignInAttempt {
  readonly #context: AttemptContext;
  #plan: SignInPlan;

  constructor(context: AttemptContext, plan: SignInPlan) {
    this.#context = context;
    this.#plan = plan;
  }

  /** Signs in, and keeps the account. Never rejects. */
  async signIn(signal: AbortSignal): Promise<Tried> {
    try {
      return { kind: 'signedIn', account: await this.#signIn(signal) };
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

  async #signIn(signal: AbortSignal): Promise<LiveAccount> {
    const { ports, authorization, label, hide, opened } = this.#context;
    const { account } = authorization;
    const sdk = await loadSdk();
    this.#plan = await this.#registered();
    const plan = this.#plan;
    const rejected = account.rejectedToken;
    const registered = (oauthClient: Parameters<typeof ports.accounts.saveClient>[1]): Promise<void> =>
      ports.accounts.saveClient(plan.owner, oauthClient);
    const signedIn = await signInBy({ sdk, plan, label, ports, rejected, hide, opened, registered }, signal);
    await account.keep(signedIn);
    authorization.signedIn(signedIn);
    return signedIn;
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
}
