import type { CallToolResult } from '@modelcontextprotocol/client';
import { watchFolder } from '../../base/files/watchFolder.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { afterTimeout, type After } from '../../base/time/clock.ts';
import { Coalesced } from '../../base/time/coalesced.ts';
import type { AccountStore } from '../auth/accounts/accountStore.ts';
import type { KeptByServer } from '../config/keptByServer.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { RequestOptions } from '../connection/requests/sendRequest.ts';
import { HostError } from '../errors/hostError.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { FollowedTask, type TaskHost } from './followedTask.ts';
import { TaskFiles, type TaskRecord } from './taskFiles.ts';
import type { TaskOwners } from './taskOwners.ts';

/** Milliseconds after which it is looked again whether the window of a task is gone: twice as many each time … */
const AGAIN_MS = 2_000;
/** … up to this. */
const MOST_AGAIN_MS = 30_000;

export interface KeptTasksParts {
  readonly host: TaskHost;
  /** Has the key of the files. */
  readonly accounts: AccountStore;
  /** Only for tasks; it is created. */
  readonly folder: string;
  readonly owners: TaskOwners;
  readonly ledger: Pick<Ledger, 'begin' | 'workspace'>;
  readonly log?: (message: string) => void;
  /** In milliseconds since the epoch. */
  readonly now?: () => number;
  readonly after?: After;
}

/**
 * The tasks of servers over HTTP, which may outlast the call, the session and the window that they belong to. One window
 * follows a task, the next one of the same workspace when that is gone; nothing is called again. The result of a task that
 * has ended can be fetched for as long as its server keeps it.
 */
export class KeptTasks implements KeptByServer {
  readonly files: TaskFiles;
  readonly now: () => number;
  /** The entries whose tasks this window follows, with the call or after it. */
  readonly own = new Set<string>();
  readonly #parts: KeptTasksParts;
  readonly #after: After;
  readonly #followed = new Map<string, FollowedTask>();
  readonly #looking = new Coalesced<'all'>(() => this.#look());
  readonly #watcher: Disposable | undefined;
  #closing: Promise<void> | undefined;
  #again: Disposable | undefined;
  #againMs = AGAIN_MS;

  constructor(parts: KeptTasksParts) {
    this.#parts = parts;
    this.now = parts.now ?? Date.now;
    this.#after = parts.after ?? afterTimeout;
    this.files = new TaskFiles(parts.accounts.filesIn(parts.folder), parts.log ?? (() => {}));
    // Where watching fails, a task is taken over when it is looked for again.
    this.#watcher = watchFolder(parts.folder, () => void this.takeOver());
  }

  /** Whether the window is closing: calls end, and their tasks go on. */
  get isClosed(): boolean {
    return this.#closing !== undefined;
  }

  /** Where this window's tasks belong. */
  get here(): Pick<TaskRecord, 'workspace' | 'owner'> {
    return { workspace: this.#parts.ledger.workspace, owner: this.#parts.owners.self };
  }

  /** Follows the tasks of this workspace whose window is gone. */
  takeOver(): Promise<void> {
    return this.#looking.run('all');
  }

  /** Follows a task of this window until it is over. */
  follow(record: TaskRecord): void {
    if (this.isClosed) {
      return;
    }
    const { host, ledger } = this.#parts;
    const followed = new FollowedTask(record, host, ledger, this.now);
    this.own.add(record.id);
    this.#followed.set(record.id, followed);
    const expiry = this.#after(Math.max(0, record.until - this.now()), () =>
      followed.lose('the time for which the server keeps the task is over'),
    );
    void followed.run().then(async (hasResult) => {
      expiry.dispose();
      this.#followed.delete(record.id);
      if (!this.isClosed) {
        this.own.delete(record.id);
        await (hasResult ? this.files.change({ ...record, hasResult }) : this.files.remove(record));
      }
    });
  }

  /**
   * The result of a task that has ended, once more from its server; undefined if nothing is kept of it.
   *
   * @throws HostError that says why the server doesn't give it; CancellationError when the signal aborted.
   */
  async resultOf(
    id: string,
    options: RequestOptions = {},
    signal?: AbortSignal,
  ): Promise<CallToolResult | undefined> {
    const record = await this.files.get(id);
    if (!record?.hasResult || record.until <= this.now()) {
      return undefined;
    }
    const { serverId, tool, key, since } = record;
    const connection = this.#parts.host.server(serverId)?.connection;
    if (connection?.state.kind !== 'running') {
      throw new HostError('notRunning', 'the server is not running');
    }
    let isGone = false;
    try {
      return await connection.resumeTask(
        tool,
        { key, ageMs: this.now() - since },
        { ...options, onTask: ({ status }) => void (isGone ||= status === 'gone') },
        signal,
      );
    } finally {
      if (isGone) {
        await this.files.remove(record);
      }
    }
  }

  /** Another name makes another server, which is not asked about the tasks of this one. */
  copy(): void {}

  async forget(id: ServerId): Promise<void> {
    const all = await this.files.all();
    for (const record of all.filter(({ serverId }) => serverId === id)) {
      this.#followed.get(record.id)?.lose('the server was removed');
      await this.files.remove(record);
    }
  }

  /** Leaves all tasks to a later window. Call before anything ends that calls depend on. */
  close(): Promise<void> {
    this.#closing ??= this.#leaveAll();
    return this.#closing;
  }

  async #leaveAll(): Promise<void> {
    this.#watcher?.dispose();
    this.#again?.dispose();
    this.#followed.forEach((followed) => followed.leave());
    // Without any, nothing is asked of the editor, whose API may be gone.
    await Promise.all(
      [...this.own].map(async (id) => {
        const record = await this.files.get(id);
        if (record) {
          const { owner: _, ...free } = record;
          await this.files.change(free, ({ hasResult }) => !hasResult);
        }
      }),
    );
    await this.files.settled();
  }

  async #look(): Promise<void> {
    const { ledger, owners } = this.#parts;
    let isOther = false;
    for (const record of this.isClosed ? [] : await this.files.all()) {
      if (record.until <= this.now()) {
        await this.files.remove(record);
      } else if (record.workspace === ledger.workspace && !record.hasResult && !this.#isOwn(record)) {
        if (record.owner && !(await owners.isGone(record.owner))) {
          isOther = true;
        } else {
          await this.#claim(record);
        }
      }
    }
    if (isOther && !this.isClosed) {
      this.#again?.dispose();
      this.#again = this.#after(this.#againMs, () => {
        this.#againMs = Math.min(2 * this.#againMs, MOST_AGAIN_MS);
        void this.takeOver();
      });
    }
  }

  /** Follows a task, unless another window was first. */
  async #claim(record: TaskRecord): Promise<void> {
    const mine = { ...record, owner: this.#parts.owners.self };
    const isFirst = await this.files.change(
      mine,
      (stored) => !stored.hasResult && JSON.stringify(stored.owner) === JSON.stringify(record.owner),
    );
    if (isFirst) {
      this.follow(mine);
    }
  }

  #isOwn({ owner }: TaskRecord): boolean {
    return JSON.stringify(owner) === JSON.stringify(this.#parts.owners.self);
  }
}
