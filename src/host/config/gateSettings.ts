import type { Event } from '../../base/lifetime/event.ts';

/** The settings for requests of models and other extensions, read at the moment of use. */
export interface GateSettings {
  /**
   * `mcpHost.tools.confirm`: `byTrust` asks, except about reads of servers whose claims are trusted and about what
   * is remembered; `always` asks about every request, also in agent mode; `never` asks about none. What was denied
   * stays denied.
   */
  readonly confirm: 'byTrust' | 'always' | 'never';
  /** `mcpHost.tools.maxResultTokens`: about how many tokens of a result a model gets. */
  readonly maxResultTokens: number;
  /** `mcpHost.chat.gateway`: whether granted servers are offered to agent mode. */
  readonly isGatewayOn: boolean;
  /** `mcpHost.activity.storeContent`: whether arguments and results are kept on disk. */
  readonly storesContent: boolean;
  readonly onDidChange: Event<void>;
}

/** The settings of @mcp, read at the moment of use. */
export interface ChatSettings {
  /** `mcpHost.chat.maxTools`: at most how many tools a model gets. */
  readonly maxTools: number;
  /** `mcpHost.chat.maxRounds`: after how many rounds of tool calls a request stops. */
  readonly maxRounds: number;
}
