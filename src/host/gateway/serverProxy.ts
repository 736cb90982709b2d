import type {
  CallToolResult,
  CompleteRequestParams,
  Progress,
  Server,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';
import { errorCodeOf } from '../../base/errorCode.ts';
import { isRecord } from '../../base/record.ts';
import { capitalized } from '../../base/words.ts';
import { CancellationError } from '../../base/cancellation.ts';
import type { Logger } from '../../base/logger.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { RequestOptions } from '../connection/requests/requests.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import type { Caller } from '../ledger/caller.ts';
import type { Gate } from '../gate/gate.ts';
import { isOffered } from '../tools/hostTool.ts';
import type { HostTools } from '../gate/hostTools.ts';
import { modelNamesOf, type ModelNames } from '../gate/modelNames.ts';
import { HostError, messageOf } from '../errors/hostError.ts';
import type { ServerSdk } from '../sdk/loadServerSdk.ts';
import { modelResult } from '../tools/modelResult.ts';
import { pageOf } from './page.ts';
import { withoutHeaders } from './withoutHeaders.ts';

const caller: Caller = { kind: 'agentMode' };

/** What one server is shown again with. */
export interface ProxyContext {
  readonly connection: ServerConnection;
  readonly gate: Gate;
  readonly tools: HostTools;
  readonly logger: Logger;
  /** What the server calls itself before the client, which names its tools after it. */
  readonly prefix: string;
  readonly clientVersion: string;
  readonly maxResultTokens: () => number;
  /** Keeps a tool's result that is too long for a model, and says where. */
  readonly keepWhole: (tool: string, text: string) => Promise<string | undefined>;
}

/**
 * One server's face towards the editor's agent mode (server/*): what is offered and approved of it, and every
 * request for it through the gate. Sampling, roots and elicitation stay with this host.
 */
export function createProxy(sdk: ServerSdk, context: ProxyContext): Server {
  const { connection, gate, tools, prefix, clientVersion } = context;
  const { id } = connection.definition;
  const instructions = tools.instructions(id);
  const server = new sdk.Server(
    { name: prefix, version: clientVersion },
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
        const { values, hasMore } = await gate.complete(caller, id, completion(params), mcpReq.signal);
        return { completion: { values: [...values], hasMore } };
      } catch (error) {
        throw protocolError(sdk, context, error);
      }
    });
  }
  return server;
}

/** Nothing is elicited through a face; the SDK's own validator takes a while to make. */
const nothingToValidate = {
  getValidator: () => (): never => {
    throw new HostError('protocol', 'the gateway elicits nothing');
  },
};

/** One server's tools by the names that a model knows them by, which depend on no other. */
function namesOf(tools: HostTools, id: ServerId): ModelNames {
  return modelNamesOf(tools.of(id));
}

/** The tools that a model gets, as it gets them. */
export function offeredTools(tools: HostTools, id: ServerId): readonly Tool[] {
  const names = namesOf(tools, id);
  return tools
    .of(id)
    .filter(isOffered)
    .flatMap(({ tool, offered }) => {
      const name = names.modelName(tool.name);
      // The editor drops a text beside a structured result, so that a model gets both as text: see `modelResult`.
      const { outputSchema: _, ...rest } = offered;
      return name === undefined ? [] : [{ ...rest, inputSchema: withoutHeaders(rest.inputSchema), name }];
    });
}

function serveTools(sdk: ServerSdk, server: Server, context: ProxyContext): void {
  const { connection, gate, tools, keepWhole, maxResultTokens } = context;
  const { id } = connection.definition;
  server.setRequestHandler('tools/list', ({ params }) => {
    connection.catalogue?.look('tools');
    const { items, nextCursor } = pageOf(sdk, offeredTools(tools, id), params?.cursor);
    return { tools: items, ...nextCursor };
  });
  server.setRequestHandler('tools/call', async ({ params }, request): Promise<CallToolResult> => {
    const name = namesOf(tools, id).toolName(params.name);
    if (name === undefined) {
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    }
    const args = params.arguments ?? {};
    try {
      const result = await asked(request, (options, signal) =>
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
  const { connection, gate } = context;
  const { id } = connection.definition;
  server.setRequestHandler('resources/list', ({ params }) => {
    connection.catalogue?.look('resources');
    const { items, nextCursor } = pageOf(sdk, connection.catalogue?.resources ?? [], params?.cursor);
    return { resources: items, ...nextCursor };
  });
  server.setRequestHandler('resources/templates/list', ({ params }) => {
    const { items, nextCursor } = pageOf(sdk, connection.catalogue?.resourceTemplates ?? [], params?.cursor);
    return { resourceTemplates: items, ...nextCursor };
  });
  server.setRequestHandler('resources/read', async ({ params }, request) => {
    try {
      return await asked(request, (options, signal) =>
        gate.readResource(caller, id, params.uri, options, signal),
      );
    } catch (error) {
      throw protocolError(sdk, context, error, params.uri);
    }
  });
}

function servePrompts(sdk: ServerSdk, server: Server, context: ProxyContext): void {
  const { connection, gate } = context;
  const { id } = connection.definition;
  server.setRequestHandler('prompts/list', ({ params }) => {
    connection.catalogue?.look('prompts');
    const { items, nextCursor } = pageOf(sdk, connection.catalogue?.prompts ?? [], params?.cursor);
    return { prompts: items, ...nextCursor };
  });
  server.setRequestHandler('prompts/get', async ({ params }, request) => {
    try {
      return await asked(request, (options, signal) =>
        gate.getPrompt(caller, id, params.name, params.arguments ?? {}, options, signal),
      );
    } catch (error) {
      throw protocolError(sdk, context, error);
    }
  });
}

/** Runs a request with its progress passed on, until the client cancels it or is gone. */
async function asked<T>(
  { mcpReq, http }: ServerContext,
  ask: (options: RequestOptions, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // Nothing is kept for a client that comes back, so that its answer would be for nobody.
  const gone = http?.req?.signal;
  const signal = gone ? AbortSignal.any([mcpReq.signal, gone]) : mcpReq.signal;
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) {
    return ask({}, signal);
  }
  const onProgress = (step: Progress): void => {
    // A client that does not hear of it is gone.
    mcpReq.notify({ method: 'notifications/progress', params: { ...step, progressToken } }).catch(() => {});
  };
  return ask({ onProgress }, signal);
}

/** A model can do better with a sentence than a client with an error (server/tools, error handling). */
function failedCall({ logger }: ProxyContext, error: unknown): CallToolResult {
  if (error instanceof CancellationError) {
    return isError('The call was cancelled.');
  }
  if (!(error instanceof HostError)) {
    logger.log('error', `A call by agent mode failed: ${messageOf(error)}`);
  }
  return isError(error instanceof HostError ? sentence(error.message) : 'The call failed.');
}

function isError(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Codes of the protocol with which a server itself may have answered. */
const NOT_FOUND = -32_002;
const INVALID_PARAMS = -32_602;

/** `uri` is the resource that was asked for. */
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

/** Tells a resource that is not there from a parameter that is wrong, which have one code (server/resources). */
function namesResource(cause: unknown): boolean {
  return isRecord(cause) && isRecord(cause['data']) && typeof cause['data']['uri'] === 'string';
}

/** A message of a HostError begins small, and ends without a full stop. */
function sentence(message: string): string {
  const text = capitalized(message);
  return /[.!?:]$/.test(text) ? text : `${text}.`;
}

function completion({ ref, argument, context }: CompleteRequestParams): CompleteRequestParams {
  return { ref, argument, ...(context && { context }) };
}
