import type { Client, Prompt, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/client';
import { afterTimeout, type After } from '../../../base/after.ts';
import { unlessAborted } from '../../../base/cancellation.ts';
import { Coalesced } from '../../../base/coalesced.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/event.ts';
import type { Logger } from '../../../base/logger.ts';
import { visibleText } from '../../../base/visibleText.ts';
import { HostError, messageOf } from '../../errors/hostError.ts';
import type { MalformedItem } from '../../results/listFaults.ts';
import { lists } from '../../results/soundList.ts';
import {
  defaultBounds,
  isConnectionClosed,
  listPages,
  type ListBounds,
  type Listed,
  type Page,
} from './listPages.ts';
import { ListAudience } from './listAudience.ts';
import type { ListKind } from './listKind.ts';
import { ListPace } from './listPace.ts';
import { areSameLists } from './sameLists.ts';

/** What the catalogue asks of a client: one page at a time, so that bounds and their end are ours. */
export type CatalogueClient = Pick<Client, 'getServerCapabilities' | 'request'>;

export interface CatalogueContext {
  readonly logger: Logger;
  /** Milliseconds that one page may take. */
  readonly timeout: number;
  readonly bounds?: ListBounds;
  /** Who wants to hear of changes at once; without one, nobody does. */
  readonly audience?: ListAudience;
  /** The time in milliseconds. */
  readonly now?: () => number;
  readonly after?: After;
}

/** Milliseconds for which a list is taken to be fresh at most, whatever its server says. */
const MAX_TTL_MS = 24 * 60 * 60_000;
/** The same at least: "stale at once" would mean a list for each look at it. */
const MIN_TTL_MS = 30_000;
const none: readonly MalformedItem[] = [];
/** Malformed items of one list that the log names. */
const MAX_LOGGED = 20;
const allKinds: readonly ListKind[] = ['tools', 'resources', 'prompts'];

/** What a server does that repeats itself, and what becomes of it, after its name. */
export function repeatsWords(kinds: readonly ListKind[]): string {
  const [lists, have, they] =
    kinds.length === 1 ? ['list', 'has', 'the list is'] : ['lists', 'have', 'the lists are'];
  const names = new Intl.ListFormat('en-GB').format(kinds);
  return `keeps saying that its ${lists} of ${names} ${have} changed. To spare it, ${they} read less and less often, down to once a minute.`;
}

/** What one server offers, as it was last listed. */
export class Catalogue implements Disposable {
  tools: readonly Tool[] = [];
  resources: readonly Resource[] = [];
  resourceTemplates: readonly ResourceTemplateType[] = [];
  prompts: readonly Prompt[] = [];
  /** True from the first list of tools on, which may be empty. */
  hasListedTools = false;

  readonly #onDidChange = new Emitter<ListKind>();
  readonly onDidChange = this.#onDidChange.event;
  readonly #onDidChangeRepeats = new Emitter<void>();
  /** `repeated` is different. */
  readonly onDidChangeRepeats = this.#onDidChangeRepeats.event;
  readonly #client: CatalogueClient;
  readonly #context: CatalogueContext;
  readonly #end = new AbortController();
  readonly #lists = new Coalesced<ListKind>((kind) => this.#listOrSayWhyNot(kind));
  readonly #paces: Readonly<Record<ListKind, ListPace>>;
  readonly #listed = new Map<ListKind, readonly Listed<unknown>[]>();
  readonly #malformed = new Map<ListKind, readonly MalformedItem[]>();
  /** What the log was told of each list: it is told again when that is different. */
  readonly #said = new Map<ListKind, string>();
  readonly #saidRepeated = new Set<ListKind>();
  /** Until when each list is fresh, for those whose server says so. */
  readonly #freshUntil = new Map<ListKind, number>();
  #named: { readonly tools: readonly Tool[]; readonly byName: ReadonlyMap<string, Tool> } | undefined;

  constructor(client: CatalogueClient, context: CatalogueContext) {
    this.#client = client;
    this.#context = context;
    const { audience = new ListAudience(), after = afterTimeout } = context;
    const paceOf = (kind: ListKind): ListPace => {
      const [now, read] = [() => this.#now(), () => void this.refresh(kind)];
      return new ListPace({ audience, now, after, read, repeats: () => this.#sayWhetherRepeated(kind) });
    };
    this.#paces = { tools: paceOf('tools'), resources: paceOf('resources'), prompts: paceOf('prompts') };
  }

  /** What of a list cannot be used, and why, in the server's order; resources and their templates are one. */
  malformed(kind: ListKind): readonly MalformedItem[] {
    return this.#malformed.get(kind) ?? none;
  }

  /** What was read into the definition of a tool, as a sentence; undefined for one that is as it should be. */
  toolNote(name: string): string | undefined {
    return this.#listed.get('tools')?.[0]?.notes.get(name);
  }

  /** Which lists are not whole, and why, each as a clause. */
  get cuts(): readonly string[] {
    return [...this.#listed].flatMap(([kind, parts]) =>
      parts.flatMap(({ cut }) => (cut === undefined ? [] : [`its list of ${kind} is not whole: ${cut}`])),
    );
  }

  /** Which lists the server says again and again have changed. */
  get repeated(): readonly ListKind[] {
    return allKinds.filter((kind) => this.#paces[kind].isRepeating);
  }

  /** A tool by its name. */
  tool(name: string): Tool | undefined {
    if (this.#named?.tools !== this.tools) {
      this.#named = { tools: this.tools, byName: new Map(this.tools.map((tool) => [tool.name, tool])) };
    }
    return this.#named.byName.get(name);
  }

  /** Lists what the server has declared (2025-06-18, basic/lifecycle: only negotiated capabilities are used). */
  async refreshAll(): Promise<void> {
    const capabilities = this.#client.getServerCapabilities() ?? {};
    await Promise.all(allKinds.filter((kind) => capabilities[kind]).map((kind) => this.refresh(kind)));
  }

  /** Call when the server says that a list has changed: it is read at once, or by its pace. See `ListPace`. */
  told(kind: ListKind): void {
    this.#paces[kind].told();
  }

  /**
   * Resolves when a list has been read that the server says has changed and that would be read later.
   *
   * @throws CancellationError when the signal aborted.
   */
  async current(kind: ListKind, signal: AbortSignal): Promise<void> {
    const pace = this.#paces[kind];
    const reading = pace.isHeldUp ? this.refresh(kind) : pace.isRepeating ? this.listing(kind) : undefined;
    if (reading) {
      await unlessAborted(reading, signal);
    }
  }

  /**
   * Lists one kind again, from its first page. A refresh asked for while one runs is done once after it, so
   * that a flood of notifications costs two lists. A list that fails keeps the old one, and says so in the log.
   */
  refresh(kind: ListKind): Promise<void> {
    return this.#lists.run(kind);
  }

  /**
   * Call when somebody looks at a list: one that is older than its server says it stays fresh (2026-07-28,
   * server/utilities/caching) is listed again, and so is one whose server repeats itself. Nothing else is listed
   * by the clock, and nothing without a `ttlMs`.
   */
  look(kind: ListKind): void {
    this.#paces[kind].looked();
    const until = this.#freshUntil.get(kind);
    if (until !== undefined && this.#now() >= until && !this.listing(kind)) {
      void this.refresh(kind);
    }
  }

  /** The listing of one kind that is under way; it resolves whether or not it succeeds. */
  listing(kind: ListKind): Promise<void> | undefined {
    return this.#lists.running(kind);
  }

  /** Ends what is being listed. What was listed stays. */
  dispose(): void {
    this.#end.abort();
    allKinds.forEach((kind) => this.#paces[kind].dispose());
    this.#onDidChange.dispose();
    this.#onDidChangeRepeats.dispose();
  }

  #now(): number {
    return (this.#context.now ?? Date.now)();
  }

  async #listOrSayWhyNot(kind: ListKind): Promise<void> {
    if (this.#end.signal.aborted) {
      return;
    }
    const pace = this.#paces[kind];
    pace.begins();
    let isDifferent = false;
    try {
      const parts = await this.#list(kind);
      const before = this.#listed.get(kind);
      const isSame = before !== undefined && (await areSameLists(before, parts));
      if (!this.#end.signal.aborted) {
        isDifferent = !isSame;
        this.#keepFresh(kind, parts);
        // What nobody can tell from what was there before, nobody hears of.
        if (isDifferent) {
          this.#take(kind, parts);
          this.#onDidChange.fire(kind);
        }
      }
    } catch (error) {
      if (!this.#end.signal.aborted && !isConnectionClosed(error)) {
        this.#context.logger.log('error', `The list of ${kind} could not be read: ${messageOf(error)}`);
      }
    }
    if (!this.#end.signal.aborted) {
      pace.ended(isDifferent);
    }
  }

  async #list(kind: ListKind): Promise<readonly Listed<unknown>[]> {
    switch (kind) {
      case 'tools':
        return [await this.#read(kind, 'tools/list', ({ name }: Tool) => name)];
      case 'prompts':
        return [await this.#read(kind, 'prompts/list', ({ name }: Prompt) => name)];
      case 'resources':
        return Promise.all([
          this.#read(kind, 'resources/list', ({ uri }: Resource) => uri),
          // Many servers with resources know no templates: that costs the templates only.
          this.#read(
            kind,
            'resources/templates/list',
            ({ uriTemplate }: ResourceTemplateType) => uriTemplate,
          ).catch((error: unknown) => {
            this.#context.logger.log('debug', `There are no resource templates: ${messageOf(error)}`);
            return { items: [], malformed: [], notes: new Map(), ttlMs: undefined, cut: undefined };
          }),
        ]);
    }
  }

  async #read<T>(kind: ListKind, method: keyof typeof lists, keyOf: (item: T) => string): Promise<Listed<T>> {
    const { timeout, bounds = defaultBounds } = this.#context;
    const page = async (cursor: string | undefined, ms: number, signal: AbortSignal): Promise<Page<T>> => {
      const params = cursor === undefined ? {} : { params: { cursor } };
      const result: unknown = await this.#client.request({ method, ...params }, { timeout: ms, signal });
      const { field } = lists[method];
      const answer = result as Omit<Page<T>, 'items'> & Readonly<Record<typeof field, readonly T[]>>;
      return { ...answer, items: answer[field] };
    };
    const listed = await listPages({ page, keyOf, timeout }, bounds, this.#end.signal);
    // The old list, which was whole, is better than a part of the new one; a part is better than nothing.
    if (listed.failure !== undefined && this.#listed.has(kind)) {
      throw new HostError('protocol', messageOf(listed.failure), { cause: listed.failure });
    }
    return listed;
  }

  /** Offers what was listed. */
  #take(kind: ListKind, parts: readonly Listed<unknown>[]): void {
    this.#listed.set(kind, parts);
    this.#malformed.set(
      kind,
      parts.flatMap(({ malformed }) => malformed),
    );
    const [first, second] = parts.map(({ items }) => items);
    switch (kind) {
      case 'tools':
        this.tools = first as readonly Tool[];
        this.hasListedTools = true;
        break;
      case 'prompts':
        this.prompts = first as readonly Prompt[];
        break;
      case 'resources':
        this.resources = first as readonly Resource[];
        this.resourceTemplates = second as readonly ResourceTemplateType[];
        break;
    }
    const said = JSON.stringify(parts.map(({ cut, malformed, notes }) => [cut, malformed, [...notes]]));
    if (this.#said.get(kind) !== said) {
      this.#said.set(kind, said);
      this.#say(kind, parts);
    }
  }

  #keepFresh(kind: ListKind, parts: readonly Listed<unknown>[]): void {
    const ttls = parts.flatMap(({ ttlMs }) => ttlMs ?? []);
    if (ttls.length > 0) {
      const ttl = Math.min(...ttls);
      this.#freshUntil.set(kind, this.#now() + Math.min(Math.max(ttl, MIN_TTL_MS), MAX_TTL_MS));
    } else {
      this.#freshUntil.delete(kind);
    }
  }

  /** The log has it once, the row for as long as it lasts. */
  #sayWhetherRepeated(kind: ListKind): void {
    if (this.#paces[kind].isRepeating && !this.#saidRepeated.has(kind)) {
      this.#saidRepeated.add(kind);
      this.#context.logger.log('warn', `The server ${repeatsWords([kind])}`);
    }
    this.#onDidChangeRepeats.fire();
  }

  #say(kind: ListKind, parts: readonly Listed<unknown>[]): void {
    const { logger } = this.#context;
    for (const { cut, malformed, notes } of parts) {
      if (cut !== undefined) {
        logger.log('warn', `Its list of ${kind} is not whole: ${cut}.`);
      }
      const [noted] = notes;
      if (noted) {
        const [name, note] = noted;
        const others = notes.size > 1 ? ` ${notes.size - 1} more of its ${kind} are read like it.` : '';
        logger.log(
          'info',
          `In its list of ${kind}, '${visibleText(name)}' is read as it is meant. ${note}${others}`,
        );
      }
      for (const { name, place, reason } of malformed.slice(0, MAX_LOGGED)) {
        const what = name === undefined ? `number ${place}` : `'${visibleText(name)}'`;
        logger.log('warn', `In its list of ${kind}, ${what} is left out: ${visibleText(reason)}.`);
      }
      if (malformed.length > MAX_LOGGED) {
        logger.log('warn', `So are ${malformed.length - MAX_LOGGED} more of its ${kind}.`);
      }
    }
  }
}
