import { randomUUID } from 'node:crypto';
import { afterTimeout, type After } from '../../base/time/clock.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { GateSettings } from '../config/settings.ts';
import { compactJson } from '../json/readableText.ts';
import { ContentMemory, keptResult, keptText, withoutSecrets, type LedgerContent } from './ledgerContent.ts';
import {
  isOfServer,
  type LedgerEnd,
  type LedgerEntry,
  type LedgerRequest,
  type RunningTask,
} from './ledgerEntry.ts';
import { LedgerSeries, type Counted } from './ledgerSeries.ts';
import { keptLine, keptLines, newestEntries } from './ledgerHistory.ts';
import { ledgerLineOf } from './ledgerLine.ts';
import { LedgerWriter, type WriterLimits } from './ledgerWriter.ts';

/** A request that has not ended. */
export interface RunningRequest extends LedgerRequest {
  readonly id: string;
  readonly at: number;
  /** True while the server, or a model, handles it; false while the user is asked. */
  readonly isSent: boolean;
  /** True after `cancel`, until the end. */
  readonly isCancelling: boolean;
  /** Present once it runs as a task of its server. */
  readonly task?: RunningTask;
  cancel(): void;
}

/** Which request an entry is about, from the beginning. */
export interface EntryKey {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Bytes of JSON that are sent for it. */
  readonly sentBytes: number;
}

/** Records one request. */
export interface OpenEntry extends EntryKey {
  /** The request is sent to the server. */
  sent(): void;
  /** The user is asked again, about the result. */
  asksPerson(): void;
  /** The request runs as a task of its server, in this state. */
  becomesTask(task: RunningTask): void;
  /** The sender of the request no longer waits for it, and another entry of the same key records its end. */
  leave(): void;
  /** The request ended; a second call does nothing. `secrets` are removed from everything that is kept. */
  end(end: LedgerEnd, secrets?: Iterable<string>): void;
}

export interface LedgerLimits extends WriterLimits {
  /** Entries in memory, and how many of them are read from earlier files. */
  readonly entries: number;
  readonly history: number;
  /** Characters that are kept of arguments or a result, and of all contents in memory. */
  readonly contentCharacters: number;
  readonly memoryCharacters: number;
}

const MB = 1_024 * 1_024;

const defaultLimits: LedgerLimits = {
  entries: 10_000,
  history: 1_000,
  contentCharacters: MB,
  memoryCharacters: 32 * MB,
  fileBytes: 5 * MB,
  folderBytes: 50 * MB,
  files: 1_000,
};

/**
 * The requests through the gate, and how they ended: the latest in memory, all of them in a folder that windows share.
 * Arguments and results are stored only if the user's settings say so.
 */
export class Ledger implements Disposable {
  readonly #onDidChange = new Emitter<void>();
  /** An entry or a running request has changed. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #folder: string;
  readonly #settings: Pick<GateSettings, 'storesContent'>;
  readonly #now: () => number;
  readonly #limits: LedgerLimits;
  readonly #writer: LedgerWriter;
  readonly #contents: ContentMemory;
  readonly #running = new Map<string, RunningRequest>();
  /** The one that began first is first. */
  readonly #entries: LedgerEntry[] = [];
  readonly #workspace: () => string;
  readonly #series: LedgerSeries;
  #newestFirst: readonly LedgerEntry[] | undefined;
  #loading: Promise<void> | undefined;

  constructor(
    folder: string,
    settings: Pick<GateSettings, 'storesContent'>,
    {
      workspace = () => '',
      now = Date.now,
      limits = {},
      after = afterTimeout,
    }: {
      readonly workspace?: () => string;
      readonly now?: () => number;
      readonly limits?: Partial<LedgerLimits>;
      readonly after?: After;
    } = {},
  ) {
    this.#folder = folder;
    this.#settings = settings;
    this.#workspace = workspace;
    this.#now = now;
    this.#limits = { ...defaultLimits, ...limits };
    this.#writer = new LedgerWriter(folder, this.#limits, () => this.#onDidChange.fire(), after);
    this.#contents = new ContentMemory(this.#limits.memoryCharacters);
    this.#series = new LedgerSeries((counted) => this.#add(counted, {}), after);
  }

