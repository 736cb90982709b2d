import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Gathered } from '../../base/gathered.ts';
import type { Ledger } from '../../host/ledger/ledger.ts';
import { outcomeWords, targetWords } from '../../host/ledger/ledgerWords.ts';
import { askActivityFilter } from '../commands/askActivityFilter.ts';
import type { ContextKeys } from '../contextKeys.ts';
import { oneLine } from '../plainText.ts';
import { ActivityNodes, noFilter, type ActivityFilter, type ActivityNode } from './activityNodes.ts';
import { activityItem } from './activityRows.ts';

const VIEW = 'mcpHost.activity';

/** Milliseconds for which changes are gathered: while the list is drawn again, a press in it is lost. */
const SETTLE_MS = 150;

/** The view `mcpHost.activity`: what was asked of servers, what runs first and then the newest. */
export class ActivityView implements vscode.TreeDataProvider<ActivityNode>, Disposable {
  readonly #ledger: Ledger;
  readonly #contextKeys: ContextKeys;
  readonly #rows: ActivityNodes;
  readonly #store = new DisposableStore();
  readonly #onDidChange = new vscode.EventEmitter<ActivityNode[] | undefined>();
  readonly onDidChangeTreeData = this.#onDidChange.event;
  readonly #view: vscode.TreeView<ActivityNode>;
  readonly #updating = new Gathered(SETTLE_MS, () => this.#update());

  constructor(ledger: Ledger, contextKeys: ContextKeys) {
    this.#ledger = ledger;
    this.#contextKeys = contextKeys;
    this.#rows = new ActivityNodes(ledger);
    this.#view = this.#store.add(vscode.window.createTreeView(VIEW, { treeDataProvider: this }));
    this.#store.add(this.#onDidChange);
    this.#store.add(this.#updating);
    this.#store.add(ledger.onDidChange(() => this.#updating.soon()));
    this.#register('mcpHost.filterActivity', () => this.#askForFilter());
    this.#register('mcpHost.clearActivityFilter', () => this.#setFilter(noFilter));
    this.#register('mcpHost.showMoreActivity', () => this.#showMore());
  }

  dispose(): void {
    this.#store.dispose();
  }

  async getChildren(node?: ActivityNode): Promise<ActivityNode[]> {
    if (node) {
      return [];
    }
    await this.#ledger.load();
    this.#rows.update();
    this.#showMessage();
    return [...this.#rows.nodes];
  }

  getTreeItem(node: ActivityNode): vscode.TreeItem {
    return activityItem(node);
  }

  #register(command: string, run: () => unknown): void {
    this.#store.add(vscode.commands.registerCommand(command, run));
  }

  #update(): void {
    const changed = this.#rows.update();
    if (changed === 'all') {
      this.#onDidChange.fire(undefined);
    } else if (changed.length > 0) {
      this.#onDidChange.fire([...changed]);
    }
    this.#showMessage();
  }

  async #askForFilter(): Promise<void> {
    await this.#ledger.load();
    const filter = await askActivityFilter(this.#ledger, this.#rows.filter);
    if (filter) {
      this.#setFilter(filter);
      await vscode.commands.executeCommand(`${VIEW}.focus`);
    }
  }

  #setFilter(filter: ActivityFilter): void {
    this.#rows.filter = filter;
    this.#contextKeys.set('mcpHost.hasActivityFilter', this.#rows.isFiltered);
    this.#updating.now();
  }

  #showMore(): void {
    this.#rows.showMore();
    this.#updating.now();
  }

  /** Beside a message the editor shows no text for an empty view. */
  #showMessage(): void {
    const { filter, isFiltered, nodes, matching } = this.#rows;
    const { problem, entries } = this.#ledger;
    const lines: string[] = [];
    if (problem !== undefined) {
      lines.push(`Activity cannot be kept on the disk: ${oneLine(problem, 300)}`);
    }
    if (isFiltered && nodes.length > 0) {
      const parts = [
        filter.servers.map((server) => oneLine(server, 100)).join(', '),
        filter.methods.map((method) => `${targetWords(method).toLowerCase()}s`).join(', '),
        filter.outcomes.map(outcomeWords).join(', '),
        `${matching} of ${entries.length}`,
      ];
      lines.push(`Filter: ${parts.filter(Boolean).join(' · ')}`);
    }
    const message = lines.join('\n');
    if ((this.#view.message ?? '') !== message) {
      this.#view.message = message;
    }
  }
}
