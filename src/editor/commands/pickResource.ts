import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import { ResourceSearch, type OfferedResources } from '../../host/resources/resourceSearch.ts';
import type { RecentList } from '../recentList.ts';
import { showNothingOffered } from './nothingOffered.ts';
import { MAX_ROWS, pickRenewed, type RenewedAnswer } from './pickRenewed.ts';
import { keyOf, noticeRow, rowsOf, unlistedRows, type ResourceRow } from './resourcePickRows.ts';

/** Lets the person pick among the resources and templates of all running servers. */
export class ResourcePicker {
  readonly #host: McpHost;
  readonly #recent: RecentList<ResourceAddress>;
  readonly #search = new ResourceSearch();

  constructor(host: McpHost, recent: RecentList<ResourceAddress>) {
    this.#host = host;
    this.#recent = recent;
  }

  /** Undefined when there is nothing to pick, which is then said, or nothing was picked. */
  async pick(): Promise<RenewedAnswer<ResourceRow> | undefined> {
    if (this.#offered().length === 0 && !this.#isListing()) {
      await showNothingOffered(this.#host, 'resources', 'open a resource');
      return undefined;
    }
    const store = new DisposableStore();
    const changed = store.add(new Emitter<void>());
    const watch = (): void => this.#watchLists(() => changed.fire());
    store.add(this.#host.onDidChangeServer(watch));
    store.add(this.#host.onDidChangeServers(watch));
    watch();
    try {
      return await pickRenewed({
        title: 'Open Resource',
        placeholder: 'Name, server, or a whole URI',
        rows: (typed, signal) => this.#rows(typed, signal),
        keyOf,
        onDidChange: changed.event,
        isPickable: ({ target }) => target !== undefined,
        isBusy: () => this.#isListing(),
      });
    } finally {
      store.dispose();
    }
  }

  async #rows(typed: string, signal: AbortSignal): Promise<readonly ResourceRow[]> {
    const offered = this.#offered();
    const query = { text: typed, recent: this.#recent.all, limit: MAX_ROWS };
    const rows = [
      ...rowsOf(await this.#search.search(offered, query, signal), typed === ''),
      ...unlistedRows(typed.trim(), offered),
    ];
    return rows.length > 0 ? rows : [noticeRow(this.#nothing(offered))];
  }

  #nothing(offered: readonly OfferedResources[]): string {
    if (offered.length > 0) {
      return 'No resource has all these words';
    }
    return this.#isListing() ? 'The servers are being asked what they offer…' : 'No server offers resources';
  }

  #offered(): readonly OfferedResources[] {
    return this.#host.servers.flatMap(({ connection, label }): OfferedResources[] => {
      connection.catalogue?.look('resources');
      const { resources = [], resourceTemplates: templates = [] } = connection.catalogue ?? {};
      return resources.length + templates.length === 0
        ? []
        : [{ serverId: connection.definition.id, server: label, resources, templates }];
    });
  }

  /** Whether a server may yet say what it offers. */
  #isListing(): boolean {
    return this.#host.servers.some(
      ({ connection: { state, catalogue } }) =>
        state.kind === 'starting' || catalogue?.listing('resources') !== undefined,
    );
  }

  /** Calls back now, and when the lists under way have come or failed. */
  #watchLists(onDidChange: () => void): void {
    onDidChange();
    for (const { connection } of this.#host.servers) {
      void connection.catalogue?.listing('resources')?.then(onDidChange);
    }
  }
}
