import type { CallToolResult } from '@modelcontextprotocol/client';
import { CancellationError, untilAborted } from '../../base/lifetime/cancellation.ts';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { TaskReport } from '../connection/requests/taskReport.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import { isSameRun, type ConnectionState } from '../state/connectionState.ts';
import { HostError, messageOf } from '../errors/hostError.ts';
import type { Ledger, OpenEntry } from '../ledger/ledger.ts';
import type { RunningTask } from '../ledger/ledgerEntry.ts';
import type { McpHost } from '../servers/mcpHost.ts';
import type { TaskRecord } from './taskFiles.ts';

/** The servers, of which one has made the task. */
export type TaskHost = Pick<McpHost, 'server' | 'onDidChangeServer' | 'onDidChangeServers'>;

/**
 * Follows the task of a call whose caller is gone, whenever its server runs, which is never started for that. Its result
 * is for you only: it becomes the result of the entry in the activity.
 */
export class FollowedTask {
  readonly record: TaskRecord;
  readonly #host: TaskHost;
  readonly #ledger: Pick<Ledger, 'begin'>;
  readonly #now: () => number;
  readonly #over = new AbortController();
  readonly #left = new AbortController();
  #entry: OpenEntry | undefined;
  #isGone = false;
  /** The server has been seen among those of the window. */
  #isKnown = false;

  /** `now` gives milliseconds since the epoch. */
  constructor(record: TaskRecord, host: TaskHost, ledger: Pick<Ledger, 'begin'>, now: () => number) {
    this.record = record;
    this.#host = host;
    this.#ledger = ledger;
    this.#now = now;
  }

  /** Ends it, because there will be no result. */
  lose(reason: string): void {
    this.#isGone = true;
    this.#over.abort(new HostError('lost', reason));
  }

  /** Ends it without a trace, as soon as its session has ended: a later window follows the task. */
  leave(): void {
    this.#entry?.leave();
    this.#left.abort(new CancellationError());
  }

  /** Resolves when it is over. True if there is a result. */
  async run(): Promise<boolean> {
    const { caller, serverId, server, tool, decision } = this.record;
    const request = { caller, serverId, server, method: 'tools/call', target: tool } as const;
    const entry = this.#ledger.begin(request, () => this.#over.abort(new CancellationError()), this.record);
    this.#entry = entry;
    entry.sent();
    let connection: ServerConnection | undefined;
    try {
      for (let state: ConnectionState | undefined; ;) {
        entry.becomesTask({ status: 'waiting' });
        connection = await this.#running(state);
        ({ state } = connection);
        const result = await this.#resultFrom(connection, entry);
        if (result) {
          const outcome = result.isError === true ? 'toolError' : 'done';
          entry.end({ decision, outcome, result }, connection.secrets);
          return true;
        }
        connection = undefined;
      }
    } catch (error) {
      const { signal } = this.#over;
      const reason: unknown = signal.aborted ? signal.reason : error;
      const secrets = [this.record.key.id, ...(connection?.secrets ?? [])];
      if (reason instanceof CancellationError) {
        const untold = { problem: 'The server was not notified, because it was not running here.' };
        entry.end({ decision, outcome: 'cancelled', ...(!connection && untold) }, secrets);
      } else {
        const isTaskGone = this.#isGone;
        entry.end({ decision, outcome: 'failed', problem: messageOf(reason), isTaskGone }, secrets);
      }
      return false;
    }
  }

  /** The result, or undefined if the server can't be asked for it at the moment. @throws if there will be none */
  async #resultFrom(connection: ServerConnection, entry: OpenEntry): Promise<CallToolResult | undefined> {
    const { tool, key, since } = this.record;
    let report: TaskReport | undefined;
    const onTask = (news: TaskReport): void => {
      report = news;
      entry.becomesTask(runningTask(news));
    };
    try {
      const ageMs = this.#now() - since;
      return await connection.resumeTask(tool, { key, ageMs }, { onTask }, this.#over.signal);
    } catch (error) {
      this.#isGone ||= report?.status === 'gone';
      const isNotSent = report === undefined && error instanceof HostError && error.code === 'notRunning';
      if (isNotSent || report?.status === 'left') {
        return undefined;
      }
      throw error;
    }
  }

  /** The connection when it runs, in another run than the one that began in the state `before`. */
  async #running(before: ConnectionState | undefined): Promise<ServerConnection> {
    const found = Promise.withResolvers<ServerConnection>();
    const store = new DisposableStore();
    const look = (): void => {
      const connection = this.#host.server(this.record.serverId)?.connection;
      const kind = connection?.state.kind;
      if (connection && kind === 'running' && !isSameRun(connection.state, before)) {
        found.resolve(connection);
      } else if (kind === 'denied' || kind === 'forbidden' || kind === 'awaitingApproval') {
        this.lose('the server is no longer allowed to run as it was');
      } else if (!connection && this.#isKnown) {
        this.lose('the server was removed');
      }
      this.#isKnown ||= connection !== undefined;
    };
    store.add(this.#host.onDidChangeServer(look));
    store.add(this.#host.onDidChangeServers(look));
    look();
    try {
      return await untilAborted(found.promise, AbortSignal.any([this.#over.signal, this.#left.signal]));
    } finally {
      store.dispose();
    }
  }
}

/** The state of a task as the activity shows it. */
export function runningTask({ status, message }: TaskReport): RunningTask {
  return { status: status === 'input_required' ? status : 'working', message };
}
