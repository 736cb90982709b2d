import type { Client, Prompt, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/client';
import { afterTimeout } from '../../../base/time/clock.ts';
import { unlessAborted } from '../../../base/lifetime/cancellation.ts';
import { Coalesced } from '../../../base/time/coalesced.ts';
import type { Disposable } from '../../../base/lifetime/disposable.ts';
import { Emitter } from '../../../base/lifetime/event.ts';
import type { Logger } from '../../../base/logging/logger.ts';
import { messageOf } from '../../errors/hostError.ts';
import type { MalformedItem } from '../../results/soundPage.ts';
import { isConnectionClosed } from './listPages.ts';
import { ListReports } from './listReports.ts';
import { ListThrottle } from './listThrottle.ts';
import { ListWatchers } from './listWatchers.ts';
import { readLists } from './readLists.ts';
import { areSameLists, type ListKind, type ServerList } from './serverList.ts';

/** What the catalogue needs of a client: single pages, because this host limits the lists. */
type CatalogueClient = Pick<Client, 'getServerCapabilities' | 'request'>;

interface CatalogueContext {
  readonly logger: Logger;
  /** Milliseconds that one page may take. */
  readonly timeout: number;
  /** Who wants to see changes at once; without it, nobody does. */
  readonly watchers?: ListWatchers;
  /** The time in milliseconds. */
  readonly now?: () => number;
}

/** Milliseconds for which a list counts as fresh at most, whatever its server says … */
const MAX_TTL_MS = 24 * 60 * 60_000;
/** … and at least: with 0, it would be read again each time it is shown. */
const MIN_TTL_MS = 30_000;
const none: readonly MalformedItem[] = [];
const allKinds: readonly ListKind[] = ['tools', 'resources', 'prompts'];

/** What one server offers, as it was last listed. */
export class Catalogue implements Disposable {
  tools: readonly Tool[] = [];
  resources: readonly Resource[] = [];
  resourceTemplates: readonly ResourceTemplateType[] = [];
  prompts: readonly Prompt[] = [];

  readonly #onDidChange = new Emitter<ListKind>();
  readonly onDidChange = this.#onDidChange.event;
  readonly #onDidChangeRepeats = new Emitter<void>();
  /** `repeated` has changed. */
  readonly onDidChangeRepeats = this.#onDidChangeRepeats.event;
  readonly #client: CatalogueClient;
  readonly #context: CatalogueContext;
  readonly #end = new AbortController();
  readonly #reading = new Coalesced<ListKind>((kind) => this.#read(kind));
  readonly #throttles: Readonly<Record<ListKind, ListThrottle>>;
  readonly #reports: ListReports;
  readonly #lists = new Map<ListKind, readonly ServerList<unknown>[]>();
  readonly #malformed = new Map<ListKind, readonly MalformedItem[]>();
  /** When lists stop being fresh, for servers that say so. */
  readonly #freshUntil = new Map<ListKind, number>();
  #named: { readonly tools: readonly Tool[]; readonly byName: ReadonlyMap<string, Tool> } | undefined;

  constructor(client: CatalogueClient, context: CatalogueContext) {
    this.#client = client;
    this.#context = context;
    this.#reports = new ListReports(context.logger);
    const { watchers = new ListWatchers() } = context;
    const throttleOf = (kind: ListKind): ListThrottle =>
      new ListThrottle({
        watchers,
        now: () => this.#now(),
        after: afterTimeout,
        read: () => void this.refresh(kind),
        repeats: () => this.#repeatsChanged(kind),
      });
    this.#throttles = {
      tools: throttleOf('tools'),
      resources: throttleOf('resources'),
      prompts: throttleOf('prompts'),
    };
  }

  /** Whether a list has been read, even an empty one. */
  hasListed(kind: ListKind): boolean {
    return this.#lists.has(kind);
  }

  /** The items of a list that cannot be used, in the server's order; resources and their templates together. */
  malformed(kind: ListKind): readonly MalformedItem[] {
    return this.#malformed.get(kind) ?? none;
  }

  /** How the definition of a tool was corrected, as a sentence; undefined for one that is valid. */
  toolNote(name: string): string | undefined {
    return this.#lists.get('tools')?.[0]?.notes.get(name);
  }

  /** Which lists are incomplete, and why, each as a clause. */
  get cuts(): readonly string[] {
    return [...this.#lists].flatMap(([kind, lists]) =>
      lists.flatMap(({ cut }) => (cut === undefined ? [] : [`its list of ${kind} is incomplete: ${cut}`])),
    );
  }

  /** Which lists the server keeps saying have changed. */
  get repeated(): readonly ListKind[] {
    return allKinds.filter((kind) => this.#throttles[kind].isRepeating);
  }

  tool(name: string): Tool | undefined {
    if (this.#named?.tools !== this.tools) {
      this.#named = { tools: this.tools, byName: new Map(this.tools.map((tool) => [tool.name, tool])) };
    }
    return this.#named.byName.get(name);
  }

  /** Reads the lists that the server has declared (2025-06-18, basic/lifecycle: only negotiated capabilities). */
  async refreshAll(): Promise<void> {
    const capabilities = this.#client.getServerCapabilities() ?? {};
    await Promise.all(allKinds.filter((kind) => capabilities[kind]).map((kind) => this.refresh(kind)));
  }

  /** Call when the server says that a list has changed: it is read at once, or when `ListThrottle` allows it. */
  notified(kind: ListKind): void {
    this.#throttles[kind].notified();
  }

  /**
   * Reads a list at once whose next reading `ListThrottle` has put off.
   *
   * @throws CancellationError when the signal aborted.
   */
  async current(kind: ListKind, signal: AbortSignal): Promise<void> {
    const throttle = this.#throttles[kind];
    const reading = throttle.isDelayed
      ? this.refresh(kind)
      : throttle.isRepeating
        ? this.listing(kind)
        : undefined;
    if (reading) {
      await unlessAborted(reading, signal);
    }
  }

  /**
   * Reads one list again. If it is being read, it is read once more afterwards, so that a flood of notifications costs
   * two readings. When that fails, the old list stays, and the log says why.
   */
  refresh(kind: ListKind): Promise<void> {
    return this.#reading.run(kind);
  }

  /**
   * Call when a list is shown: it is read again if it is no longer fresh (2026-07-28,
   * server/utilities/caching) or if its reading was put off. Without a `ttlMs`, lists stay fresh.
   */
  look(kind: ListKind): void {
    this.#throttles[kind].looked();
    const until = this.#freshUntil.get(kind);
    if (until !== undefined && this.#now() >= until && !this.listing(kind)) {
      void this.refresh(kind);
    }
  }

  /** The reading of one list that is under way; it resolves even if it fails. */
  listing(kind: ListKind): Promise<void> | undefined {
    return this.#reading.running(kind);
  }

  /** Stops reading. The lists stay. */
  dispose(): void {
    this.#end.abort();
    allKinds.forEach((kind) => this.#throttles[kind].dispose());
    this.#onDidChange.dispose();
    this.#onDidChangeRepeats.dispose();
  }

  #now(): number {
    return (this.#context.now ?? Date.now)();
  }

  async #read(kind: ListKind): Promise<void> {
    const { signal } = this.#end;
    if (signal.aborted) {
      return;
    }
    const throttle = this.#throttles[kind];
    throttle.begins();
    let isDifferent = false;
    try {
      const before = this.#lists.get(kind);
      const { logger, timeout } = this.#context;
      const source = { client: this.#client, logger, timeout };
      const lists = await readLists(kind, source, before !== undefined, signal);
      isDifferent = before === undefined || !(await areSameLists(before, lists));
      if (!signal.aborted) {
        this.#setFreshness(kind, lists);
        if (isDifferent) {
          this.#take(kind, lists);
          this.#onDidChange.fire(kind);
        }
      }
    } catch (error) {
      if (!signal.aborted && !isConnectionClosed(error)) {
        this.#context.logger.log('error', `The list of ${kind} could not be read: ${messageOf(error)}`);
      }
    }
    if (!signal.aborted) {
      throttle.ended(isDifferent);
    }
  }

  #take(kind: ListKind, lists: readonly ServerList<unknown>[]): void {
    this.#lists.set(kind, lists);
    this.#malformed.set(
      kind,
      lists.flatMap(({ malformed }) => malformed),
    );
    const [first, second] = lists.map(({ items }) => items);
    switch (kind) {
      case 'tools':
        this.tools = first as readonly Tool[];
        break;
      case 'prompts':
        this.prompts = first as readonly Prompt[];
        break;
      case 'resources':
        this.resources = first as readonly Resource[];
        this.resourceTemplates = second as readonly ResourceTemplateType[];
        break;
    }
    this.#reports.report(kind, lists);
  }

  #setFreshness(kind: ListKind, lists: readonly ServerList<unknown>[]): void {
    const ttls = lists.flatMap(({ ttlMs }) => ttlMs ?? []);
    if (ttls.length > 0) {
      const ttl = Math.min(...ttls);
      this.#freshUntil.set(kind, this.#now() + Math.min(Math.max(ttl, MIN_TTL_MS), MAX_TTL_MS));
    } else {
      this.#freshUntil.delete(kind);
    }
  }

  #repeatsChanged(kind: ListKind): void {
    if (this.#throttles[kind].isRepeating) {
      this.#reports.repeats(kind);
    }
    this.#onDidChangeRepeats.fire();
  }
}
