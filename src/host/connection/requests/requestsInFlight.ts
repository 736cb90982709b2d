import type { CallMethod } from '../../ledger/ledgerEntry.ts';

/** A request from you, a model or another extension that a server is working on. */
export interface RequestInFlight {
  readonly method: CallMethod;
  /** The tool's or prompt's name, or the resource's URI. */
  readonly target: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** Aborts when it has ended. */
  readonly ended: AbortSignal;
}

/** What one server is working on; `UnansweredRequests` has the messages of one connection. */
export class RequestsInFlight {
  readonly #requests = new Set<RequestInFlight>();

  get all(): readonly RequestInFlight[] {
    return [...this.#requests];
  }

  /** Runs a request, and counts it until it settles. */
  async track<T>(
    request: Omit<RequestInFlight, 'ended'>,
    run: (tracked: RequestInFlight) => Promise<T>,
  ): Promise<T> {
    const end = new AbortController();
    const entry: RequestInFlight = { ...request, ended: end.signal };
    this.#requests.add(entry);
    try {
      return await run(entry);
    } finally {
      this.#requests.delete(entry);
      end.abort();
    }
  }
}
