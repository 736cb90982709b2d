import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { AccountStore } from '../../../src/host/auth/accounts/accountStore.ts';
import type { ServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import { KeptTasks } from '../../../src/host/keptTasks/keptTasks.ts';
import { Ledger, type RunningRequest } from '../../../src/host/ledger/ledger.ts';
import type { LedgerEntry } from '../../../src/host/ledger/ledgerEntry.ts';
import type { ServerConnection } from '../../../src/host/connection/serverConnection.ts';
import { FakeClock } from './fakeClock.ts';
import { GateBed, person } from './gateBed.ts';
import { HostBed } from './hostBed.ts';
import { SharedSecrets } from './secretStores.ts';
import { until, untilSeen } from './until.ts';

/** A window over the storage of a `TaskBed`. */
export interface TaskWindow {
  readonly hostBed: HostBed;
  readonly gateBed: GateBed;
  readonly ledger: Ledger;
  readonly tasks: KeptTasks;
  /** Calls a tool for you, `work` unless another is named. What becomes of it is in `calls`. */
  call(server: ServerDefinition, script: object, tool?: string): void;
  /** How the calls of this window ended, in their order. */
  readonly calls: readonly Promise<CallToolResult | Error>[];
  running(claim: (request: RunningRequest) => boolean, what: string): Promise<RunningRequest>;
  /** The one entry, as soon as there is one. */
  entry(): Promise<LedgerEntry>;
  /** As a window closes. */
  close(): Promise<void>;
  /** As its process is killed: later windows learn nothing. */
  kill(): Promise<void>;
}

/** What windows share, on a disk and in the secret store, and the clock of all of them. */
export class TaskBed {
  readonly folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-')));
  readonly secrets = new SharedSecrets();
  readonly clock = new FakeClock();
  readonly log: string[] = [];
  readonly #windows = new Set<TaskWindow>();
  readonly #gone = new Set<number>();
  readonly #killed: KeptTasks[] = [];
  #pids = 1_000;

  /** A window in which these servers run. */
  async window(
    servers: readonly ServerDefinition[],
    { hostBed = new HostBed(), workspace = 'file:///projects/app' } = {},
  ): Promise<TaskWindow> {
    const pid = (this.#pids += 1);
    const accounts = new AccountStore(path.join(this.folder, 'accounts'), this.secrets);
    const settings = { storesContent: false };
    const ledger = new Ledger(path.join(this.folder, 'activity'), settings, { workspace: () => workspace });
    const tasks = new KeptTasks({
      accounts,
      folder: path.join(this.folder, 'tasks'),
      owners: {
        self: { machine: { name: 'this one', boot: 'now' }, host: { pid, start: 1 } },
        isGone: async ({ host }) => this.#gone.has(host.pid),
      },
      host: hostBed.host,
      ledger,
      log: (line) => this.log.push(line),
      now: this.clock.now,
      after: this.clock.after,
    });
    const gateBed = new GateBed(hostBed, { ledger, keptTasks: tasks });
    const calls: Promise<CallToolResult | Error>[] = [];
    const end = async (): Promise<void> => {
      this.#gone.add(pid);
      this.#windows.delete(window);
      await gateBed.close();
      await Promise.all(calls);
      await ledger.flush();
      ledger.dispose();
      accounts.dispose();
    };
    const window: TaskWindow = {
      hostBed,
      gateBed,
      ledger,
      tasks,
      calls,
      call: ({ id }, args, tool = 'work') => {
        calls.push(gateBed.gate.callTool(person, id, tool, { ...args }).catch((error: Error) => error));
      },
      running: async (claim, what) => {
        await until(() => ledger.running.some(claim), what, ledger.onDidChange);
        const found = ledger.running.find(claim);
        assert.ok(found);
        return found;
      },
      entry: async () => {
        await ledger.load();
        await until(() => ledger.entries.length > 0, 'there is an entry', ledger.onDidChange);
        assert.equal(ledger.entries.length, 1);
        const [entry] = ledger.entries;
        assert.ok(entry);
        return entry;
      },
      close: async () => {
        await tasks.close();
        await end();
      },
      kill: () => {
        this.#killed.push(tasks);
        return end();
      },
    };
    this.#windows.add(window);
    await hostBed.run(...servers);
    await Promise.all(servers.map((server) => this.#listed(hostBed.of(server))));
    return window;
  }

  /** Waits until the task of a call is on the disk. */
  async untilKept(window: TaskWindow, count = 1): Promise<void> {
    await untilSeen(async () => (await window.tasks.files.all()).length === count, `${count} tasks are kept`);
  }

  /** All that is on the disk. */
  get texts(): string {
    return readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile())
      .map((one) => textUnlessGone(path.join(one.parentPath, one.name)))
      .join('\n');
  }

  async close(): Promise<void> {
    for (const window of this.#windows) {
      await window.close();
    }
    // Windows doesn't remove a folder that is watched.
    await Promise.all(this.#killed.map((tasks) => tasks.close()));
    await rm(this.folder, { recursive: true, force: true });
  }

  async #listed(connection: ServerConnection): Promise<void> {
    await connection.catalogue?.listing('tools');
  }
}

/** The text of a file; empty if it has been removed or replaced since it was listed. */
function textUnlessGone(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOENT');
    return '';
  }
}