  /** Identifies this window's workspace, as of now. */
  get workspace(): string {
    return this.#workspace();
  }

  get running(): readonly RunningRequest[] {
    return [...this.#running.values()];
  }

  /** The latest entries, newest first; those of earlier windows once `load` is done. */
  get entries(): readonly LedgerEntry[] {
    this.#newestFirst ??= this.#entries.toReversed();
    return this.#newestFirst;
  }

  /** Why entries cannot be written at the moment. */
  get problem(): string | undefined {
    return this.#writer.problem;
  }

  /** Reads the newest entries of earlier windows, of this workspace and of all, once. */
  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  /** @param earlier The key of a request that goes on, see `OpenEntry.leave`. */
  begin(request: LedgerRequest, cancel: () => void, earlier?: EntryKey): OpenEntry {
    // At once, because the caller may change them later.
    const { args: asked, ...rest } = request;
    const args = compactJson(asked);
    const {
      id = randomUUID(),
      at = this.#now(),
      sentBytes = bytesOf(paramsText(request, args)),
    }: Partial<EntryKey> = earlier ?? {};
    const key: EntryKey = { id, at, sentBytes };
    const change = (changed: RunningRequest): void => {
      this.#running.set(id, changed);
      this.#onDidChange.fire();
    };
    const current = (): RunningRequest | undefined => this.#running.get(id);
    let isSent = false;
    let isTask = false;
    change({
      ...request,
      id,
      at,
      isSent: false,
      isCancelling: false,
      cancel: () => {
        const running = current();
        if (running && !running.isCancelling) {
          change({ ...running, isCancelling: true });
          cancel();
        }
      },
    });
    return {
      ...key,
      becomesTask: ({ status, message }) => {
        const running = current();
        isTask = true;
        if (running && (running.task?.status !== status || running.task.message !== message)) {
          change({ ...running, task: { status, message } });
        }
      },
      leave: () => {
        if (this.#running.delete(id)) {
          this.#onDidChange.fire();
        }
      },
      sent: () => {
        const running = current();
        if (running && !running.isSent) {
          isSent = true;
          change({ ...running, isSent });
        }
      },
      asksPerson: () => {
        const running = current();
        if (running?.isSent === true) {
          change({ ...running, isSent: false });
        }
      },
      end: (end, secrets = []) => {
        if (this.#running.delete(id)) {
          const task = isTask && { task: end.isTaskGone ? ('gone' as const) : ('ended' as const) };
          const values = [...secrets].filter(Boolean);
          this.#write({ ...rest, ...key, ...task }, args, isSent, end, values);
        }
      },
    };
  }

  /**
   * Records a request that has ended, and is one of many alike: they are counted together, without arguments and
   * results.
   */
  count(
    request: Omit<LedgerRequest, 'args'>,
    { decision, outcome, problem }: Pick<LedgerEnd, 'decision' | 'outcome' | 'problem'>,
    {
      since,
      sent,
      received,
    }: { readonly since: number; readonly sent?: unknown; readonly received?: unknown },
    secrets: Iterable<string> = [],
  ): void {
    const values = [...secrets].filter(Boolean);
    this.#series.add({
      ...request,
      target: withoutSecrets(request.target, values),
      at: since,
      decision,
      outcome,
      durationMs: Math.max(0, this.#now() - since),
      sentBytes: bytesOf(compactJson(sent) ?? ''),
      receivedBytes: bytesOf(compactJson(received) ?? ''),
      ...(problem !== undefined && { problem: withoutSecrets(problem, values) }),
    });
  }

