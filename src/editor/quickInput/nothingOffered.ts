import * as vscode from 'vscode';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { runCommand } from '../commands/commands.ts';

/** Shows why there is nothing to pick, and what to do; `plural` is such as `tools`, `use` such as `run a tool`. */
export async function showNothingOffered({ servers }: McpHost, plural: string, use: string): Promise<void> {
  const show = 'Show Servers';
  if ((await vscode.window.showInformationMessage(textFor(servers, plural, use), show)) === show) {
    await runCommand('servers.focus');
  }
}

function textFor(servers: McpHost['servers'], plural: string, use: string): string {
  if (servers.length === 0) {
    return `There is no MCP server yet. Add one in the MCP Host view, then ${use}.`;
  }
  return servers.some(({ connection }) => connection.state.kind === 'running')
    ? `The running servers offer no ${plural}.`
    : `No MCP server is running. Start one in the MCP Host view, then ${use}.`;
}
