import type { Client } from '@modelcontextprotocol/client';
import { CancellationError, unlessAborted } from '../../../base/lifetime/cancellation.ts';
import { isRecord } from '../../../base/values/record.ts';
import { HostError } from '../../errors/hostError.ts';
import { whole } from '../../results/carried.ts';
import { ADDRESSES_REQUIRED, requestFailure } from '../requests/requestFailure.ts';
import type { RequestTimeouts } from '../requests/requestTimeouts.ts';
import { NEVER_MS } from '../requests/sendRequest.ts';
import type { TaskKey } from '../requests/taskReport.ts';
import { taskKeyOf, type TaskServer } from './taskKey.ts';

/** A schema (Standard Schema, version 1) that accepts every result. */
export const anyResult = {
  '~standard': { version: 1, vendor: 'mcp-host', validate: (value: unknown) => ({ value }) },
} as const;

/** A session with a server that has tasks. */
export interface TaskSession extends TaskServer {
  readonly client: Pick<Client, 'request'>;
  readonly hasEnded: boolean;
  /** Whether the server can be asked to cancel a task. */
  readonly cancelsTasks: boolean;
  /** Answers what a task requires, as any other request of the server. @throws if there will be no answer */
  answerInput(request: unknown, task: string, signal: AbortSignal): Promise<object>;
  /** Asks for reports about a task until the signal aborts, where the server has them. */
  listenToTask(id: string, signal: AbortSignal): void;
}

/** The sessions of one server, and the timeouts of its requests. */
export interface TaskSessions {
  readonly timeouts: RequestTimeouts;
  /** The next session. @throws HostError if there is none; CancellationError */
  after(previous: TaskSession, signal: AbortSignal): Promise<TaskSession>;
}

/** Failures after which the same look at a task may succeed. */
const passing: ReadonlySet<string> = new Set(['lost', 'unreachable', 'timedOut']);

/** The server doesn't know the ID of a task (2025-11-25, basic/utilities/tasks, error handling). */
const UNKNOWN_TASK = -32_602;

/** Sends the requests about one task, over all sessions in which its server may still know it. */
export class TaskLink {
  readonly #sessions: TaskSessions;
  #session: TaskSession;
  /** Whether the server can no longer be asked. */
  #isCut = false;
  #isGone = false;
  readonly #life = new AbortController();

  constructor(session: TaskSession, sessions: TaskSessions) {
    this.#session = session;
    this.#sessions = sessions;
  }

  /** Aborts with `dispose`. */
  get signal(): AbortSignal {
    return this.#life.signal;
  }

  get cancelsTasks(): boolean {
    return this.#session.cancelsTasks && !this.#session.hasEnded;
  }

  /** That the server can't be asked about the task any longer, or no longer has it; otherwise undefined. */
  get end(): 'left' | 'gone' | undefined {
    if (this.#isGone) {
      return 'gone';
    }
    return this.#isCut ? 'left' : undefined;
  }

  /** What identifies the task with this ID, over all sessions. */
  keyOf(id: string): TaskKey | undefined {
    return taskKeyOf(id, this.#session);
  }

  /** Whether the next look at the task may succeed after this failure. */
  isPassing(error: unknown): boolean {
    if (this.#isCut || !(error instanceof HostError)) {
      return false;
    }
    const { code, status = 0 } = error;
    return passing.has(code) || (code === 'refused' && (status === 429 || status >= 500));
  }

  /**
   * Sends a request about the task, and gives its result unchecked. One that `waits` may be answered at any time.
   *
   * @throws HostError as `requestFailure`, or `timedOut`, but never so that the call itself would be sent again; the
   * refusal until you open addresses as it came; CancellationError after `dispose`.
   */
  async ask(
    method: string,
    params: Readonly<Record<string, unknown>>,
    { waits = false }: { readonly waits?: boolean } = {},
  ): Promise<unknown> {
    const { timeouts } = this.#sessions;
    const session = await this.#current();
    const send = (signal: AbortSignal): Promise<unknown> =>
      session.client.request({ method, params: { ...params } }, anyResult, { signal, timeout: NEVER_MS });
    try {
      // A short request goes on after the end of the call: it would be cancelled by a notification.
      return whole(await (waits ? send(this.signal) : timeouts.watch(send)));
    } catch (error) {
      if (waits && this.signal.aborted) {
        throw new CancellationError();
      }
      const code = isRecord(error) ? error['code'] : undefined;
      if (code === ADDRESSES_REQUIRED) {
        throw error;
      }
      // The result of a task may be any error.
      this.#isGone ||= code === UNKNOWN_TASK && method === 'tasks/get';
      const failure = await requestFailure(error);
      if (failure.code === 'sessionLost' || failure.code === 'notTaken') {
        throw new HostError('lost', 'the server has forgotten the session of its task', { cause: failure });
      }
      throw failure;
    }
  }

  /** Answers what the task requires. @throws HostError if there will be no answer; CancellationError after `dispose` */
  async answer(request: unknown, task: string): Promise<object> {
    const session = await this.#current();
    try {
      return await session.answerInput(request, task, this.signal);
    } catch (error) {
      throw this.signal.aborted ? new CancellationError() : await requestFailure(error);
    }
  }

  /** What `work` gives, unless it takes longer than an answer may. @throws HostError `timedOut` */
  soon<T>(work: Promise<T>): Promise<T> {
    return this.#sessions.timeouts.watch((signal) => unlessAborted(work, signal), this.signal);
  }

  dispose(): void {
    this.#life.abort();
  }

  async #current(): Promise<TaskSession> {
    const before = this.#session;
    if (!before.hasEnded) {
      return before;
    }
    this.#isCut = true;
    if (before.place === undefined) {
      this.#isGone = true;
      throw new HostError('lost', 'the process of the server has ended, and its task with it');
    }
    const next = await this.#sessions.after(before, this.signal);
    // The ID is a secret between this host and the server that made the task.
    if (next.place !== before.place) {
      this.#isGone = true;
      throw new HostError('lost', 'the server of the task is no longer at the same address');
    }
    this.#isCut = false;
    this.#session = next;
    return next;
  }
}
