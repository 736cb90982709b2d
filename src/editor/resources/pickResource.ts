import { DisposableStore } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import { ResourceSearch, type OfferedResources } from '../../host/resources/resourceSearch.ts';
import type { RecentList } from '../workspace/recentList.ts';
import { emptyRow, isListing, watchLists } from '../quickInput/listing.ts';
import { showNothingOffered } from '../quickInput/nothingOffered.ts';
import { MAX_ROWS, pickRenewed, type RenewedAnswer } from '../quickInput/pickRenewed.ts';
import { rowKey, rowsOf, unlistedRows, type ResourceRow } from './resourcePickRows.ts';

/** Lets you pick among the resources and templates of all running servers. */
export class ResourcePicker {
  readonly #host: McpHost;
  readonly #recent: RecentList<ResourceAddress>;
  readonly #search = new ResourceSearch();

  constructor(host: McpHost, recent: RecentList<ResourceAddress>) {
    this.#host = host;
    this.#recent = recent;
  }

  /** Undefined after a message if there is nothing to pick, or if nothing was picked. */
  async pick(): Promise<RenewedAnswer<ResourceRow> | undefined> {
    if (this.#offered().length === 0 && !isListing(this.#host, 'resources')) {
      await showNothingOffered(this.#host, 'resources', 'open a resource');
      return undefined;
    }
    const store = new DisposableStore();
    const changed = store.add(new Emitter<void>());
    store.add(watchLists(this.#host, 'resources', () => changed.fire()));
    try {
      return await pickRenewed({
        title: 'Open Resource',
        placeholder: 'Select a resource, or enter a whole URI',
        rows: (typed, signal) => this.#rows(typed, signal),
        keyOf: rowKey,
        onDidChange: changed.event,
        isPickable: ({ target }) => target !== undefined,
        isBusy: () => isListing(this.#host, 'resources'),
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
    return rows.length > 0 ? rows : [emptyRow(this.#host, 'resources', offered.length > 0)];
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
}
