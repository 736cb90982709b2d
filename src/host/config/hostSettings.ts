import type { Event } from '../../base/lifetime/event.ts';
import type { DefinitionOrigin } from './serverDefinition.ts';

/** Settings for all servers, read at the moment of use. */
export interface HostSettings {
  /** `mcpHost.autoStart`: start allowed servers automatically. */
  readonly autoStart: boolean;
  /** `mcpHost.roots.default`: the folders that a server sees until you decide. */
  readonly rootsDefault: 'ask' | 'all' | 'none';
  /** A setting that applies to running servers has changed. */
  readonly onDidChange: Event<void>;
  /** `mcpHost.requestTimeout` in milliseconds, for servers that this layer defines. */
  requestTimeout(origin: DefinitionOrigin): number;
}
