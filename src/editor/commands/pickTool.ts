import type { ServerConnection } from '../../host/connection/serverConnection.ts';
import type { McpHost } from '../../host/mcpHost.ts';
import { pickListed } from './pickListed.ts';

/** A tool of one server: what the tree hands over, too. */
export interface ToolReference {
  readonly connection: ServerConnection;
  readonly toolName: string;
}

/** Lets the person pick a tool of a running server; undefined when there is none, or none was picked. */
export async function pickTool(host: McpHost): Promise<ToolReference | undefined> {
  const tool = await pickListed(host, {
    title: 'Run Tool',
    placeholder: 'The tool to run',
    offered: ({ tools }) => tools,
    plural: 'tools',
    use: 'run a tool',
  });
  return tool && { connection: tool.connection, toolName: tool.name };
}