  /** Arguments and result of a request, from memory or from the disk; undefined if they weren't kept. */
  async contentOf(id: string): Promise<LedgerContent | undefined> {
    const content = this.#contents.get(id);
    if (content) {
      return content;
    }
    await this.#writer.flush();
    return (await keptLine(this.#folder, id))?.content;
  }

  /**
   * The entries that `wants` selects as lines of JSON, file by file, with arguments and results if the settings keep
   * them.
   */
  async *exportLines(wants: (entry: LedgerEntry) => boolean = () => true): AsyncGenerator<string> {
    await this.flush();
    const stores = this.#settings.storesContent;
    const seen = new Set<string>();
    for await (const { entry, content } of keptLines(this.#folder)) {
      if (!seen.has(entry.id)) {
        seen.add(entry.id);
        if (wants(entry)) {
          yield ledgerLineOf(entry, stores ? content : undefined);
        }
      }
    }
    for (const entry of this.entries.toReversed()) {
      if (!seen.has(entry.id) && wants(entry)) {
        yield ledgerLineOf(entry, stores ? this.#contents.get(entry.id) : undefined);
      }
    }
  }

  /** Resolves when all requests that ended are written, or cannot be. */
  flush(): Promise<void> {
    this.#series.flush();
    return this.#writer.flush();
  }

  /** Stops telling of changes. Requests that end after this are still written, each at once. */
  dispose(): void {
    this.#onDidChange.dispose();
    this.#writer.hurry();
  }

  async #load(): Promise<void> {
    const { history } = this.#limits;
    const earlier = [
      ...(await newestEntries(this.#folder, history)),
      ...(await newestEntries(this.#folder, history, this.workspace)),
    ];
    const known = new Set(this.#entries.map(({ id }) => id));
    const added = earlier.filter(({ id }) => !known.has(id) && known.add(id));
    const all = [...added, ...this.#entries].sort((a, b) => a.at - b.at).slice(-this.#limits.entries);
    this.#entries.splice(0, this.#entries.length, ...all);
    this.#tell();
  }

  #write(
    request: Omit<LedgerEntry, keyof LedgerEnd | 'durationMs' | 'receivedBytes'>,
    args: string | undefined,
    isSent: boolean,
    { decision, outcome, result, problem, sampling }: LedgerEnd,
    secrets: readonly string[],
  ): void {
    const { contentCharacters } = this.#limits;
    const answer = keptResult(result, secrets, contentCharacters);
    const content: LedgerContent = {
      ...(args !== undefined && { args: keptText(args, secrets, contentCharacters) }),
      ...(answer.text !== undefined && { result: answer.text }),
    };
    const isAnswer = isOfServer(request.method);
    const asked = isAnswer || isSent ? request.sentBytes : 0;
    const answered = answer.bytes;
    const { id, ...kind } = request;
    const entry: Counted = {
      ...kind,
      // The model is known only at the end.
      target: withoutSecrets(sampling?.model ?? request.target, secrets),
      decision,
      outcome,
      durationMs: Math.max(0, this.#now() - request.at),
      sentBytes: isAnswer ? answered : asked,
      receivedBytes: isAnswer ? asked : answered,
      ...(problem !== undefined && { problem: withoutSecrets(problem, secrets) }),
      ...(sampling && { sampling }),
    };
    this.#add(entry, content, id);
  }

  #add(counted: Counted, content: LedgerContent, id: string = randomUUID()): void {
    const entry: LedgerEntry = { ...counted, id, workspace: this.workspace };
    this.#contents.add(entry.id, content);
    this.#insert(entry);
    this.#writer.append(ledgerLineOf(entry, this.#settings.storesContent ? content : undefined));
    this.#tell();
  }

  #insert(entry: LedgerEntry): void {
    const index = this.#entries.findLastIndex(({ at }) => at <= entry.at) + 1;
    this.#entries.splice(index, 0, entry);
    if (this.#entries.length > this.#limits.entries) {
      this.#entries.shift();
    }
  }

  #tell(): void {
    this.#newestFirst = undefined;
    this.#onDidChange.fire();
  }
}

/** The parameters of the request as they are sent, or were received. */
function paramsText(
  { method, target }: Pick<LedgerRequest, 'method' | 'target'>,
  args: string | undefined,
): string {
  if (isOfServer(method)) {
    return args ?? '';
  }
  const name = JSON.stringify(target);
  return method === 'resources/read'
    ? `{"uri":${name}}`
    : `{"name":${name}${args === undefined ? '' : `,"arguments":${args}`}}`;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
