import type { ServerId } from '../config/serverDefinition.ts';
import type { HostTools } from '../gate/hostTools.ts';
import type { LedgerEntry } from '../ledger/ledgerEntry.ts';
import { isOffered, type HostTool } from '../tools/hostTool.ts';

/** How many tools the editor (1.139) sends to a model with one request. */
const EDITOR_CEILING = 128;

/** How many of them are MCP Host's own, by which models find the others. */
const OWN_TOOLS = 3;

/** A tool that agent mode can get by name, and what speaks for it. */
interface Candidate {
  readonly serverId: ServerId;
  readonly name: string;
  /** Exposed itself, not with all tools of its server. */
  readonly isChosen: boolean;
  readonly uses: number;
  /** Its place in the list of its server. */
  readonly place: number;
}

type LeftOut = ReadonlyMap<ServerId, ReadonlySet<string>>;

/**
 * Which of the offered tools agent mode gets by name. All of them, unless they are more than the editor sends with one
 * request. Then first those that you exposed one by one, next those that ran most, then the first of each server, as
 * many as fit beside the tools by which models find the others.
 */
export class ServedTools {
  readonly #tools: Pick<HostTools, 'of' | 'exceptionsOf'>;
  readonly #entries: () => readonly LedgerEntry[];
  readonly #ceiling: number;
  #lists: readonly (readonly HostTool[])[] = [];
  #leftOut: LeftOut = new Map();

  /** `entries` are the requests of before. */
  constructor(
    tools: Pick<HostTools, 'of' | 'exceptionsOf'>,
    entries: () => readonly LedgerEntry[],
    ceiling = EDITOR_CEILING,
  ) {
    this.#tools = tools;
    this.#entries = entries;
    this.#ceiling = ceiling;
  }

  get leavesToolsOut(): boolean {
    return this.#leftOut.size > 0;
  }

  isLeftOut({ serverId, tool }: HostTool): boolean {
    return this.#leftOut.get(serverId)?.has(tool.name) === true;
  }

  /**
   * Decides for all servers that are served, and returns those of which other tools are left out than before. A call
   * changes nothing: what ran most counts again when the tools are others, or `isAgain`.
   */
  update(served: readonly ServerId[], isAgain = false): readonly ServerId[] {
    const ids = served.toSorted(); // servers that restart change their places
    const lists = ids.map((id) => this.#tools.of(id));
    if (!isAgain && isSame(lists, this.#lists)) {
      return [];
    }
    this.#lists = lists;
    const before = this.#leftOut;
    this.#leftOut = this.#decide(ids);
    return [...new Set([...before.keys(), ...this.#leftOut.keys()])].filter(
      (id) => !isSameSet(before.get(id), this.#leftOut.get(id)),
    );
  }

  #decide(ids: readonly ServerId[]): LeftOut {
    const offered = new Map(ids.map((id) => [id, this.#tools.of(id).filter(isOffered)]));
    const count = [...offered.values()].reduce((sum, { length }) => sum + length, 0);
    if (count <= this.#ceiling) {
      return new Map();
    }
    const uses = usesIn(this.#entries());
    const candidates = [...offered].flatMap(([serverId, tools]) => {
      const chosen = this.#tools.exceptionsOf(serverId);
      return tools.map(({ tool: { name } }, place) => ({
        serverId,
        name,
        isChosen: chosen.has(name),
        uses: uses.get(useKey(serverId, name)) ?? 0,
        place,
      }));
    });
    const leftOut = new Map<ServerId, Set<string>>();
    for (const { serverId, name } of candidates.sort(byMerit).slice(this.#ceiling - OWN_TOOLS)) {
      leftOut.set(serverId, (leftOut.get(serverId) ?? new Set()).add(name));
    }
    return leftOut;
  }
}

/** The best come first. Sorting is stable: equals stay in the order of their servers. */
function byMerit(a: Candidate, b: Candidate): number {
  return Number(b.isChosen) - Number(a.isChosen) || b.uses - a.uses || a.place - b.place;
}

/** How often each tool ran. */
function usesIn(entries: readonly LedgerEntry[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const { method, outcome, serverId, target, count = 1 } of entries) {
    if (method === 'tools/call' && (outcome === 'done' || outcome === 'toolError')) {
      const key = useKey(serverId, target);
      uses.set(key, (uses.get(key) ?? 0) + count);
    }
  }
  return uses;
}

function useKey(serverId: ServerId, tool: string): string {
  return JSON.stringify([serverId, tool]);
}

/** The lists are made again when something about their tools has changed. */
function isSame(lists: readonly (readonly HostTool[])[], others: readonly (readonly HostTool[])[]): boolean {
  return lists.length === others.length && lists.every((list, index) => list === others[index]);
}

function isSameSet(a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined): boolean {
  return a !== undefined && a.size === b?.size && [...a].every((name) => b.has(name));
}
