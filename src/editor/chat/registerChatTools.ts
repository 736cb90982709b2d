import * as vscode from 'vscode';
import { appendWords } from '../messages/plainText.ts';
import type { Disposable, DisposableStore } from '../../base/lifetime/disposable.ts';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import type { Logger } from '../../base/logging/logger.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { isRecord } from '../../base/values/record.ts';
import { withoutImages, type ChatPart } from '../../host/chat/chatParts.ts';
import { ChatTools } from '../../host/chat/chatTools.ts';
import { HostError, messageOf } from '../../host/errors/hostError.ts';
import type { Caller } from '../../host/ledger/caller.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { signalOf } from '../lifetime/cancellationTokens.ts';
import { gateSettings } from '../workspace/configuration.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import type { OpenGate } from '../gate/openGate.ts';
import { ServerLog } from '../servers/serverLog.ts';
import type { ContextKeys } from '../workspace/contextKeys.ts';
import { isInChat, type AgentModeSource } from './agentModeState.ts';

export interface ChatToolsDependencies extends OpenGate {
  readonly host: McpHost;
  readonly agentMode: AgentModeSource;
  readonly viewDocuments: ViewDocuments;
  readonly contextKeys: ContextKeys;
}

/**
 * Registers the three tools of package.json by which any model uses the servers that are in chat. They return
 * no `confirmationMessages`: the editor would keep "Always Allow" for the tool's id, which means every tool of every
 * server. MCP Host asks instead (`ChatQuestions`). All of it ends with the store.
 */
export function registerChatTools(dependencies: ChatToolsDependencies, store: DisposableStore): Disposable {
  const { host, tools, gate, grants, agentMode, viewDocuments, contextKeys } = dependencies;
  const { lm } = vscode as Partial<typeof vscode>;
  if (typeof lm?.registerTool !== 'function') {
    return vscode.Disposable.from(); // some forks have no tools
  }
  const update = (): void => contextKeys.set('mcpHost.hasChatTools', needsTools(host, agentMode));
  store.add(agentMode.onDidChange(update));
  store.add(host.onDidChangeServers(update));
  store.add(host.onDidChangeServer(update));
  update();
  const chatTools = new ChatTools({
    servers: () => availableServers(host, agentMode),
    grants,
    tools,
    gate,
    settings: gateSettings,
    keepWhole: (name, text) => viewDocuments.keepText(name, text),
  });
  const logger = store.add(new ServerLog('Chat Tools'));
  const register = (name: string, doing: Doing, run: Run): vscode.Disposable =>
    lm.registerTool(name, languageModelTool(doing, run, logger));
  return vscode.Disposable.from(
    register(
      'mcpHost_findTools',
      () => 'Searching the tools of MCP servers',
      async (input) => [{ kind: 'text', text: await chatTools.find(input) }],
    ),
    register(
      'mcpHost_callTool',
      (input) => `Running ${quoted(input, 'tool')} on ${quoted(input, 'server')}`,
      (input, caller, signal) => chatTools.call(input, caller, signal),
    ),
    register(
      'mcpHost_readResource',
      (input) => `Reading ${quoted(input, 'uri')} on ${quoted(input, 'server')}`,
      (input, caller, signal) => chatTools.read(input, caller, signal),
    ),
  );
}

/** What a tool does, in a few words. */
type Doing = (input: unknown) => string;
type Run = (input: unknown, caller: Caller, signal: AbortSignal) => Promise<readonly ChatPart[]>;

function languageModelTool(doing: Doing, run: Run, logger: Logger): vscode.LanguageModelTool<unknown> {
  return {
    // Escaped, because a model has written it: the editor makes Markdown of a plain string.
    prepareInvocation: ({ input }) => {
      const invocationMessage = new vscode.MarkdownString('');
      appendWords(invocationMessage, doing(input));
      return { invocationMessage };
    },
    invoke: async ({ input, toolInvocationToken }, token) => {
      const cancelling = signalOf(token);
      try {
        const caller: Caller = { kind: 'chat', isInChat: isRecord(toolInvocationToken) };
        return new vscode.LanguageModelToolResult(editorParts(await run(input, caller, cancelling.signal)));
      } catch (error) {
        throw forModel(error, logger);
      } finally {
        cancelling.dispose();
      }
    },
  };
}

/** The parts as the editor's API has them; it may have none for images. */
function editorParts(
  parts: readonly ChatPart[],
): (vscode.LanguageModelTextPart | vscode.LanguageModelDataPart)[] {
  const { LanguageModelDataPart: DataPart } = vscode as Partial<typeof vscode>;
  return (DataPart ? parts : withoutImages(parts)).map((part) =>
    part.kind === 'image' && DataPart
      ? DataPart.image(part.bytes, part.mimeType)
      : new vscode.LanguageModelTextPart(part.kind === 'text' ? part.text : ''),
  );
}

function forModel(error: unknown, logger: Logger): Error {
  if (error instanceof CancellationError) {
    return new vscode.CancellationError();
  }
  if (error instanceof HostError) {
    return new Error(error.message, { cause: error });
  }
  logger.log('error', `A request of a model failed: ${messageOf(error)}`);
  return new Error('The request failed. The log "Chat Tools" of MCP Host says why.', { cause: error });
}

/** The servers that models reach; a sentence for the model where the editor's settings turn servers off. */
export function availableServers(host: McpHost, agentMode: AgentModeSource): readonly HostServer[] | string {
  return agentMode.isAvailable
    ? host.servers.filter((server) => isInChat(agentMode.stateOf(server)))
    : "The editor's settings turn off MCP servers in chat. The user can turn them on with chat.mcp.access.";
}

/** Whether a tool of some server is in chat that agent mode does not get in another way. */
function needsTools(host: McpHost, agentMode: AgentModeSource): boolean {
  return (
    agentMode.leavesToolsOut ||
    host.servers.some(
      (server) =>
        server.connection.state.kind === 'running' && agentMode.stateOf(server) === 'grantedByTools',
    )
  );
}

/** A text of the input, as a model has sent it. */
function quoted(input: unknown, name: string): string {
  const text = isRecord(input) ? input[name] : undefined;
  return typeof text === 'string' ? `'${visibleText(text.slice(0, 100))}'` : '?';
}
