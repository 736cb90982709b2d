import * as vscode from 'vscode';
import { isRecord } from '../../../base/values/record.ts';
import type { ChatIndex } from '../../../host/chat/chatIndex.ts';
import {
  ChatLoop,
  type CallResult,
  type LoopPorts,
  type LoopResult,
} from '../../../host/chat/loop/chatLoop.ts';
import {
  keptTurn,
  pastMessages,
  usedTools,
  type ChatServer,
  type PastTurn,
} from '../../../host/chat/loop/keptTurn.ts';
import { offerTools, type OfferedCall, type OfferedTool } from '../../../host/chat/loop/toolOffer.ts';
import { requestMessage, turnInstructions } from '../../../host/chat/loop/turnPrompt.ts';
import type { ChatSettings } from '../../../host/config/settings.ts';
import type { HostTools } from '../../../host/gate/hostTools.ts';
import type { SamplingMessage } from '../../../host/sampling/request/samplingRequest.ts';
import type { HostServer } from '../../../host/servers/mcpHost.ts';
import type { ViewDocuments } from '../../documents/viewDocuments.ts';
import { appendWords, oneLine } from '../../messages/plainText.ts';
import type { ResourceUris } from '../../resources/resourceUris.ts';
import { requestMessages } from '../../sampling/modelMessages.ts';
import { streamAnswer } from '../../sampling/streamAnswer.ts';
import type { ChatQuestions } from '../chatQuestions.ts';
import { readAttachments } from './chatAttachments.ts';
import { invokeOwnTool, ownTools } from './invokeOwnTool.ts';
import { OfferedLinks } from './offeredLinks.ts';

/** Tools take at most this share of a model's context; beyond that, they are found by search. */
const TOOLS_SHARE = 0.3;

export interface AnswerContext {
  /** The running servers that are in chat, at the moment of the call. */
  readonly servers: () => readonly HostServer[];
  readonly tools: HostTools;
  readonly index: ChatIndex;
  readonly settings: ChatSettings;
  readonly uris: ResourceUris;
  readonly viewDocuments: ViewDocuments;
  readonly chatQuestions: ChatQuestions;
}

/** A request to @mcp, with where its answer goes. */
export interface ChatTurn {
  readonly request: vscode.ChatRequest;
  readonly context: vscode.ChatContext;
  readonly stream: vscode.ChatResponseStream;
  readonly signal: AbortSignal;
}

/** How a request was answered, and what is kept of it for the next one. */
export interface Answered {
  readonly result: LoopResult;
  readonly kept: unknown;
  readonly links: OfferedLinks;
}

/** Answers a request with the model that you selected. */
export async function answerRequest(answering: AnswerContext, turn: ChatTurn): Promise<Answered> {
  const { servers, tools, uris, settings } = answering;
  const { request, context, stream, signal } = turn;
  const past = pastTurns(context.history);
  // Some providers don't state it.
  const maxInputTokens = request.model.maxInputTokens > 0 ? request.model.maxInputTokens : Infinity;
  const links = new OfferedLinks();
  const call = (target: OfferedCall, input: object): Promise<CallResult> =>
    invokeOwnTool(answering, { ...turn, servers: servers(), links }, target, input);
  const { attached, problems } = await readAttachments(request.references, {
    uris,
    servers: servers(),
    read: (server, uri) => call({ kind: 'read' }, { server, uri }),
  });
  for (const problem of problems) {
    stream.markdown(paragraph(problem));
  }
  const offer = (): Promise<readonly OfferedTool[]> =>
    offerTools(
      {
        servers: servers(),
        tools,
        index: answering.index,
        own: ownTools(),
        maxTools: settings.maxTools,
        maxTokens: maxInputTokens * TOOLS_SHARE,
      },
      request.prompt,
      usedTools(past),
    );
  const offered = await offer();
  const known = servers();
  const ids = new Set<string>();
  const start = {
    instructions: turnInstructions(
      known.map(({ label, connection }) => ({
        label,
        instructions: tools.instructions(connection.definition.id),
      })),
      offered,
    ),
    past: pastMessages(past, offered, known.map(chatServer), ids),
    request: requestMessage(request.prompt, attached),
    ids,
    maxRounds: settings.maxRounds,
    maxInputTokens,
  };
  const ports: LoopPorts = {
    offer,
    send: (messages, offeredNow, end) =>
      streamAnswer(() => Promise.resolve(request.model), editorRequest(messages, offeredNow), end),
    call,
    say: (text) => {
      if (!signal.aborted) {
        stream.markdown(text);
      }
    },
  };
  const result = await new ChatLoop(start, ports, signal).run();
  return { result, kept: keptTurn(result.rounds, servers().map(chatServer)), links };
}

/** A text of ours, or of a server, as a paragraph without any Markdown in it. */
export function paragraph(text: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString('');
  appendWords(markdown, oneLine(text, 1_000));
  return markdown.appendMarkdown('\n\n');
}

function chatServer({ label, connection }: HostServer): ChatServer {
  return { id: connection.definition.id, label };
}

function editorRequest(
  messages: readonly SamplingMessage[],
  offered: readonly { readonly name: string; readonly description: string; readonly inputSchema: object }[],
) {
  const justification = 'Answers your request to @mcp with the tools of your MCP servers.';
  const tools = offered.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return {
    messages: requestMessages({ messages }),
    options: { justification, ...(tools.length > 0 && { tools }) },
  };
}

/** The earlier requests to @mcp in a chat, oldest first. Those with a slash command, or without a text, aren't for a model. */
function pastTurns(history: vscode.ChatContext['history']): readonly PastTurn[] {
  return history.flatMap((turn, index) => {
    const next = history[index + 1];
    if (!(turn instanceof vscode.ChatRequestTurn) || turn.command !== undefined) {
      return [];
    }
    const answer = next instanceof vscode.ChatResponseTurn ? next : undefined;
    const metadata: unknown = answer?.result.metadata;
    const { end, kept } = isRecord(metadata) ? metadata : {};
    if (end === 'help') {
      return [];
    }
    return [
      {
        prompt: turn.prompt,
        kept,
        answer: answer?.response.map(textOf).join('') ?? '',
      },
    ];
  });
}

function textOf(part: vscode.ChatResponseTurn['response'][number]): string {
  return part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : '';
}
