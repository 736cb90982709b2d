import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { unlessAborted } from '../../../base/cancellation.ts';
import { errorCodeOf } from '../../../base/errorCode.ts';
import { HostError } from '../../errors/hostError.ts';
import { whole } from '../../results/carried.ts';
import type { Catalogue } from './catalogue.ts';
import type { RequestLimits } from '../requests/requests.ts';
import { resultCheck, withoutOutputSchema } from '../requests/resultCheck.ts';

/** The server says that headers are missing or not what the arguments are (2026-07-28, basic/transports). */
const HEADER_MISMATCH = -32_020;

/**
 * Calls a tool by its definition as it was listed: what it declares is sent along in HTTP headers
 * (`Mcp-Param-*`), and its structured content is checked. When the server finds other headers than it
 * wishes for, which means that the tool has changed, its tools are listed anew.
 *
 * @throws as `resultCheck` and its check, what the SDK throws, and HostError `notTaken` after the tools were
 * listed anew.
 */
export async function callListedTool(
  client: Pick<Client, 'callTool' | 'getProtocolEra'>,
  catalogue: Pick<Catalogue, 'tool' | 'refresh'> | undefined,
  call: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
  limits: RequestLimits,
): Promise<CallToolResult> {
  const tool = catalogue?.tool(call.name);
  const check = await resultCheck(tool);
  const toolDefinition = withoutOutputSchema(tool);
  let result: CallToolResult;
  try {
    result = await client.callTool(
      { name: call.name, arguments: { ...call.arguments } },
      { ...limits, ...(toolDefinition && { toolDefinition }) },
    );
  } catch (error) {
    if (!catalogue || client.getProtocolEra() !== 'modern' || errorCodeOf(error) !== HEADER_MISMATCH) {
      throw error;
    }
    await unlessAborted(catalogue.refresh('tools'), limits.signal);
    throw new HostError('notTaken', 'the server wants other headers than its list of tools says', {
      cause: error,
    });
  }
  const checked = whole(result);
  check(checked);
  return checked;
}
