import type { Event } from '../../base/event.ts';

/** The person's settings for what models and other extensions ask, read at the moment of use. */
export interface GateSettings {
  /**
   * `mcpHost.tools.confirm`: `byTrust` asks but for reads of servers whose claims are trusted and for what is
   * remembered; `always` asks for every request, in agent mode too; `never` asks for none. What was denied
   * stays denied.
   */
  readonly confirm: 'byTrust' | 'always' | 'never';
  /** `mcpHost.tools.maxResultTokens`: about how many tokens of a result a model gets. */
  readonly maxResultTokens: number;
  /** `mcpHost.chat.gateway`: whether granted servers are offered to agent mode. */
  readonly isGatewayOn: boolean;
  /** `mcpHost.activity.storeContent`: whether arguments and results are kept on the disk. */
  readonly storesContent: boolean;
  readonly onDidChange: Event<void>;
}
