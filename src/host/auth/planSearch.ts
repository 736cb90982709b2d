import { HostError, messageOf } from '../errors/hostError.ts';
import { confusedClient } from '../launch/confusedClient.ts';
import { UnreadableAccounts } from './accounts/accountVault.ts';
import { AddressCheck } from './network/addressCheck.ts';
import { discoverFor, type Discovery } from './network/discovery.ts';
import type { ServerAccount } from './serverAccount.ts';
import type { SignInDemand } from './serverAuthorization.ts';
import { withoutEarlierRefused } from './refusedScopes.ts';
import { planSignIn, type SignInPlan } from './signInPlan.ts';
import type { SignInPorts } from './signInPorts.ts';

/** Milliseconds for which it isn't found out again why you can't sign in, unless you ask. */
const REFUSED_MS = 30_000;

type PlanPorts = Pick<SignInPorts, 'accounts' | 'clientDocument' | 'clock' | 'connections'>;

/** Finds out how you would sign in to one server, while nothing waits for that. */
export class PlanSearch {
  readonly #ports: PlanPorts;
  #running: AbortController | undefined;
  /** When it was found out that you can't sign in, in milliseconds since the epoch. */
  #refusedAt: number | undefined;

  constructor(ports: PlanPorts) {
    this.#ports = ports;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Whether it was found out lately that you can't sign in. */
  get wasRefused(): boolean {
    return this.#refusedAt !== undefined && this.#ports.clock.now() - this.#refusedAt < REFUSED_MS;
  }

  /** Calls one of the two, unless it is stopped before. */
  async run(
    account: ServerAccount,
    demand: SignInDemand,
    found: (plan: SignInPlan) => void,
    failed: (failure: HostError) => void,
  ): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    try {
      const plan = await findPlan(this.#ports, account, demand, running.signal);
      if (!running.signal.aborted) {
        this.#running = undefined;
        this.#refusedAt = undefined;
        found(plan);
      }
    } catch (error) {
      if (!running.signal.aborted) {
        this.#running = undefined;
        this.#refusedAt = this.#ports.clock.now();
        failed(error instanceof HostError ? error : new HostError('signInRequired', messageOf(error)));
      }
    }
  }

  /** Ends what is under way, and forgets its latest result. */
  forget(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#refusedAt = undefined;
  }
}

/** @throws HostError that says why you can't sign in; the reason of the signal. */
async function findPlan(
  { accounts, clientDocument, clock, connections }: PlanPorts,
  account: ServerAccount,
  { challenge, lacking }: SignInDemand,
  signal: AbortSignal,
): Promise<SignInPlan> {
  const { owner, definition, options } = account;
  const access = await accounts.access();
  if (access === 'reloadNeeded' || access === 'newer') {
    const word = access === 'newer' ? 'update MCP Host' : 'reload the window';
    throw refused(new UnreadableAccounts(access).message, word);
  }
  const planAt = async (discovery: Discovery): Promise<SignInPlan> => {
    const confused = confusedClient(definition, discovery.issuer);
    if (confused !== undefined) {
      throw refused(confused);
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

/** The sentence as a clause. */
function refused(sentence: string, word?: string): HostError {
  return new HostError('signInRequired', sentence.replace(/\.$/, ''), { word });
}
