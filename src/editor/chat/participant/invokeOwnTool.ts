import * as vscode from 'vscode';
import { CancellationError } from '../../../base/lifetime/cancellation.ts';
import type { UnknownRecord } from '../../../base/values/record.ts';
import { errorResult, type CallResult } from '../../../host/chat/loop/chatLoop.ts';
import type { OfferedCall, OwnTools } from '../../../host/chat/loop/toolOffer.ts';
import { messageOf } from '../../../host/errors/hostError.ts';
import type { SamplingTool } from '../../../host/sampling/request/samplingRequest.ts';
import type { HostServer } from '../../../host/servers/mcpHost.ts';
import { tokenOf } from '../../lifetime/cancellationTokens.ts';
import type { ViewDocuments } from '../../documents/viewDocuments.ts';
import { oneLine } from '../../messages/plainText.ts';
import type { ChatQuestions } from '../chatQuestions.ts';
import type { CalledTool, OfferedLinks } from './offeredLinks.ts';

/** MCP Host's own tools, as package.json declares them. */
const ownNames = {
  find: 'mcpHost_findTools',
  call: 'mcpHost_callTool',
  read: 'mcpHost_readResource',
} as const;

/** The request that a call belongs to, and where its result is listed. */
export interface CallPlace {
  readonly request: Pick<vscode.ChatRequest, 'toolInvocationToken'>;
  readonly stream: vscode.ChatResponseStream;
  readonly signal: AbortSignal;
  /** The running servers that are in chat. */
  readonly servers: readonly HostServer[];
  readonly links: OfferedLinks;
}

/** What a call needs of the window. */
interface CallPorts {
  readonly viewDocuments: ViewDocuments;
  readonly chatQuestions: ChatQuestions;
}

/** What package.json says about the tools. */
export function ownTools(): OwnTools {
  return {
    find: declaredTool(ownNames.find),
    call: declaredTool(ownNames.call),
    read: declaredTool(ownNames.read),
  };
}

function declaredTool(name: string): SamplingTool {
  const tool = vscode.lm.tools.find((one) => one.name === name);
  return {
    name,
    description: tool?.description ?? '',
    inputSchema: { ...(tool?.inputSchema ?? { type: 'object' }) },
  };
}

/** Makes a call as one of MCP Host's own tools, so that the editor draws it in the answer, and the gate asks. */
export async function invokeOwnTool(
  { viewDocuments, chatQuestions }: CallPorts,
  { request: { toolInvocationToken }, stream, signal, servers, links }: CallPlace,
  target: OfferedCall,
  input: object,
): Promise<CallResult> {
  const cancelling = tokenOf(signal);
  try {
    const options =
      target.kind === 'tool'
        ? { input: { server: target.server, tool: target.tool, arguments: input }, toolInvocationToken }
        : { input, toolInvocationToken };
    const name = target.kind === 'tool' ? ownNames.call : ownNames[target.kind];
    const { content } = await chatQuestions.during(stream, () =>
      vscode.lm.invokeTool(name, options, cancelling.token),
    );
    const result: CallResult = { isError: false, content: content.flatMap(resultPart) };
    const called = calledTool(target, input, servers);
    if (called && !signal.aborted) {
      showResult(stream, viewDocuments, called, result);
      links.add(called, result);
    }
    return result;
  } catch (error) {
    if (signal.aborted) {
      throw new CancellationError();
    }
    const isCancelled = error instanceof vscode.CancellationError || messageOf(error) === 'Canceled';
    return errorResult(isCancelled ? 'The user has cancelled this call.' : messageOf(error));
  } finally {
    cancelling.dispose();
  }
}

function calledTool(
  target: OfferedCall,
  input: object,
  servers: readonly HostServer[],
): CalledTool | undefined {
  if (target.kind === 'tool') {
    return target;
  }
  const { server, tool } = input as UnknownRecord;
  return target.kind === 'call' && typeof server === 'string' && typeof tool === 'string'
    ? { serverId: servers.find(({ label }) => label === server)?.connection.definition.id, server, tool }
    : undefined;
}

/** Lists the result with the references of the answer, where it can be opened. */
function showResult(
  stream: vscode.ChatResponseStream,
  viewDocuments: ViewDocuments,
  { server, tool }: CalledTool,
  { content }: CallResult,
): void {
  const title = `${server} ${tool}`;
  const text = content.map((part) => (part.kind === 'text' ? part.text : `(${part.mimeType})`)).join('\n');
  stream.reference(vscode.Uri.parse(viewDocuments.keepText(oneLine(title, 80), text)));
}

function resultPart(part: unknown): CallResult['content'] {
  if (part instanceof vscode.LanguageModelTextPart) {
    return [{ kind: 'text', text: part.value }];
  }
  const { LanguageModelDataPart: DataPart } = vscode as Partial<typeof vscode>;
  return DataPart && part instanceof DataPart && part.mimeType.startsWith('image/')
    ? [{ kind: 'image', mimeType: part.mimeType, data: Buffer.from(part.data).toString('base64') }]
    : [];
}
