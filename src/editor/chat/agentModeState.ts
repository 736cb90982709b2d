import { toDisposable } from '../../base/lifetime/disposable.ts';
import type { Event } from '../../base/lifetime/event.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';

/** Whether models in chat have a server, in which way, and why not. */
export type AgentModeState =
  /** By the gateway, with the names of its tools; the editor asks. */
  | 'granted'
  /** By MCP Host's own tools, where agent mode takes no servers or `mcpHost.chat.gateway` is off; MCP Host asks. */
  | 'grantedByTools'
  | 'notGranted'
  /** The chat of this editor takes neither servers nor tools, or its settings turn servers off. */
  | 'unavailable'
  /** The editor's own configuration has it, too: its tools would be there twice. */
  | 'editorRunsIt';

/** What the tree, and other views of a server, ask about agent mode. */
export interface AgentModeSource {
  readonly onDidChange: Event<void>;
  /** False in an editor whose chat takes neither servers nor tools, and where its settings switch that off. */
  readonly isAvailable: boolean;
  stateOf(server: HostServer): AgentModeState;
}

/** Whether a server is available to models in chat, in one way or the other. */
export function isInChat(state: AgentModeState): boolean {
  return state === 'granted' || state === 'grantedByTools';
}

/** For an editor in which agent mode could not be registered. */
export const noAgentMode: AgentModeSource = {
  onDidChange: () => toDisposable(() => {}),
  isAvailable: false,
  stateOf: () => 'unavailable',
};

/** The same in words, which call it the chat. */
export function agentModeText(state: AgentModeState): string {
  switch (state) {
    case 'granted':
      return 'available · the editor asks for each call';
    case 'grantedByTools':
      return 'available · MCP Host asks for each call';
    case 'notGranted':
      return 'off';
    case 'unavailable':
      return "isn't available in this editor";
    case 'editorRunsIt':
      return 'left out: the editor runs this server itself';
  }
}
