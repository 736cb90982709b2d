import { Worker } from 'node:worker_threads';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { afterTimeout, type After } from '../../base/time/clock.ts';
import { messageOf } from '../errors/hostError.ts';

/** Milliseconds that a check may take: the patterns are the server's, and may run forever. */
const CHECK_MS = 1_000;
/** Milliseconds that the thread may take to start. */
const START_MS = 20_000;
/** Milliseconds without a check after which the thread ends. */
const IDLE_MS = 30_000;
/** Mebibytes that schemas, values and the validator may take. */
const MEMORY_MIB = 256;

/** What the thread is sent: texts of JSON. Without a value, the schema is only compiled. */
export interface ToCheck {
  readonly schema: string;
  readonly value: string | undefined;
}

/** What the thread answers: the problem of the value, or why it can't be checked. */
export type CheckOutcome =
  | { readonly kind: 'ready' }
  | { readonly kind: 'checked'; readonly problem: string | undefined }
  | { readonly kind: 'failed'; readonly reason: string };

interface Job extends ToCheck {
  readonly end: PromiseWithResolvers<string | undefined>;
}

/** A thread, and the check that it is busy with. */
interface Running {
  readonly worker: Worker;
  job: Job | undefined;
  isReady: boolean;
  /** Ends the thread unless it is disposed before. */
  limit: Disposable | undefined;
}

/**
 * Checks values against schemas in one thread, `schemaWorker.ts`: one after the other, the owners of schemas in turn, so
 * that none waits for more than one check of each other. A check that takes too long ends with the thread, and the next
 * one starts another.
 */
export class CheckThread implements Disposable {
  readonly #script: string;
  readonly #after: After;
  readonly #waiting = new Map<string, Job[]>();
  #running: Running | undefined;
  /** The owner whose turn was last. */
  #last: string | undefined;
  #isDisposed = false;

  /** @param script the path of `schemaWorker.ts`, or of its bundle. */
  constructor(script: string, after: After = afterTimeout) {
    this.#script = script;
    this.#after = after;
  }

  /**
   * Gives the problem of a value; undefined if it is valid, or there is none.
   *
   * @throws an Error with a clause that says why it can't be checked.
   */
  check(owner: string, what: ToCheck): Promise<string | undefined> {
    const end = Promise.withResolvers<string | undefined>();
    if (this.#isDisposed) {
      end.reject(new Error('checks have ended'));
      return end.promise;
    }
    const waiting = this.#waiting.get(owner) ?? [];
    waiting.push({ ...what, end });
    this.#waiting.set(owner, waiting);
    this.#next();
    return end.promise;
  }

  dispose(): void {
    this.#isDisposed = true;
    const waiting = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    this.#end('checks have ended');
    waiting.forEach(({ end }) => end.reject(new Error('checks have ended')));
  }

  /** Begins the next check if none is under way. */
  #next(): void {
    const [first, second] = this.#waiting;
    const next = first?.[0] === this.#last ? (second ?? first) : first;
    if (this.#running?.job || !next) {
      return;
    }
    const running = (this.#running ??= this.#start());
    const [owner, jobs] = next;
    running.job = jobs.shift();
    this.#last = owner;
    this.#waiting.delete(owner);
    if (jobs.length > 0) {
      this.#waiting.set(owner, jobs);
    }
    running.worker.ref();
    if (running.isReady) {
      this.#send(running);
    }
  }

  #start(): Running {
    const worker = new Worker(this.#script, {
      name: 'MCP Host schemas',
      env: {},
      execArgv: [],
      // The validator warns of formats that it doesn't know.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
    });
    worker.stdout.resume();
    worker.stderr.resume();
    const running: Running = { worker, job: undefined, isReady: false, limit: undefined };
    this.#limit(running, START_MS, 'the check did not start');
    worker.on('message', (message: CheckOutcome) => this.#took(running, message));
    worker.once('error', (error) => this.#ended(running, messageOf(error)));
    worker.once('exit', () => this.#ended(running, 'the check ended'));
    return running;
  }

  #send(running: Running): void {
    const { worker, job } = running;
    if (job) {
      this.#limit(running, CHECK_MS, `the check took more than ${CHECK_MS} ms`);
      worker.postMessage({ schema: job.schema, value: job.value } satisfies ToCheck);
    }
  }

  #took(running: Running, message: CheckOutcome): void {
    if (running !== this.#running) {
      return;
    }
    running.limit?.dispose();
    if (message.kind === 'ready') {
      running.isReady = true;
      this.#send(running);
      return;
    }
    const { job } = running;
    running.job = undefined;
    running.worker.unref();
    this.#limit(running, IDLE_MS, '');
    if (message.kind === 'checked') {
      job?.end.resolve(message.problem);
    } else {
      job?.end.reject(new Error(message.reason));
    }
    this.#next();
  }

  #limit(running: Running, ms: number, reason: string): void {
    running.limit?.dispose();
    const limit = this.#after(ms, () => {
      // An answer that is there already counts, if it was this thread that was late.
      setImmediate(() => {
        if (running.limit === limit) {
          this.#ended(running, reason);
        }
      });
    });
    running.limit = limit;
  }

  #ended(running: Running, reason: string): void {
    if (running === this.#running) {
      this.#end(reason);
      this.#next();
    }
  }

  #end(reason: string): void {
    const running = this.#running;
    this.#running = undefined;
    running?.limit?.dispose();
    running?.job?.end.reject(new Error(reason));
    void running?.worker.terminate();
  }
}
