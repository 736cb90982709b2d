import { toDisposable } from '../../base/lifetime/disposable.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { counted } from '../../base/text/words.ts';
import type { Event } from '../../base/lifetime/event.ts';
import type { GateSettings } from '../../host/config/settings.ts';
import type { ServerDefinition } from '../../host/config/serverDefinition.ts';
import type { ChatOffer } from '../../host/launch/question/launchChat.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';
import { isOffered, type HostTool } from '../../host/tools/hostTool.ts';

/** Whether models in chat have a server, in which way, and why not. */
export type AgentModeState =
  /** By the gateway, with the names of its tools; the editor asks. */
  | 'granted'
  /** By MCP Host's own tools, where agent mode takes no servers or `mcpHost.chat.gateway` is off; MCP Host asks. */
  | 'grantedByTools'
  | 'notGranted'
  /** The chat of this editor takes neither servers nor tools, or its settings turn servers off. */
  | 'unavailable'
  /** Chat has it without MCP Host, too, and you haven't chosen to have its tools twice. */
  | 'twin'
  /** The editor's lists of servers leave out the one that brings it to agent mode. */
  | 'forbidden';

/** The same server, which chat has without MCP Host. */
export interface Twin {
  /** The editor's own MCP support runs it, or each session of Copilot does. */
  readonly by: 'editor' | 'copilot';
  /** The name of its file in messages, such as `api/.vscode/mcp.json`. */
  readonly place: string;
  /** The URI of its file, if it has one. */
  readonly file?: string;
}

/** What stood beside the box that uses a server in chat when you checked it. */
export interface ShownForChat {
  /** The tools of the server that models see, by their names. */
  readonly tools: readonly string[];
  readonly twin: Twin | undefined;
}

/** What the tree, and other views of a server, ask about agent mode. */
export interface AgentModeSource {
  readonly onDidChange: Event<void>;
  /** False in an editor whose chat takes neither servers nor tools, and where its settings switch that off. */
  readonly isAvailable: boolean;
  stateOf(server: HostServer): AgentModeState;
  twinOf(server: HostServer): Twin | undefined;
  /** The editor's setting that keeps a server out of chat. */
  settingAgainst(server: HostServer): string | undefined;
  /** What it means to use a server in chat. */
  meaningOf(server: HostServer): string;
  /** Uses a server in chat, unless what was shown no longer holds. @throws what the file system says. */
  use(server: HostServer, shown: ShownForChat): Promise<void>;
  /** See the function of this name, with the settings as they are. */
  readonly whoAsks: string;
  /** What the question about a launch offers for chat; undefined where chat can't get that server. */
  offerFor(definition: ServerDefinition): ChatOffer | undefined;
  /** Whether agent mode doesn't get all tools by name, because the editor takes only so many: models find the others. */
  readonly leavesToolsOut: boolean;
  isLeftOut(tool: HostTool): boolean;
}

/** Whether a server is in chat, in one way or the other. */
export function isInChat(state: AgentModeState): boolean {
  return state === 'granted' || state === 'grantedByTools';
}

/** Whether you can choose to have a server in chat. */
export function isChoosable(state: AgentModeState): boolean {
  return state !== 'unavailable' && state !== 'forbidden';
}

/** Whether chat can get a server, and would have it once. */
export function canBeInChat(state: AgentModeState): boolean {
  return isChoosable(state) && state !== 'twin';
}

/** For an editor in which agent mode could not be registered. */
export const noAgentMode: AgentModeSource = {
  onDidChange: () => toDisposable(() => {}),
  isAvailable: false,
  whoAsks: '',
  stateOf: () => 'unavailable',
  twinOf: () => undefined,
  settingAgainst: () => undefined,
  meaningOf: () => '',
  use: () => Promise.resolve(),
  offerFor: () => undefined,
  leavesToolsOut: false,
  isLeftOut: () => false,
};

/** Who asks about what models do with a server, in each way; `isServing` says whether agent mode gets servers. */
export function whoAsks(confirm: GateSettings['confirm'], isServing: boolean): string {
  const here =
    confirm === 'never'
      ? 'MCP Host asks about no call, because of your setting mcpHost.tools.confirm.'
      : confirm === 'always'
        ? 'MCP Host asks for each call.'
        : 'MCP Host asks for each call, unless you already gave a lasting answer.';
  const then = confirm === 'always' ? 'and then MCP Host asks' : 'which may allow calls without a question';
  return isServing
    ? `In agent mode, the editor asks for each call, by its own settings, ${then}. With @mcp, and for tools that models find by search, ${here}`
    : here;
}

/** Why chat may show the tools of a server twice, in sentences; undefined if it doesn't. */
export function twiceNote({ origin }: ServerDefinition, twin: Twin | undefined): string | undefined {
  if (!twin) {
    return origin.format === 'mcpJson'
      ? 'A Copilot session reads this file too and may show these tools twice.'
      : undefined;
  }
  const place = visibleText(twin.place);
  const why =
    twin.by === 'editor'
      ? `The editor runs this server itself, because it is in ${place}.`
      : `Copilot sessions read ${place} themselves.`;
  return `${why} If you use it in chat from here too, chat may show its tools twice.`;
}

/** What the question about a launch offers for chat, before the server has run. */
export function chatOffer(isGranted: boolean, asking: string, note?: string): ChatOffer {
  if (isGranted) {
    return { isGranted, meaning: 'This server stays in chat, as you chose before.' };
  }
  const meaning = [
    'Models in chat can then see its tools, resources and prompts, and use them.',
    asking,
    ...(note === undefined ? [] : [note]),
  ].join(' ');
  return { isGranted, meaning };
}

/** How models in chat have a server with these tools, in words. */
export function agentModeText(
  agentMode: AgentModeSource,
  server: HostServer,
  tools: readonly HostTool[],
): string {
  const offered = tools.filter(isOffered);
  const found = offered.filter((tool) => agentMode.isLeftOut(tool)).length;
  const [state, twin] = [agentMode.stateOf(server), agentMode.twinOf(server)];
  const text =
    found > 0
      ? `in chat · ${offered.length - found} of ${counted(offered.length, 'tool')} by name, the others by search`
      : state === 'unavailable' && agentMode.settingAgainst(server) !== undefined
        ? "left out: the editor's settings turn off servers in chat"
        : stateText(state, twin);
  return twin && isInChat(state) ? `${text} · ${whoRuns[twin.by]} it too` : text;
}

const whoRuns = { editor: 'the editor runs', copilot: 'Copilot sessions run' } as const;

/** The same in words, which call it the chat. */
function stateText(state: AgentModeState, twin: Twin | undefined): string {
  switch (state) {
    case 'granted':
      return 'in chat · in agent mode and with @mcp';
    case 'grantedByTools':
      return 'in chat · with @mcp and by search';
    case 'notGranted':
      return 'not in chat';
    case 'unavailable':
      return "isn't available in this editor";
    case 'twin':
      return `left out: ${whoRuns[twin?.by ?? 'editor']} it`;
    case 'forbidden':
      return 'left out: see chat.mcp.allowedServers and chat.mcp.deniedServers';
  }
}
