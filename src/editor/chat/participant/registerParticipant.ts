import * as vscode from 'vscode';
import type { Disposable } from '../../../base/lifetime/disposable.ts';
import { isRecord } from '../../../base/values/record.ts';
import { ChatIndex } from '../../../host/chat/chatIndex.ts';
import { endText } from '../../../host/chat/loop/endText.ts';
import type { HostTools } from '../../../host/gate/hostTools.ts';
import type { HostServer, McpHost } from '../../../host/servers/mcpHost.ts';
import { signalOf } from '../../lifetime/cancellationTokens.ts';
import { commandTo } from '../../commands/commandList.ts';
import { registerCommand, runCommand } from '../../commands/commands.ts';
import { chatSettings } from '../../workspace/configuration.ts';
import type { ViewDocuments } from '../../documents/viewDocuments.ts';
import { oneLine } from '../../messages/plainText.ts';
import type { ResourceUris } from '../../resources/resourceUris.ts';
import type { AgentModeSource } from '../agentModeState.ts';
import type { ChatQuestions } from '../chatQuestions.ts';
import { submitToChat } from '../chatCommands.ts';
import { availableServers } from '../registerChatTools.ts';
import { answerRequest, paragraph, type AnswerContext, type ChatTurn } from './answerRequest.ts';
import { listServers, listTools, showHelp } from './chatLists.ts';

/** As package.json declares it. */
const PARTICIPANT = 'mcpHost.chat';

const CONTINUE = 'Continue';
const TOOLS = 'Show the tools that models can use';

/** Servers that the help suggests a request about. */
const MAX_EXAMPLES = 2;

/** Where the editor lists language models, and lets you add some; a fork may have one of them, or none. */
const modelCommands = ['workbench.action.chat.manage', 'workbench.action.chat.triggerSetup'];

export interface ParticipantDependencies {
  readonly host: McpHost;
  readonly tools: HostTools;
  readonly agentMode: AgentModeSource;
  readonly uris: ResourceUris;
  readonly viewDocuments: ViewDocuments;
  readonly chatQuestions: ChatQuestions;
  readonly extensionUri: vscode.Uri;
}

/** Registers @mcp, which answers with the tools of the servers that are in chat. */
export function registerParticipant(dependencies: ParticipantDependencies): Disposable {
  const { chat, lm } = vscode as Partial<typeof vscode>;
  if (typeof chat?.createChatParticipant !== 'function' || typeof lm?.invokeTool !== 'function') {
    return vscode.Disposable.from(); // some forks have no participants
  }
  const { tools, uris, viewDocuments, chatQuestions, extensionUri } = dependencies;
  const answering: AnswerContext = {
    servers: () => runningServers(dependencies),
    tools,
    index: new ChatIndex(tools),
    settings: chatSettings,
    uris,
    viewDocuments,
    chatQuestions,
  };
  const participant = chat.createChatParticipant(PARTICIPANT, async (request, context, stream, token) => {
    const cancelling = signalOf(token);
    try {
      return await respond(dependencies, answering, { request, context, stream, signal: cancelling.signal });
    } finally {
      cancelling.dispose();
    }
  });
  participant.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.png');
  participant.followupProvider = { provideFollowups: ({ metadata }) => followups(metadata) };
  return vscode.Disposable.from(
    participant,
    registerCommand('continueChat', () => submitToChat(`@mcp ${CONTINUE}`)),
  );
}

