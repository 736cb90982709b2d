import {
  isBoolean,
  isFiniteNumber,
  isOneOf,
  isOptional,
  isShape,
  isString,
  type Shape,
} from '../../base/values/shape.ts';
import type { FileKind, SealedFiles } from '../auth/accounts/sealedFiles.ts';
import { messageOf } from '../errors/hostError.ts';
import { isCaller, isDecision } from '../ledger/ledgerEntry.ts';
import { isOwner } from './taskOwners.ts';

/** Tasks that are kept; of more, those that have ended first are forgotten first. */
const MOST = 100;

const taskFields = {
  id: isString,
  at: isFiniteNumber,
  sentBytes: isFiniteNumber,
  caller: isCaller,
  serverId: isString,
  server: isString,
  tool: isString,
  decision: isDecision,
  /** Identifies the workspace, as in the activity. */
  workspace: isString,
  key: isShape({ id: isString, place: isString, era: isOneOf(['legacy', 'modern'] as const) }),
  /** When the task was made, and until when the server keeps it, in milliseconds since the epoch. */
  since: isFiniteNumber,
  until: isFiniteNumber,
  /** Whether it has ended with a result, which the server keeps as long. */
  hasResult: isBoolean,
  /** The window that follows it; undefined between two windows. */
  owner: isOptional(isOwner),
};

/** The task of a call as it is stored, encrypted: for this window until the call ends, and then for a later one. */
export type TaskRecord = Shape<typeof taskFields>;

const taskFile: FileKind<TaskRecord, Pick<TaskRecord, 'id'>> = {
  name: 'task',
  parts: ({ id }) => [id],
  is: isShape(taskFields),
};

/** The files of tasks, encrypted, in a folder that all windows share. What fails is logged: calls don't depend on it. */
export class TaskFiles {
  readonly #files: SealedFiles;
  readonly #log: (message: string) => void;
  readonly #busy = new Set<Promise<unknown>>();

  constructor(files: SealedFiles, log: (message: string) => void) {
    this.#files = files;
    this.#log = log;
  }

  all(): Promise<readonly TaskRecord[]> {
    return this.#tried(() => this.#files.all(taskFile), []);
  }

  get(id: string): Promise<TaskRecord | undefined> {
    return this.#tried(() => this.#files.get(taskFile, { id }), undefined);
  }

  /** Stores a task for the first time; false if it can't be, or if that many are still running. */
  async add(record: TaskRecord): Promise<boolean> {
    const all = await this.all();
    if (all.length >= MOST) {
      const [oldest] = all.filter(({ hasResult }) => hasResult).sort((a, b) => a.since - b.since);
      if (!oldest) {
        return false;
      }
      await this.remove(oldest);
    }
    return this.#tried(() => this.#files.put(taskFile, record, record), false);
  }

  /** Stores another state of a task, if it is still kept and `isMeant`, which no window can change meanwhile. */
  change(record: TaskRecord, isMeant: (stored: TaskRecord) => boolean = () => true): Promise<boolean> {
    return this.#tried(
      () => this.#files.put(taskFile, record, record, (stored) => stored !== undefined && isMeant(stored)),
      false,
    );
  }

  remove({ id }: Pick<TaskRecord, 'id'>): Promise<void> {
    return this.#tried(() => this.#files.delete(taskFile, { id }), undefined);
  }

  /** Resolves when nothing is read or written any longer. */
  async settled(): Promise<void> {
    while (this.#busy.size > 0) {
      await Promise.all(this.#busy);
    }
  }

  async #tried<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    const tried = work().catch((error: unknown) => {
      this.#log(`A task could not be kept: ${messageOf(error)}`);
      return otherwise;
    });
    this.#busy.add(tried);
    try {
      return await tried;
    } finally {
      this.#busy.delete(tried);
    }
  }
}
