import type { CallToolResult, Client, Tool } from '@modelcontextprotocol/client';
import { isRecord } from '../../../base/values/record.ts';
import { unlessAborted } from '../../../base/lifetime/cancellation.ts';
import { HostError, messageOf } from '../../errors/hostError.ts';
import { asChecked } from '../../results/checkedResult.ts';
import type { PreparedSchema, ServerSchemas } from '../../schemas/schemaCheck.ts';
import { canBeTask, LACKS_TASKS, needsTask } from '../../tools/hostTool.ts';
import { argumentHeaders } from '../../transport/http/requestHeaders.ts';
import type { RequestLimits } from './sendRequest.ts';

/** The server says that headers are missing or do not match the arguments (2026-07-28, basic/transports). */
const HEADER_MISMATCH = -32_020;

/** Members of results of other kinds. */
const otherKinds = ['task', 'inputRequests', 'requestState'];

/** The tools that a server has listed. */
interface ListedTools {
  tool(name: string): Tool | undefined;
  /** Lists them again. */
  refresh(kind: 'tools'): Promise<void>;
}

/** How a call becomes a task, and its result is checked. */
interface TaskWays {
  readonly schemas: ServerSchemas;
  /** Calls the tool as a task; absent if the server hasn't declared it. */
  readonly asTask?: () => Promise<CallToolResult>;
  /** Gives the result of the call of which a modern server has made this task. */
  readonly follow: (created: unknown) => Promise<CallToolResult>;
}

/**
 * Calls a tool by its listed definition: the arguments that it declares are also sent in HTTP headers
 * (`Mcp-Param-*`), and its structured content is checked. If the server expects other headers, the tool has changed,
 * and the tools are listed again. A tool that can run as a task does so where the server has declared it (2025-11-25,
 * basic/utilities/tasks, tool-level negotiation); a modern server decides on that itself.
 *
 * @throws HostError `notOffered` for a tool that only runs as a task of a server that runs none; HostError `protocol` when the result does not match the output schema, or the schema is invalid; HostError
 * `notTaken` after the tools were listed again; what the SDK throws.
 */
export async function callListedTool(
  client: Pick<Client, 'request' | 'getProtocolEra'>,
  tools: ListedTools | undefined,
  call: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
  limits: RequestLimits,
  { asTask, follow, schemas }: TaskWays,
): Promise<CallToolResult> {
  const tool = tools?.tool(call.name);
  const schema = tool?.outputSchema;
  const check = schema && (await unlessAborted(resultCheck(schemas, schema), limits.signal));
  const isLegacy = client.getProtocolEra() !== 'modern';
  if (isLegacy && asTask && tool && canBeTask(tool)) {
    return checkedBy(check, await asTask(), limits.signal);
  }
  if (isLegacy && tool && needsTask(tool)) {
    throw new HostError('notOffered', LACKS_TASKS);
  }
  const headers = isLegacy ? {} : argumentHeaders(tool?.inputSchema, call.arguments);
  let result: unknown;
  try {
    const request = { method: 'tools/call', params: { ...call } };
    result = await client.request(request, asChecked(), { ...limits, headers });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (!tools || client.getProtocolEra() !== 'modern' || code !== HEADER_MISMATCH) {
      throw error;
    }
    await unlessAborted(tools.refresh('tools'), limits.signal);
    throw new HostError('notTaken', 'the server expects other headers than its list of tools says', {
      cause: error,
    });
  }
  // Only results that the server calls so still say what they are, see `SoundMessages`.
  const isTask = isRecord(result) && result['resultType'] === 'task';
  return checkedBy(check, isTask ? await follow(result) : finished(result), limits.signal);
}

/** The result of a call that has not become a task. Up to 2025-11-25, one without content may be of another kind. */
function finished(result: unknown): CallToolResult {
  const { content, ...rest } = result as Partial<CallToolResult>;
  const kind = content ? undefined : otherKinds.find((name) => name in rest);
  if (kind !== undefined) {
    const why = `its answer to 'tools/call' is not valid: content is required when the body carries '${kind}'`;
    throw new HostError('protocol', `the server does not answer as an MCP server: ${why}`);
  }
  return content ? (result as CallToolResult) : { ...rest, content: [] };
}

type ResultCheck = (result: CallToolResult) => Promise<void>;

async function checkedBy(
  check: ResultCheck | undefined,
  result: CallToolResult,
  signal: AbortSignal,
): Promise<CallToolResult> {
  if (check) {
    await unlessAborted(check(result), signal);
  }
  return result;
}

/** Why a result doesn't match the output schema of its tool, as a clause; undefined if it does, or nothing was declared. */
export async function outputFault(
  schemas: ServerSchemas,
  tool: Tool | undefined,
  result: object,
): Promise<string | undefined> {
  try {
    await (tool?.outputSchema && (await resultCheck(schemas, tool.outputSchema))(result as CallToolResult));
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Prepares the check of a result against the tool's output schema (server/tools), which a failed call need not match. */
async function resultCheck(schemas: ServerSchemas, outputSchema: unknown): Promise<ResultCheck> {
  const prepared = await schemas.prepare(outputSchema);
  if (prepared.kind === 'unusable') {
    throw new HostError('protocol', `the tool's output schema cannot be used: ${prepared.reason}`);
  }
  return async ({ structuredContent, isError }) => {
    if (isError === true) {
      return;
    }
    const problem =
      structuredContent === undefined ? 'it is missing' : await problemWith(prepared, structuredContent);
    if (problem !== undefined) {
      const message = `structured content does not match the tool's output schema: ${problem}`;
      throw new HostError('protocol', message);
    }
  };
}

async function problemWith(
  { check }: Extract<PreparedSchema, { kind: 'ready' }>,
  value: unknown,
): Promise<string | undefined> {
  try {
    return await check(value);
  } catch (error) {
    return messageOf(error);
  }
}
