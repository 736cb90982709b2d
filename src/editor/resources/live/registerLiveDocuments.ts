import { DisposableStore, type Disposable } from '../../../base/lifetime/disposable.ts';
import type { McpHost } from '../../../host/servers/mcpHost.ts';
import { LastSeen } from '../../../host/resources/lastSeen.ts';
import { LiveResources } from '../../../host/resources/liveResources.ts';
import type { ResourceReader } from '../../../host/resources/resourceReader.ts';
import type { ContextKeys } from '../../workspace/contextKeys.ts';
import type { ViewDocuments } from '../../documents/viewDocuments.ts';
import { registerCompareResource } from './compareResource.ts';
import { decorateLive } from './liveDecorations.ts';
import { showLiveStatus } from './liveStatus.ts';
import type { ReadableResources } from '../readableResources.ts';
import type { ResourceUris } from '../resourceUris.ts';
import { ShownResources } from './shownResources.ts';

/** Bytes that are kept for comparisons. */
const LAST_SEEN_BYTES = 32 * 1_024 * 1_024;

export interface LiveDependencies {
  readonly host: McpHost;
  readonly uris: ResourceUris;
  readonly reader: ResourceReader;
  readonly readable: ReadableResources;
  readonly viewDocuments: ViewDocuments;
  readonly contextKeys: ContextKeys;
}

/**
 * Keeps the documents of resources up to date while a tab shows them, shows that, and offers the comparison with
 * before.
 */
export function registerLiveDocuments({ host, uris, reader, ...others }: LiveDependencies): Disposable {
  const store = new DisposableStore();
  const shown = store.add(new ShownResources(uris, host.onDidChangeServers));
  const live = store.add(new LiveResources(host, reader));
  const lastSeen = new LastSeen(LAST_SEEN_BYTES);
  const update = (): void => {
    live.show(shown.resources);
    lastSeen.keep(shown.resources);
  };
  store.add(decorateLive(uris, shown, live));
  store.add(showLiveStatus(host, uris, live));
  store.add(shown.onDidChange(update));
  store.add(
    shown.onDidLook((address) => {
      lastSeen.lookedAt(address);
      live.lookedAt(address);
    }),
  );
  store.add(
    reader.onDidChange(({ address, before, after }) => {
      lastSeen.changed(address, before, after, shown.isLookedAt(address));
    }),
  );
  // After the listeners above, which change what is kept.
  store.add(registerCompareResource({ uris, reader, lastSeen, ...others }));
  update();
  return store;
}
