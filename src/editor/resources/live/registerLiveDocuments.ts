import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import type { McpHost } from '../../../host/servers/mcpHost.ts';
import { LastSeen } from '../../../host/resources/lastSeen.ts';
import { LiveResources } from '../../../host/resources/liveResources.ts';
import type { ResourceReader } from '../../../host/resources/resourceReader.ts';
import type { ContextKeys } from '../../contextKeys.ts';
import type { ViewDocuments } from '../../documents/viewDocuments.ts';
import { registerCompareResource } from './compareResource.ts';
import { LiveDecorations } from './liveDecorations.ts';
import { LiveStatus } from './liveStatus.ts';
import type { ReadableResources } from '../readableResources.ts';
import type { ResourceUris } from '../resourceUris.ts';
import { ShownResources } from './shownResources.ts';

/** Bytes of what is kept for comparisons. */
const LAST_SEEN_BYTES = 32 * 1_024 * 1_024;

export interface LiveDependencies {
  readonly host: McpHost;
  readonly uris: ResourceUris;
  readonly reader: ResourceReader;
  readonly readable: ReadableResources;
  readonly viewDocuments: ViewDocuments;
  readonly contextKeys: ContextKeys;
}

/** Keeps the documents of resources fresh while a tab shows them, says so, and offers what was there before. */
export function registerLiveDocuments({ host, uris, reader, ...others }: LiveDependencies): Disposable {
  const store = new DisposableStore();
  const shown = store.add(new ShownResources(uris, host.onDidChangeServers));
  const live = store.add(new LiveResources(host, reader));
  const lastSeen = new LastSeen(LAST_SEEN_BYTES);
  const update = (): void => {
    live.show(shown.resources);
    lastSeen.keep(shown.resources);
  };
  store.add(new LiveDecorations(uris, shown, live));
  store.add(new LiveStatus(host, uris, live));
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
  // After what is kept has been changed.
  store.add(registerCompareResource({ uris, reader, lastSeen, ...others }));
  update();
  return store;
}
