import type { Event } from '../../base/lifetime/event.ts';
import type { ServerDefinition } from '../../host/config/serverDefinition.ts';
import type { ModelAccess } from '../../host/sampling/accessPolicy.ts';
import type { SamplingSettings } from '../../host/sampling/samplingSettings.ts';

/** What the tree, and other views of a server, ask about its access to language models. */
export interface ModelAccessSource {
  readonly onDidChange: Event<void>;
  accessOf(definition: ServerDefinition): ModelAccess;
  readonly settings: Pick<SamplingSettings, 'maxTokensPerDay' | 'removed'>;
}
