import type { Event } from '../../base/event.ts';
import type { ServerDefinition } from '../../host/config/serverDefinition.ts';
import type { ModelAccess } from '../../host/sampling/accessPolicy.ts';

/** What the tree, and what is said elsewhere of a server, asks about language models. */
export interface ModelAccessSource {
  readonly onDidChange: Event<void>;
  accessOf(definition: ServerDefinition): ModelAccess;
  /** `mcpHost.sampling.maxTokensPerDay`. */
  readonly maxTokensPerDay: number;
}
