import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { unlessAborted } from '../../base/cancellation.ts';
import type { Catalogue } from './catalogue.ts';
import type { RequestLimits } from './requests.ts';
import { resultCheck, withoutOutputSchema } from './resultCheck.ts';

/** The server says that headers are missing or not what the arguments are (2026-07-28, basic/transports). */
const HEADER_MISMATCH = -32_020;

/**
 * Calls a tool by its definition as it was listed: what it declares is sent along in HTTP headers
 * (`Mcp-Param-*`), and its structured content is checked. When the server finds other headers than it
 * wishes for, its tools are listed anew and the call is sent once more: it was not carried out.
 *
 * @throws as `resultCheck` and its check, and what the SDK throws.
 */
export async function callListedTool(
  client: Pick<Client, 'callTool' | 'getProtocolEra'>,
  catalogue: Pick<Catalogue, 'tool' | 'refresh'> | undefined,
  call: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
  limits: RequestLimits,
): Promise<CallToolResult> {
  const send = async (): Promise<CallToolResult> => {
    const tool = catalogue?.tool(call.name);
    const check = await resultCheck(tool);
    const toolDefinition = withoutOutputSchema(tool);
    const result = await client.callTool(
      { name: call.name, arguments: { ...call.arguments } },
      { ...limits, ...(toolDefinition && { toolDefinition }) },
    );
    check(result);
    return result;
  };
  try {
    return await send();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (!catalogue || client.getProtocolEra() !== 'modern' || code !== HEADER_MISMATCH) {
      throw error;
    }
  }
  await unlessAborted(catalogue.refresh('tools'), limits.signal);
  return send();
}
