import type {
  CallToolResult,
  CompleteRequestParams,
  Implementation,
  Progress,
  Server,
  ServerContext,
} from '@modelcontextprotocol/server';
import { errorCodeOf } from '../../base/values/errorCode.ts';
import { isRecord, picked } from '../../base/values/record.ts';
import { sentence } from '../../base/text/words.ts';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import type { Logger } from '../../base/logging/logger.ts';
import type { RequestOptions } from '../connection/requests/sendRequest.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import type { Caller } from '../ledger/caller.ts';
import { failureForModel } from '../gate/failureForModel.ts';
import type { Gate } from '../gate/gate.ts';
import type { HostTools } from '../gate/hostTools.ts';
import { HostError, messageOf } from '../errors/hostError.ts';
import type { ServerSdk } from '../sdk/loadSdk.ts';
import type { HostItem, HostTool } from '../tools/hostTool.ts';
import { embeddedIcons } from '../tools/passedOn.ts';
import { modelResult } from '../tools/modelResult.ts';
import { modelNamesOf, offeredTools } from './modelTools.ts';

/** How many items of a list one answer holds (server/utilities/pagination). */
const PAGE = 500;

const caller: Caller = { kind: 'agentMode' };

/** What a proxy of one server needs. */
export interface ProxyContext {
  readonly connection: ServerConnection;
  readonly gate: Gate;
  readonly tools: HostTools;
  readonly logger: Logger;
  /** The proxy's name; the client prefixes the tools with it. */
  readonly prefix: string;
  readonly clientVersion: string;
  readonly maxResultTokens: () => number;
  /** Gets the requests that the server has not answered. */
  readonly openRequests: Set<Promise<unknown>>;
  /** Whether a tool isn't listed, because the editor takes only so many; a call of it works. */
  readonly isLeftOut: (tool: HostTool) => boolean;
  /** Keeps the text of a result that is too long for a model, and says where. */
  readonly keepWhole: (tool: string, text: string) => Promise<string | undefined>;
}

/**
 * A proxy of one server for the editor's agent mode (server/*): it lists what is offered and approved, and sends every
 * request through the gate. Sampling, roots and elicitation stay with this host.
 */
export function createProxy(sdk: ServerSdk, context: ProxyContext): Server {
  const { connection, gate, tools, prefix, clientVersion } = context;
  const { id } = connection.definition;
  const instructions = tools.instructions(id);
  const server = new sdk.Server(
    { ...selfDescription(connection.serverInfo), name: prefix, version: clientVersion },
    {
      capabilities: {
        ...(connection.offers('tools') && { tools: { listChanged: true } }),
        ...(connection.offers('resources') && { resources: { listChanged: true } }),
        ...(connection.offers('prompts') && { prompts: { listChanged: true } }),
        ...(connection.canComplete && { completions: {} }),
      },
      ...(instructions !== undefined && { instructions }),
      jsonSchemaValidator: nothingToValidate,
    },
  );
  if (connection.offers('tools')) {
    serveTools(sdk, server, context);
  }
  if (connection.offers('resources')) {
    serveResources(sdk, server, context);
  }
  if (connection.offers('prompts')) {
    servePrompts(sdk, server, context);
  }
  if (connection.canComplete) {
    server.setRequestHandler('completion/complete', async ({ params }, { mcpReq }) => {
      try {
        const found = await gate.complete(caller, id, completion(params), mcpReq.signal);
        return { completion: { ...found, values: [...found.values] } };
      } catch (error) {
        throw protocolError(sdk, context, error);
      }
    });
  }
  return server;
}

/** What a server says about itself, for people: clients show it, and give no model any of it. */
function selfDescription(info: Partial<Implementation> = {}): Partial<Implementation> {
  return { ...picked(info, 'title', 'description'), ...embeddedIcons(info.icons) };
}

/** A proxy elicits nothing, and the SDK's own validator takes a while to make. */
const nothingToValidate = {
  getValidator: () => (): never => {
    throw new HostError('protocol', 'the gateway elicits nothing');
  },
};

function serveTools(sdk: ServerSdk, server: Server, context: ProxyContext): void {
  const { connection, gate, tools, keepWhole, maxResultTokens, isLeftOut } = context;
  const { id } = connection.definition;
  server.setRequestHandler('tools/list', ({ params }) => {
    connection.catalogue?.look('tools');
    const { items, nextCursor } = pageOf(sdk, offeredTools(tools, id, isLeftOut), params?.cursor);
    return { tools: items, ...nextCursor };
  });
  server.setRequestHandler('tools/call', async ({ params }, request): Promise<CallToolResult> => {
    const name = modelNamesOf(tools.of(id)).toolName(params.name);
    if (name === undefined) {
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    }
    const args = params.arguments ?? {};
    try {
      const result = await asked(context, request, (options, signal) =>
        gate.callTool(caller, id, name, args, options, signal),
      );
      return await modelResult(result, {
        maxTokens: maxResultTokens(),
        keepWhole: (text) => keepWhole(name, text),
      });
    } catch (error) {
      return failedCall(context, error);
    }
  });
}

