import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ledger, type LedgerLimits } from '../../../src/host/ledger/ledger.ts';
import type { LedgerEnd, LedgerEntry, LedgerRequest } from '../../../src/host/ledger/ledgerEntry.ts';

export const aRequest: LedgerRequest = {
  caller: { kind: 'agentMode' },
  serverId: 'user settings:user git',
  server: 'git',
  method: 'tools/call',
  target: 'read_file',
  args: { path: '/projects/app/README.md' },
};

export const anEnd: LedgerEnd = {
  decision: 'asked',
  outcome: 'done',
  result: { content: [{ type: 'text', text: 'Hello' }] },
};

/** Ledgers over one folder, as windows have them, and a clock that goes when the test says so. */
export class LedgerBed {
  readonly folder = path.join(realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-'))), 'activity');
  readonly settings = { storesContent: false };
  now = Date.UTC(2026, 2, 14, 12);
  readonly #ledgers: Ledger[] = [];
  readonly #waiting = new Set<() => void>();

  open(limits: Partial<LedgerLimits> = {}, workspace = 'file:///projects/app'): Ledger {
    const now = (): number => this.now;
    const ledger = new Ledger(this.folder, this.settings, {
      workspace: () => workspace,
      now,
      limits,
      after: (_ms, work) => {
        this.#waiting.add(work);
        return { dispose: () => this.#waiting.delete(work) };
      },
    });
    this.#ledgers.push(ledger);
    return ledger;
  }

  /** Lets every time that something waits for pass. */
  pass(): void {
    const due = [...this.#waiting];
    this.#waiting.clear();
    due.forEach((work) => work());
  }

  /** A request that comes, is sent, and ends ten milliseconds later. */
  write(
    ledger: Ledger,
    request: Partial<LedgerRequest> = {},
    end: Partial<LedgerEnd> = {},
    secrets?: Iterable<string>,
  ): LedgerEntry {
    const open = ledger.begin({ ...aRequest, ...request }, () => {});
    open.sent();
    this.now += 10;
    open.end({ ...anEnd, ...end }, secrets);
    const [entry] = ledger.entries;
    assert.ok(entry);
    return entry;
  }

  get files(): readonly string[] {
    return readdirSync(this.folder)
      .filter((name) => name.endsWith('.jsonl'))
      .sort();
  }

  read(name: string): string {
    return readFileSync(path.join(this.folder, name), 'utf8');
  }

  /** All lines of all files, as they are. */
  get text(): string {
    return this.files.map((name) => this.read(name)).join('');
  }

  get bytes(): number {
    return this.files.reduce((sum, name) => sum + Buffer.byteLength(this.read(name)), 0);
  }

  async exported(ledger: Ledger): Promise<readonly string[]> {
    const lines: string[] = [];
    for await (const line of ledger.exportLines()) {
      lines.push(line);
    }
    return lines;
  }

  async dispose(): Promise<void> {
    for (const ledger of this.#ledgers) {
      await ledger.flush();
      ledger.dispose();
    }
    await rm(path.dirname(this.folder), { recursive: true, force: true });
  }
}