async function respond(
  dependencies: ParticipantDependencies,
  answering: AnswerContext,
  turn: ChatTurn,
): Promise<vscode.ChatResult> {
  const { request, stream } = turn;
  if (request.command === 'servers') {
    listServers(stream, dependencies.host, dependencies.agentMode);
    return { metadata: { end: 'servers' } };
  }
  if (request.command === 'prompt') {
    stream.markdown('Select a prompt. You see all of it before you send it to the chat.');
    stream.button(commandTo('usePrompt', 'Use Prompt…'));
    void runCommand('usePrompt');
    return { metadata: { end: 'prompt' } };
  }
  if (answering.servers().length === 0) {
    return tellNoServers(dependencies, stream);
  }
  if (request.command === 'tools') {
    listTools(stream, answering.servers(), dependencies.tools);
    return { metadata: { end: 'tools' } };
  }
  if (request.prompt.trim() === '' && request.references.length === 0) {
    const servers = answering.servers();
    showHelp(stream, servers, dependencies.tools);
    return { metadata: { end: 'help', servers: servers.map(({ label }) => oneLine(label, 60)) } };
  }
  const { model } = request as Partial<vscode.ChatRequest>;
  if (!model) {
    await offerModels(stream);
    return { errorDetails: { message: 'There is no language model. Add one, and ask again.' } };
  }
  const { result, kept, links } = await answerRequest(answering, turn);
  const { error, notes, offer } = endText(result, model.name, chatSettings.maxRounds);
  if (!turn.signal.aborted) {
    if (notes.length > 0) {
      stream.markdown('\n\n');
    }
    for (const note of notes) {
      stream.markdown(paragraph(note));
    }
    const left = links.offer(stream);
    if (left > 0) {
      stream.markdown(
        paragraph(`The results link to ${left} more. Open one with "MCP Host: Open Resource…".`),
      );
    }
    if (offer === 'continue') {
      stream.button(commandTo('continueChat', CONTINUE));
    } else if (offer === 'models') {
      await offerModels(stream);
    }
  }
  return {
    metadata: { end: result.end.kind, prompt: request.prompt, kept },
    ...(error !== undefined && { errorDetails: { message: error } }),
  };
}

/** The running servers that models reach. */
function runningServers({ host, agentMode }: ParticipantDependencies): readonly HostServer[] {
  const available = availableServers(host, agentMode);
  return typeof available === 'string'
    ? []
    : available.filter(({ connection }) => connection.state.kind === 'running');
}

function tellNoServers(
  { host, agentMode }: ParticipantDependencies,
  stream: vscode.ChatResponseStream,
): vscode.ChatResult {
  if (!agentMode.isAvailable) {
    stream.markdown("The editor's settings turn off MCP servers in chat: see `chat.mcp.access`.");
  } else if (host.servers.length === 0) {
    stream.markdown('There are no servers yet.');
    stream.button(commandTo('addServer', 'Add Server…'));
  } else if (host.servers.some((server) => agentMode.stateOf(server) === 'notGranted')) {
    stream.markdown('No running server is in chat. Add one, and ask again.');
    stream.button(commandTo('useInChat', 'Use in Chat…'));
  } else {
    stream.markdown('No server in chat is running. Start one, and ask again.');
    stream.button(commandTo('startServer', 'Start Server…'));
  }
  return { metadata: { end: 'noServers' } };
}

async function offerModels(stream: vscode.ChatResponseStream): Promise<void> {
  const known = await vscode.commands.getCommands(true);
  const command = modelCommands.find((one) => known.includes(one));
  if (command !== undefined) {
    stream.button({ command, title: 'Manage Language Models' });
  } else {
    stream.button(commandTo('openDocumentation', 'Learn More', 'chat#mcp-in-the-chat'));
  }
}

function followups(metadata: unknown): vscode.ChatFollowup[] {
  const { end, prompt, servers } = isRecord(metadata) ? metadata : {};
  switch (end) {
    case 'stopped':
      return [{ prompt: CONTINUE }];
    case 'failed':
    case 'empty':
      return typeof prompt === 'string' && prompt !== '' ? [{ prompt, label: 'Try Again' }] : [];
    case 'servers':
      return [{ prompt: '', command: 'tools', label: TOOLS }];
    case 'help':
      return [
        ...(Array.isArray(servers) ? servers : [])
          .slice(0, MAX_EXAMPLES)
          .map((label) => ({ prompt: `What can I do with the tools of '${label}'?` })),
        { prompt: '', command: 'tools', label: TOOLS },
      ];
    case 'noServers':
      return [{ prompt: '', command: 'servers', label: 'Show your servers' }];
    default:
      return [];
  }
}