function serveResources(sdk: ServerSdk, server: Server, context: ProxyContext): void {
  const { connection, gate, tools } = context;
  const { id } = connection.definition;
  server.setRequestHandler('resources/list', ({ params }) => {
    connection.catalogue?.look('resources');
    const { items, nextCursor } = pageOf(sdk, tools.resources(id), params?.cursor);
    return { resources: items, ...nextCursor };
  });
  server.setRequestHandler('resources/templates/list', ({ params }) => {
    const { items, nextCursor } = pageOf(sdk, offeredItems(tools.templates(id)), params?.cursor);
    return { resourceTemplates: items, ...nextCursor };
  });
  server.setRequestHandler('resources/read', async ({ params }, request) => {
    try {
      return await asked(context, request, (options, signal) =>
        gate.readResource(caller, id, params.uri, options, signal),
      );
    } catch (error) {
      throw protocolError(sdk, context, error, params.uri);
    }
  });
}

function servePrompts(sdk: ServerSdk, server: Server, context: ProxyContext): void {
  const { connection, gate, tools } = context;
  const { id } = connection.definition;
  server.setRequestHandler('prompts/list', ({ params }) => {
    connection.catalogue?.look('prompts');
    const { items, nextCursor } = pageOf(sdk, offeredItems(tools.prompts(id)), params?.cursor);
    return { prompts: items, ...nextCursor };
  });
  server.setRequestHandler('prompts/get', async ({ params }, request) => {
    try {
      return await asked(context, request, (options, signal) =>
        gate.getPrompt(caller, id, params.name, params.arguments ?? {}, options, signal),
      );
    } catch (error) {
      throw protocolError(sdk, context, error);
    }
  });
}

/** What is as it was approved. */
function offeredItems<T>(items: ReadonlyMap<string, HostItem<T>>): readonly T[] {
  return [...items.values()].flatMap(({ offered, standing }) => (standing.kind === 'known' ? [offered] : []));
}

/** The part of a list that starts at a cursor, and the cursor of the next part, if there is one. */
function pageOf<T>(
  sdk: ServerSdk,
  list: readonly T[],
  cursor: string | undefined,
): { readonly items: T[]; readonly nextCursor: { readonly nextCursor?: string } } {
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) {
    throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, 'Invalid cursor');
  }
  const start = Number(cursor ?? 0);
  const end = start + PAGE;
  return { items: list.slice(start, end), nextCursor: end < list.length ? { nextCursor: String(end) } : {} };
}

/** Runs a request with its progress passed on, until the client cancels it or is gone. */
async function asked<T>(
  { openRequests }: ProxyContext,
  request: ServerContext,
  ask: (options: RequestOptions, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const answer = withProgress(request, ask);
  openRequests.add(answer);
  try {
    return await answer;
  } finally {
    openRequests.delete(answer);
  }
}

function withProgress<T>(
  { mcpReq, http }: ServerContext,
  ask: (options: RequestOptions, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // No answer is kept for a client that reconnects.
  const gone = http?.req?.signal;
  const signal = gone ? AbortSignal.any([mcpReq.signal, gone]) : mcpReq.signal;
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) {
    return ask({}, signal);
  }
  const onProgress = (step: Progress): void => {
    // If this fails, the client is gone.
    mcpReq.notify({ method: 'notifications/progress', params: { ...step, progressToken } }).catch(() => {});
  };
  return ask({ onProgress }, signal);
}

/** A model can use a sentence better than a client can use an error (server/tools, error handling). */
function failedCall({ logger }: ProxyContext, error: unknown): CallToolResult {
  if (error instanceof CancellationError) {
    return isError('The call was cancelled.');
  }
  if (!(error instanceof HostError)) {
    logger.log('error', `A call by agent mode failed: ${messageOf(error)}`);
  }
  return isError(error instanceof HostError ? failureForModel(error) : 'The call failed.');
}

function isError(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Codes of the protocol that the server itself may have answered with. */
const NOT_FOUND = -32_002;
const INVALID_PARAMS = -32_602;

/** `uri` is the requested resource. */
function protocolError(sdk: ServerSdk, { logger }: ProxyContext, error: unknown, uri?: string): Error {
  const { InternalError, InvalidParams } = sdk.ProtocolErrorCode;
  if (error instanceof CancellationError) {
    return new sdk.ProtocolError(InternalError, 'The request was cancelled.');
  }
  if (!(error instanceof HostError)) {
    logger.log('error', `A request by agent mode failed: ${messageOf(error)}`);
    return new sdk.ProtocolError(InternalError, 'The request failed.');
  }
  const { cause, message, code } = error;
  const given = errorCodeOf(cause);
  const isNotFound = given === NOT_FOUND || (given === INVALID_PARAMS && namesResource(cause));
  return new sdk.ProtocolError(
    given === NOT_FOUND || given === INVALID_PARAMS
      ? given
      : code === 'notOffered' || code === 'invalidArguments'
        ? InvalidParams
        : InternalError,
    sentence(message),
    isNotFound && uri !== undefined ? { uri } : undefined,
  );
}

/** Distinguishes a missing resource from a wrong parameter, which share a code (server/resources). */
function namesResource(cause: unknown): boolean {
  return isRecord(cause) && isRecord(cause['data']) && typeof cause['data']['uri'] === 'string';
}

function completion({ ref, argument, context }: CompleteRequestParams): CompleteRequestParams {
  return { ref, argument, ...(context && { context }) };
}
