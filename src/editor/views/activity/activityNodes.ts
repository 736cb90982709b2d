import type { Ledger } from '../../../host/ledger/ledger.ts';
import type { LedgerEntry, LedgerMethod, LedgerOutcome } from '../../../host/ledger/ledgerEntry.ts';
import { PAGE } from '../row.ts';
import type { ActivityNode } from '../../nodes/activityNode.ts';

/** What is shown: the requests of these servers, by label, of these kinds and with these outcomes. Empty means all. */
export interface ActivityFilter {
  /** Requests of this window's workspace, or of all. */
  readonly workspaces: 'this' | 'all';
  readonly servers: readonly string[];
  readonly methods: readonly LedgerMethod[];
  readonly outcomes: readonly LedgerOutcome[];
}

export const noFilter: ActivityFilter = { workspaces: 'this', servers: [], methods: [], outcomes: [] };

/** The nodes of the list of activity; what stays the same stays the same object. */
export class ActivityNodes {
  readonly #ledger: Pick<Ledger, 'running' | 'entries' | 'workspace'>;
  readonly #running = new Map<string, ActivityNode & { kind: 'running' }>();
  readonly #entries = new WeakMap<LedgerEntry, ActivityNode>();
  #filter = noFilter;
  #shown = PAGE;
  #nodes: readonly ActivityNode[] = [];
  #matching = 0;
  #inScope = 0;

  constructor(ledger: Pick<Ledger, 'running' | 'entries' | 'workspace'>) {
    this.#ledger = ledger;
  }

  get nodes(): readonly ActivityNode[] {
    return this.#nodes;
  }

  /** How many entries match the filter, shown or not. */
  get matching(): number {
    return this.#matching;
  }

  /** The number of entries of the workspaces that are shown, and of the others. */
  get inScope(): number {
    return this.#inScope;
  }

  get others(): number {
    return this.#ledger.entries.length - this.#inScope;
  }

  get filter(): ActivityFilter {
    return this.#filter;
  }

  set filter(filter: ActivityFilter) {
    this.#filter = filter;
    this.#shown = PAGE;
  }

  /** Whether the filter may leave out entries of the workspaces that are shown. */
  get isFiltered(): boolean {
    const { servers, methods, outcomes } = this.#filter;
    return servers.length + methods.length + outcomes.length > 0;
  }

  showMore(): void {
    this.#shown += PAGE;
  }

  /** Reads the ledger again, and returns what must be drawn again. */
  update(): readonly ActivityNode[] | 'all' {
    const changed: ActivityNode[] = [];
    const running = this.#ledger.running
      .filter((request) => this.#wants(request))
      .map((request): ActivityNode => {
        const known = this.#running.get(request.id);
        if (known && known.request !== request) {
          known.request = request;
          changed.push(known);
        }
        const node = known ?? { kind: 'running', id: `running ${request.id}`, request };
        this.#running.set(request.id, node);
        return node;
      })
      .toReversed();
    const ids = new Set(this.#ledger.running.map(({ id }) => id));
    for (const id of this.#running.keys()) {
      if (!ids.has(id)) {
        this.#running.delete(id);
      }
    }
    const inScope = this.#ledger.entries.filter((entry) => this.#isInScope(entry));
    const entries = inScope.filter((entry) => this.#matches(entry));
    this.#inScope = inScope.length;
    this.#matching = entries.length;
    const hidden = entries.length - this.#shown;
    const before = this.#nodes;
    this.#nodes = [
      ...running,
      ...entries.slice(0, this.#shown).map((entry) => this.#entryNode(entry)),
      ...(hidden > 0 ? [this.#moreNode(hidden)] : []),
    ];
    const isSame =
      before.length === this.#nodes.length && before.every((node, index) => node === this.#nodes[index]);
    return isSame ? changed : 'all';
  }

  /** Whether an entry is shown, now or with more rows. */
  shows(entry: LedgerEntry): boolean {
    return this.#isInScope(entry) && this.#matches(entry);
  }

  #isInScope({ workspace }: LedgerEntry): boolean {
    return this.#filter.workspaces === 'all' || workspace === this.#ledger.workspace;
  }

  #matches(entry: LedgerEntry): boolean {
    const { outcomes } = this.#filter;
    return this.#wants(entry) && (outcomes.length === 0 || outcomes.includes(entry.outcome));
  }

  #wants({ server, method }: Pick<LedgerEntry, 'server' | 'method'>): boolean {
    const { servers, methods } = this.#filter;
    return (
      (servers.length === 0 || servers.includes(server)) && (methods.length === 0 || methods.includes(method))
    );
  }

  #entryNode(entry: LedgerEntry): ActivityNode {
    const node = this.#entries.get(entry) ?? { kind: 'entry', id: entry.id, entry };
    this.#entries.set(entry, node);
    return node;
  }

  #moreNode(hidden: number): ActivityNode {
    const last = this.#nodes.at(-1);
    return last?.kind === 'more' && last.hidden === hidden ? last : { kind: 'more', id: 'more', hidden };
  }
}
