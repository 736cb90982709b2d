import type { CallToolResult, Client, Tool } from '@modelcontextprotocol/client';
import { unlessAborted } from '../../../base/lifetime/cancellation.ts';
import { HostError, messageOf } from '../../errors/hostError.ts';
import { whole } from '../../results/carried.ts';
import { prepareSchema } from '../../schemas/schemaCheck.ts';
import type { RequestLimits } from './sendRequest.ts';

/** The server says that headers are missing or do not match the arguments (2026-07-28, basic/transports). */
const HEADER_MISMATCH = -32_020;

/** The tools that a server has listed. */
interface ListedTools {
  tool(name: string): Tool | undefined;
  /** Lists them again. */
  refresh(kind: 'tools'): Promise<void>;
}

/**
 * Calls a tool by its listed definition: the arguments that it declares are also sent in HTTP headers
 * (`Mcp-Param-*`), and its structured content is checked. If the server expects other headers, the tool has changed,
 * and the tools are listed again.
 *
 * @throws HostError `protocol` when the result does not match the output schema, or the schema is invalid; HostError
 * `notTaken` after the tools were listed again; what the SDK throws.
 */
export async function callListedTool(
  client: Pick<Client, 'callTool' | 'getProtocolEra'>,
  tools: ListedTools | undefined,
  call: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
  limits: RequestLimits,
): Promise<CallToolResult> {
  const tool = tools?.tool(call.name);
  const check = await resultCheck(tool);
  const toolDefinition = withoutOutputSchema(tool);
  let result: CallToolResult;
  try {
    result = await client.callTool(
      { name: call.name, arguments: { ...call.arguments } },
      { ...limits, ...(toolDefinition && { toolDefinition }) },
    );
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
  const checked = whole(result);
  check(checked);
  return checked;
}

/** The SDK would check the result without a limit on the time that a pattern takes. */
function withoutOutputSchema(tool: Tool | undefined): Tool | undefined {
  if (tool?.outputSchema === undefined) {
    return tool;
  }
  const { outputSchema: _, ...rest } = tool;
  return rest;
}

/** Prepares the check of a result against the tool's output schema (server/tools), which a failed call need not match. */
async function resultCheck(tool: Tool | undefined): Promise<(result: CallToolResult) => void> {
  if (tool?.outputSchema === undefined) {
    return () => {};
  }
  const prepared = await prepareSchema(tool.outputSchema);
  if (prepared.kind === 'unusable') {
    throw new HostError('protocol', `the tool's output schema cannot be used: ${prepared.reason}`);
  }
  return ({ structuredContent, isError }) => {
    if (isError === true) {
      return;
    }
    const problem =
      structuredContent === undefined ? 'it is missing' : problemWith(prepared.check, structuredContent);
    if (problem !== undefined) {
      const message = `structured content does not match the tool's output schema: ${problem}`;
      throw new HostError('protocol', message);
    }
  };
}

function problemWith(check: (value: unknown) => string | undefined, value: unknown): string | undefined {
  try {
    return check(value);
  } catch (error) {
    return messageOf(error);
  }
}
