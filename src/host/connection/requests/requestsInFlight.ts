import type { CallMethod } from '../../ledger/ledgerEntry.ts';

/** Without a reason, each request would make an exception with its stack. */
const ENDED = 'ended';

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
  /** The tasks that some of these have become; undefined until the server has named one. */
  readonly #tasks = new Map<RequestInFlight, string | undefined>();

  /**
   * The requests that may be the reason of a request of the server; `task` is the ID of the task that it says it belongs to.
   * One that names no task of these may belong to one that the server has not named yet, and otherwise to none of these.
   */
  reasons(task: string | undefined): readonly RequestInFlight[] {
    if (task === undefined) {
      return [...this.#requests];
    }
    const of = (id: string | undefined): readonly RequestInFlight[] =>
      [...this.#tasks].filter(([, one]) => one === id).map(([request]) => request);
    return this.#isKnown(task) ? of(task) : of(undefined);
  }

  /** Call before a request goes that asks for a task. */
  asksForTask(request: RequestInFlight): void {
    this.#tasks.set(request, undefined);
  }

  /** Call when a request has become a task. False if another request has become the same one. */
  becomesTask(request: RequestInFlight, task: string): boolean {
    if (this.#isKnown(task)) {
      return false;
    }
    this.#tasks.set(request, task);
    return true;
  }

  #isKnown(task: string): boolean {
    return [...this.#tasks.values()].includes(task);
  }

  /** Runs a request, and counts it until it settles. */
  async track<T>(
    request: Omit<RequestInFlight, 'ended'>,
    run: (tracked: RequestInFlight) => Promise<T>,
  ): Promise<T> {
    const entry = new Tracked(request);
    this.#requests.add(entry);
    try {
      return await run(entry);
    } finally {
      this.#requests.delete(entry);
      this.#tasks.delete(entry);
      entry.end();
    }
  }
}

class Tracked implements RequestInFlight {
  readonly method: CallMethod;
  readonly target: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** Few servers ask something of you while they work on a request: until then there is no signal. */
  #end: AbortController | undefined;
  #hasEnded = false;

  constructor({ method, target, args }: Omit<RequestInFlight, 'ended'>) {
    this.method = method;
    this.target = target;
    if (args) {
      this.args = args;
    }
  }

  get ended(): AbortSignal {
    this.#end ??= new AbortController();
    if (this.#hasEnded) {
      this.#end.abort(ENDED);
    }
    return this.#end.signal;
  }

  end(): void {
    this.#hasEnded = true;
    this.#end?.abort(ENDED);
  }
}
