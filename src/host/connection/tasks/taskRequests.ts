import type { Client } from '@modelcontextprotocol/client';
import { CancellationError, unlessAborted } from '../../../base/lifetime/cancellation.ts';
import type { Disposable } from '../../../base/lifetime/disposable.ts';
import type { Logger } from '../../../base/logging/logger.ts';
import { isRecord } from '../../../base/values/record.ts';
import { HostError, messageOf } from '../../errors/hostError.ts';
import { asChecked } from '../../results/checkedResult.ts';
import type { ProtocolEra } from '../../state/connectionState.ts';
import { ADDRESSES_REQUIRED, requestFailure } from '../requests/requestFailure.ts';
import type { RequestsInFlight } from '../requests/requestsInFlight.ts';
import type { RequestTimeouts } from '../requests/requestTimeouts.ts';
import { NEVER_MS } from '../requests/sendRequest.ts';
import type { ServerTasks } from './serverTasks.ts';
import { taskStateOf, type TaskState } from './taskState.ts';

/** A session with a server that has tasks. */
export interface TaskSession {
  /** The server's address, and with which headers; undefined for a process, with which its tasks end. */
  readonly place: string | undefined;
  readonly era: ProtocolEra;
  /** Whether the server has tasks at all. */
  readonly hasTasks: boolean;
  /** Whether the server can be asked to cancel a task. */
  readonly cancelsTasks: boolean;
  readonly hasEnded: boolean;
  readonly client: Pick<Client, 'request'>;
  /** Answers what a task requires, as any other request of the server. @throws if there will be no answer */
  answerInput(request: unknown, task: string, signal: AbortSignal): Promise<object>;
  /** Asks for reports about a task until the signal aborts, where the server has them. */
  listenToTask(id: string, signal: AbortSignal): void;
}

/** What the tasks of one server need of its connection. */
export interface TaskContext {
  readonly current: {
    /** The next session. @throws HostError if there is none; CancellationError */
    after(previous: TaskSession, signal: AbortSignal): Promise<TaskSession>;
  };
  readonly timeouts: RequestTimeouts;
  readonly inFlight: RequestsInFlight;
  readonly tasks: ServerTasks;
  readonly logger: Logger;
}

/** Failures after which the same look at a task may succeed. */
const passing: ReadonlySet<string> = new Set(['lost', 'unreachable', 'timedOut']);

/** The server doesn't know the ID of a task (2025-11-25, basic/utilities/tasks, error handling). */
const UNKNOWN_TASK = -32_602;

/** Sends the requests about one task, over all sessions in which its server may still know it. */
export class TaskRequests implements Disposable {
  readonly #id: string;
  readonly #context: TaskContext;
  #session: TaskSession;
  /** Whether the server can no longer be asked. */
  #isCut = false;
  #isGone = false;
  readonly #life = new AbortController();

  constructor(id: string, session: TaskSession, context: TaskContext) {
    this.#id = id;
    this.#session = session;
    this.#context = context;
  }

  /** That the server can't be asked about the task any longer, or no longer has it; otherwise undefined. */
  get end(): 'left' | 'gone' | undefined {
    if (this.#isGone) {
      return 'gone';
    }
    return this.#isCut ? 'left' : undefined;
  }

  /** Whether the next look at the task may succeed after this failure. */
  isPassing(error: unknown): boolean {
    if (this.#isCut || !(error instanceof HostError)) {
      return false;
    }
    const { code, status = 0 } = error;
    return passing.has(code) || (code === 'refused' && (status === 429 || status >= 500));
  }

  /** Asks for reports about the task until `dispose`. */
  listen(): void {
    this.#session.listenToTask(this.#id, this.#life.signal);
  }

  /** The state of the task. @throws as `ask`; HostError `protocol` */
  async look(): Promise<TaskState> {
    return taskStateOf(await this.ask('tasks/get'), this.#id);
  }

  /**
   * Sends a request about the task, and gives its result unchecked. One that `waits` may be answered at any time.
   *
   * @throws HostError as `requestFailure`, or `timedOut`, but never so that the call itself would be sent again; the
   * refusal until you open addresses as it came; CancellationError after `dispose`.
   */
  async ask(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    { waits = false }: { readonly waits?: boolean } = {},
  ): Promise<unknown> {
    const { client } = await this.#current();
    const { signal: life } = this.#life;
    const request = { method, params: { taskId: this.#id, ...params } };
    const send = (signal: AbortSignal): Promise<unknown> =>
      client.request(request, asChecked(), { signal, timeout: NEVER_MS });
    try {
      // A short request goes on after the end of the call: it would be cancelled by a notification.
      return await (waits ? send(life) : this.#context.timeouts.watch(send));
    } catch (error) {
      if (waits && life.aborted) {
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
  async answer(request: unknown): Promise<object> {
    const session = await this.#current();
    const { signal } = this.#life;
    try {
      return await session.answerInput(request, this.#id, signal);
    } catch (error) {
      throw signal.aborted ? new CancellationError() : await requestFailure(error);
    }
  }

  /** What `work` gives, unless it takes longer than an answer may. @throws HostError `timedOut` */
  soon<T>(work: Promise<T>): Promise<T> {
    return this.#context.timeouts.watch((signal) => unlessAborted(work, signal), this.#life.signal);
  }

  /** Tells the server that the task isn't wanted any longer, as far as that is possible, and disposes. */
  async cancel(): Promise<void> {
    try {
      if (this.#session.cancelsTasks && !this.#session.hasEnded) {
        await this.ask('tasks/cancel');
      }
    } catch (error) {
      this.#context.logger.log('debug', `A task could not be cancelled: ${messageOf(error)}`);
    } finally {
      this.dispose();
    }
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
    const next = await this.#context.current.after(before, this.#life.signal);
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
