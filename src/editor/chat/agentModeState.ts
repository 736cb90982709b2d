import { toDisposable } from '../../base/lifetime/disposable.ts';
import type { Event } from '../../base/lifetime/event.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';

/** Whether the editor's agent mode has a server, and why not. */
export type AgentModeState =
  | 'granted'
  | 'notGranted'
  /** This editor has no agent mode that takes servers. */
  | 'unavailable'
  /** By `mcpHost.chat.gateway`. */
  | 'switchedOff'
  /** The editor's own configuration has it, too: its tools would be there twice. */
  | 'editorRunsIt';

/** What the tree, and other views of a server, ask about agent mode. */
export interface AgentModeSource {
  readonly onDidChange: Event<void>;
  /** False in an editor without an agent mode that takes servers, and where its settings switch that off. */
  readonly isAvailable: boolean;
  stateOf(server: HostServer): AgentModeState;
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
    case 'notGranted':
      return 'off';
    case 'unavailable':
      return "isn't available in this editor";
    case 'switchedOff':
      return 'off by your setting mcpHost.chat.gateway';
    case 'editorRunsIt':
      return 'left out: the editor runs this server itself';
  }
}
