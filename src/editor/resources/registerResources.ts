import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { IncreasingTime } from '../../base/increasingTime.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import type { ResourceReader } from '../../host/resources/resourceReader.ts';
import { followServers } from './followServers.ts';
import { registerResourceCommands } from './resourceCommands.ts';
import { ResourceFileSystem } from './resourceFileSystem.ts';
import { setResourceLanguages } from './resourceLanguages.ts';
import type { ReadableResources } from './readableResources.ts';
import type { ResourceUris } from './resourceUris.ts';
import { decorateTroubles } from './troubleDecorations.ts';

export interface ResourcesContext {
  readonly host: McpHost;
  readonly uris: ResourceUris;
  readonly reader: ResourceReader;
  readonly readable: ReadableResources;
  /** The reader's, too: what stands in a document's place is another content of it. */
  readonly time: IncreasingTime;
}

/** Shows the resources of all servers as documents, and what can be done with one. */
export function registerResources(context: ResourcesContext): Disposable {
  const { host, uris, reader } = context;
  const store = new DisposableStore();
  const fileSystem = store.add(new ResourceFileSystem(context));
  const following = store.add(followServers({ ...context, fileSystem }));
  store.add(setResourceLanguages(uris, reader));
  store.add(decorateTroubles(host, uris));
  store.add(registerResourceCommands(uris, reader, following.askAgain));
  return store;
}
