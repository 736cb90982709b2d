import type { Event } from '../../base/event.ts';
import type { DefinitionOrigin } from './serverDefinition.ts';

/** The person's settings, read at the moment of use. */
export interface HostSettings {
  /** `mcpHost.autoStart`: start a server that may start without being asked to. */
  readonly autoStart: boolean;
  /** `mcpHost.roots.default`: what a server sees while the person has said nothing of it. */
  readonly rootsDefault: 'ask' | 'all' | 'none';
  /** One of the settings that hold at once has changed. */
  readonly onDidChange: Event<void>;
  /** `mcpHost.requestTimeout` in milliseconds, as it holds for what this layer defines. */
  requestTimeout(origin: DefinitionOrigin): number;
}
