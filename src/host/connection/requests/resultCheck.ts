import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import { HostError, messageOf } from '../../errors/hostError.ts';
import { prepareSchema } from '../../schemas/schemaCheck.ts';

/** What the SDK is told of a tool: it would check the result with no bound to the time that a pattern takes. */
export function withoutOutputSchema(tool: Tool | undefined): Tool | undefined {
  if (tool?.outputSchema === undefined) {
    return tool;
  }
  const { outputSchema: _, ...rest } = tool;
  return rest;
}

/**
 * Prepares what holds a result against the schema that was listed (server/tools, output schema); a failure of the
 * tool needs to match none. The check throws a HostError `protocol` for content that does not match.
 *
 * @throws HostError `protocol` for a schema that cannot be used.
 */
export async function resultCheck(tool: Tool | undefined): Promise<(result: CallToolResult) => void> {
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
      structuredContent === undefined ? 'there is none' : problemWith(prepared.check, structuredContent);
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
