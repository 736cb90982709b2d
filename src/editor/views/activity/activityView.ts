import { DisposableStore, type Disposable } from '../../../base/lifetime/disposable.ts';
import { Gathered } from '../../../base/time/gathered.ts';
import type { Ledger } from '../../../host/ledger/ledger.ts';
import type { LedgerEntry } from '../../../host/ledger/ledgerEntry.ts';
import { methodWords, outcomeWords } from '../../../host/ledger/ledgerWords.ts';
import { registerCommands } from '../../commands/commands.ts';
import { askActivityFilter } from './askActivityFilter.ts';
import type { ContextKeys } from '../../workspace/contextKeys.ts';
import { oneLine } from '../../messages/plainText.ts';
import { ActivityNodes, noFilter, type ActivityFilter } from './activityNodes.ts';
import type { ActivityNode } from '../../nodes/activityNode.ts';
import { Tree } from '../tree.ts';
import { activityRow } from './activityRows.ts';

/** Milliseconds for which changes are gathered: while the list is drawn, a press in it is lost. */
const SETTLE_MS = 150;

/** The view `mcpHost.activity`: the requests, running ones first, then the newest. */
export class ActivityView implements Disposable {
  readonly #ledger: Ledger;
  readonly #contextKeys: ContextKeys;
  readonly #rows: ActivityNodes;
  readonly #store = new DisposableStore();
  readonly #tree: Tree<ActivityNode>;
  readonly #updating = new Gathered(SETTLE_MS, () => this.#update());

  constructor(ledger: Ledger, contextKeys: ContextKeys) {
    this.#ledger = ledger;
    this.#contextKeys = contextKeys;
    this.#rows = new ActivityNodes(ledger);
    this.#tree = this.#store.add(
      new Tree<ActivityNode>('activity', {
        children: (node) => (node ? [] : this.#nodes()),
        rowOf: (node) => activityRow(node, ledger.workspace),
        parentOf: () => undefined,
      }),
    );
    this.#store.add(this.#updating);
    this.#store.add(ledger.onDidChange(() => this.#updating.soon()));
    this.#store.add(
      registerCommands({
        filterActivity: (workspaces) => this.#askForFilter(workspaces),
        clearActivityFilter: () => this.#setFilter({ ...noFilter, workspaces: this.#rows.filter.workspaces }),
        showMoreActivity: () => this.#showMore(),
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Which entries are shown, in words. */
  get scope(): string {
    const filter = this.#filterWords();
    const workspaces = this.#rows.filter.workspaces === 'all' ? 'all workspaces' : 'this workspace';
    return filter === '' ? workspaces : `${workspaces}, filter: ${filter}`;
  }

  /** Whether an entry is shown. */
  shows(entry: LedgerEntry): boolean {
    return this.#rows.shows(entry);
  }

  async #nodes(): Promise<ActivityNode[]> {
    await this.#ledger.load();
    this.#rows.update();
    this.#showMessage();
    return [...this.#rows.nodes];
  }

  #update(): void {
    this.#tree.draw(this.#rows.update());
    this.#showMessage();
  }

  async #askForFilter(workspaces?: 'all'): Promise<void> {
    await this.#ledger.load();
    const now = this.#rows.filter;
    const filter = workspaces === 'all' ? { ...now, workspaces } : await askActivityFilter(this.#ledger, now);
    if (filter) {
      this.#setFilter(filter);
      await this.#tree.focus();
    }
  }

  #setFilter(filter: ActivityFilter): void {
    this.#rows.filter = filter;
    this.#contextKeys.set('mcpHost.hasActivityFilter', this.#rows.isFiltered);
    this.#tree.view.description = filter.workspaces === 'all' ? 'All Workspaces' : '';
    this.#updating.now();
  }

  #showMore(): void {
    this.#rows.showMore();
    this.#updating.now();
  }

  #showMessage(): void {
    const { isFiltered, nodes, matching, inScope, others } = this.#rows;
    const { problem } = this.#ledger;
    this.#contextKeys.set('mcpHost.hasOtherActivity', others > 0);
    const lines: string[] = [];
    if (problem !== undefined) {
      lines.push(`Activity can't be stored on the disk: ${oneLine(problem, 300)}`);
    }
    if (isFiltered && nodes.length > 0) {
      lines.push(`Filter: ${this.#filterWords()} · ${matching} of ${inScope}`);
    }
    this.#tree.setMessage(lines.join('\n'));
  }

  #filterWords(): string {
    const { servers, methods, outcomes } = this.#rows.filter;
    const parts = [
      servers.map((server) => oneLine(server, 100)).join(', '),
      methods.map((method) => `${methodWords(method).toLowerCase()}s`).join(', '),
      outcomes.map(outcomeWords).join(', '),
    ];
    return parts.filter(Boolean).join(' · ');
  }
}
