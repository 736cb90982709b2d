import type { TaskReport } from '../connection/requests/taskReport.ts';
import type { OpenEntry } from '../ledger/ledger.ts';
import { runningTask } from './followedTask.ts';
import type { KeptTasks } from './keptTasks.ts';
import type { TaskRecord } from './taskFiles.ts';

/** Milliseconds for which a task is kept at most, even if its server keeps it for longer, or without a limit. */
const MOST_MS = 24 * 60 * 60_000;
/** The least change of that time that is stored: some servers report another one with each look. */
const STEP_MS = 60_000;

/** What a call is, beside its entry. */
type Call = Pick<TaskRecord, 'caller' | 'serverId' | 'server' | 'tool' | 'decision'>;

/** The task that a call of this window becomes, if it does: shown in its entry, and kept for the time after this window. */
export class KeptCall {
  readonly #entry: OpenEntry;
  readonly #call: Call;
  readonly #tasks: KeptTasks | undefined;
  #report: TaskReport | undefined;
  #record: TaskRecord | undefined;
  /** Whether it is stored, after all changes so far. */
  #isStored: Promise<boolean> = Promise.resolve(true);

  /** @param tasks Without it, nothing is kept. */
  constructor(entry: OpenEntry, call: Call, tasks: KeptTasks | undefined) {
    this.#entry = entry;
    this.#call = call;
    this.#tasks = tasks;
  }

  /** Whether the server no longer has the task. */
  get isGone(): boolean {
    return this.#report?.status === 'gone';
  }

  /** Call with each report about the task. */
  take(report: TaskReport): void {
    this.#report = report;
    this.#entry.becomesTask(runningTask(report));
    const { key, keptMs } = report;
    const tasks = this.#tasks;
    if (report.status === 'cancelled' && tasks?.isClosed === true) {
      // Its caller ends with the window. The server isn't notified, because its session has ended before.
      this.#report = { ...report, status: 'left' };
    }
    if (!key || !tasks || (this.#record && keptMs === undefined)) {
      return;
    }
    const since = this.#record?.since ?? tasks.now();
    const until = since + Math.min(keptMs ?? MOST_MS, MOST_MS);
    if (!this.#record || Math.abs(until - this.#record.until) >= STEP_MS) {
      const { id, at, sentBytes } = this.#entry;
      const known = { id, at, sentBytes, ...this.#call, ...tasks.here };
      const record: TaskRecord = { ...known, key, since, until, hasResult: false };
      const isNew = this.#record === undefined;
      this.#record = record;
      tasks.own.add(record.id);
      this.#then(() => (isNew ? tasks.files.add(record) : tasks.files.change(record)));
    }
  }

  /** Call when the call has its result. */
  hasResult(): void {
    const [tasks, record] = [this.#tasks, this.#record];
    if (tasks && record) {
      tasks.own.delete(record.id);
      this.#then(() => tasks.files.change({ ...record, hasResult: true }));
    }
  }

  /** Call when the call has failed. True if the server may go on with the task, whose entry then goes on, too. */
  async goesOn(): Promise<boolean> {
    const [tasks, record] = [this.#tasks, this.#record];
    if (!tasks || !record) {
      return false;
    }
    if (this.#report?.status === 'left' && (await this.#isStored) && (await tasks.files.get(record.id))) {
      this.#entry.leave();
      tasks.follow(record);
      return true;
    }
    tasks.own.delete(record.id);
    this.#then(async () => {
      await tasks.files.remove(record);
      return false;
    });
    return false;
  }

  #then(change: () => Promise<boolean>): void {
    this.#isStored = this.#isStored.then((isStored) => isStored && change());
  }
}
