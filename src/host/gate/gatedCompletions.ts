import type { CompleteRequestParams } from '@modelcontextprotocol/client';
import { fitToSuggest, noSuggestions, type Suggestions } from '../completion/suggestions.ts';
import type { CallTarget } from './callDecisions.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import { HostError } from '../errors/hostError.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { LedgerDecision, LedgerRequest } from '../ledger/ledgerEntry.ts';
import type { Caller } from '../ledger/caller.ts';
import { endOf } from './refusals.ts';

/** Questions to one server in a time of so many milliseconds; one that comes beyond that is refused. */
const MOST = 30;
const WINDOW_MS = 10_000;

/** Characters typed beyond which a server is not asked. */
const MAX_TYPED = 1_000;

/** What is completed, as decisions on it are kept. */
export function completed({ ref }: CompleteRequestParams): {
  readonly target: string;
  readonly decided: CallTarget;
} {
  return ref.type === 'ref/prompt'
    ? { target: ref.name, decided: { kind: 'prompt', name: ref.name } }
    : { target: ref.uri, decided: { kind: 'resource' } };
}

/** Whom a question goes to, and by which decision. */
export interface AdmittedCompletion {
  readonly connection: Pick<ServerConnection, 'complete' | 'secrets'>;
  readonly decision: LedgerDecision;
}

/** Who asks whom for what. */
type CompletionRequest = Omit<LedgerRequest, 'caller' | 'method' | 'args'> & { readonly caller: Caller };

/** Questions for suggestions that others than the host itself ask: few enough, and written down in sums. */
export class GatedCompletions {
  readonly #ledger: Pick<Ledger, 'count'>;
  readonly #now: () => number;
  /** When each server was asked lately. */
  readonly #asked = new Map<ServerId, readonly number[]>();

  constructor(ledger: Pick<Ledger, 'count'>, now: () => number = Date.now) {
    this.#ledger = ledger;
    this.#now = now;
  }

  /** `admit` says who is asked, or throws why nobody is. */
  async ask(
    request: CompletionRequest,
    params: CompleteRequestParams,
    admit: () => AdmittedCompletion,
    signal?: AbortSignal,
  ): Promise<Suggestions> {
    const since = this.#now();
    const about = { ...request, method: 'completion/complete' } as const;
    let admitted: AdmittedCompletion | undefined;
    try {
      const { connection, decision } = admit();
      if (params.argument.value.length > MAX_TYPED) {
        return noSuggestions;
      }
      if (!this.#take(request.serverId)) {
        const problem = 'suggestions are asked for too often. Try again in a few seconds.';
        this.#ledger.count(about, { decision: 'limited', outcome: 'refused', problem }, { since });
        return noSuggestions;
      }
      admitted = { connection, decision };
      const received = await connection.complete(params, signal);
      this.#ledger.count(
        about,
        { decision, outcome: 'done' },
        { since, sent: params, received },
        connection.secrets,
      );
      return fitToSuggest(received);
    } catch (error) {
      const sent = admitted && { sent: params };
      const end = endOf(error, admitted?.decision, request.caller);
      this.#ledger.count(about, end, { since, ...sent }, admitted?.connection.secrets);
      throw error;
    }
  }

  #take(id: ServerId): boolean {
    const now = this.#now();
    const recent = (this.#asked.get(id) ?? []).filter((at) => now - at < WINDOW_MS);
    const isLeft = recent.length < MOST;
    this.#asked.set(id, isLeft ? [...recent, now] : recent);
    return isLeft;
  }
}

/** Nobody is asked while somebody types: where a request would be, there are no suggestions. */
export function unaskedCompletion(target: string): HostError {
  return new HostError(
    'denied',
    `there are no suggestions for '${target}' while each request has to be confirmed`,
  );
}
