import type { Client, Prompt, Resource, ResourceTemplateType, Tool } from '@modelcontextprotocol/client';
import { Coalesced } from '../../base/coalesced.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Logger } from '../../base/logger.ts';
import { visibleText } from '../../base/visibleText.ts';
import { HostError, messageOf } from '../hostError.ts';
import type { MalformedItem } from '../results/listFaults.ts';
import { lists } from '../results/soundList.ts';
import {
  defaultBounds,
  isConnectionClosed,
  listPages,
  type ListBounds,
  type Listed,
  type Page,
} from './listPages.ts';
import type { ListKind } from './listKind.ts';

/** What the catalogue asks of a client: one page at a time, so that bounds and their end are ours. */
export type CatalogueClient = Pick<Client, 'getServerCapabilities' | 'request'>;

export interface CatalogueContext {
  readonly logger: Logger;
  /** Milliseconds that one page may take. */
  readonly timeout: number;
  readonly bounds?: ListBounds;
  /** The time in milliseconds. */
  readonly now?: () => number;
}

/** Milliseconds for which a list is taken to be fresh at most, whatever its server says. */
const MAX_TTL_MS = 24 * 60 * 60_000;
/** The same at least: "stale at once" would mean a list for each look at it. */
const MIN_TTL_MS = 30_000;
const none: readonly MalformedItem[] = [];
/** Malformed items of one list that the log names. */
const MAX_LOGGED = 20;

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
  readonly #client: CatalogueClient;
  readonly #context: CatalogueContext;
  readonly #end = new AbortController();
  readonly #lists = new Coalesced<ListKind>((kind) => this.#listOrSayWhyNot(kind));
  readonly #listed = new Map<ListKind, readonly Listed<unknown>[]>();
  readonly #malformed = new Map<ListKind, readonly MalformedItem[]>();
  /** What the log was told of each list: it is told again when that is different. */
  readonly #said = new Map<ListKind, string>();
  /** Until when each list is fresh, for those whose server says so. */
  readonly #freshUntil = new Map<ListKind, number>();
  #named: { readonly tools: readonly Tool[]; readonly byName: ReadonlyMap<string, Tool> } | undefined;

  constructor(client: CatalogueClient, context: CatalogueContext) {
    this.#client = client;
    this.#context = context;
  }

  /** What of a list cannot be used, and why, in the server's order; resources and their templates are one. */
  malformed(kind: ListKind): readonly MalformedItem[] {
    return this.#malformed.get(kind) ?? none;
  }

  /** Which lists are not whole, and why, each as a clause. */
  get cuts(): readonly string[] {
    return [...this.#listed].flatMap(([kind, parts]) =>
      parts.flatMap(({ cut }) => (cut === undefined ? [] : [`its list of ${kind} is not whole: ${cut}`])),
    );
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
    const kinds: readonly ListKind[] = ['tools', 'resources', 'prompts'];
    await Promise.all(kinds.filter((kind) => capabilities[kind]).map((kind) => this.refresh(kind)));
  }

  /**
   * Lists one kind anew, from its first page. A refresh asked for while one runs is done once after it, so
   * that a flood of notifications costs two lists. A list that fails keeps the old one, and says so in the log.
   */
  refresh(kind: ListKind): Promise<void> {
    return this.#lists.run(kind);
  }

  /**
   * Call when somebody looks at a list: one that is older than its server says it stays fresh (2026-07-28,
   * server/utilities/caching) is listed anew. Nothing is listed by the clock, and nothing without a `ttlMs`.
   */
  look(kind: ListKind): void {
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
    this.#onDidChange.dispose();
  }

  #now(): number {
    return (this.#context.now ?? Date.now)();
  }

  async #listOrSayWhyNot(kind: ListKind): Promise<void> {
    if (this.#end.signal.aborted) {
      return;
    }
    try {
      const parts = await this.#list(kind);
      if (!this.#end.signal.aborted) {
        this.#keep(kind, parts);
        this.#onDidChange.fire(kind);
      }
    } catch (error) {
      if (!this.#end.signal.aborted && !isConnectionClosed(error)) {
        this.#context.logger.log('error', `The list of ${kind} could not be read: ${messageOf(error)}`);
      }
    }
  }

  async #list(kind: ListKind): Promise<readonly Listed<unknown>[]> {
    switch (kind) {
      case 'tools': {
        const tools = await this.#read(kind, 'tools/list', ({ name }: Tool) => name);
        this.tools = tools.items;
        this.hasListedTools = true;
        return [tools];
      }
      case 'prompts': {
        const prompts = await this.#read(kind, 'prompts/list', ({ name }: Prompt) => name);
        this.prompts = prompts.items;
        return [prompts];
      }
      case 'resources': {
        const [resources, templates] = await Promise.all([
          this.#read(kind, 'resources/list', ({ uri }: Resource) => uri),
          // Many servers with resources know no templates: that costs the templates only.
          this.#read(
            kind,
            'resources/templates/list',
            ({ uriTemplate }: ResourceTemplateType) => uriTemplate,
          ).catch((error: unknown) => {
            this.#context.logger.log('debug', `There are no resource templates: ${messageOf(error)}`);
            return { items: [], malformed: [], ttlMs: undefined, cut: undefined };
          }),
        ]);
        this.resources = resources.items;
        this.resourceTemplates = templates.items;
        return [resources, templates];
      }
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

  #keep(kind: ListKind, parts: readonly Listed<unknown>[]): void {
    this.#listed.set(kind, parts);
    this.#malformed.set(
      kind,
      parts.flatMap(({ malformed }) => malformed),
    );
    const ttls = parts.flatMap(({ ttlMs }) => ttlMs ?? []);
    if (ttls.length > 0) {
      const ttl = Math.min(...ttls);
      this.#freshUntil.set(kind, this.#now() + Math.min(Math.max(ttl, MIN_TTL_MS), MAX_TTL_MS));
    } else {
      this.#freshUntil.delete(kind);
    }
    const said = JSON.stringify(parts.map(({ cut, malformed }) => [cut, malformed]));
    if (this.#said.get(kind) !== said) {
      this.#said.set(kind, said);
      this.#say(kind, parts);
    }
  }

  #say(kind: ListKind, parts: readonly Listed<unknown>[]): void {
    const { logger } = this.#context;
    for (const { cut, malformed } of parts) {
      if (cut !== undefined) {
        logger.log('warn', `Its list of ${kind} is not whole: ${cut}.`);
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
