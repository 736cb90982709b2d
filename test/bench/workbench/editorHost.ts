import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { seen } from '../../host/chatSupport.ts';

/** Milliseconds in which definitions reach the editor's own host, which says nothing about it. */
const settleMs = 1_000;

/** The editor's own host, which gets its servers from this extension. */
export class EditorHost {
  readonly #changed = new vscode.EventEmitter<void>();
  #definitions: readonly vscode.McpStdioServerDefinition[] = [];

  constructor() {
    vscode.lm.registerMcpServerDefinitionProvider('bench.servers', {
      onDidChangeMcpServerDefinitions: this.#changed.event,
      provideMcpServerDefinitions: () => [...this.#definitions],
    });
  }

  /** Has these servers, none of which runs. */
  async define(command: string, servers: readonly (readonly string[])[]): Promise<void> {
    await this.#renew([]);
    await seen('no tools of the editor', () => this.tools.length === 0);
    await this.#renew(
      servers.map(
        (args, index) => new vscode.McpStdioServerDefinition(`theirs ${index}`, command, [...args]),
      ),
    );
    await vscode.commands.executeCommand('workbench.mcp.resetCachedTools');
  }

  async #renew(definitions: readonly vscode.McpStdioServerDefinition[]): Promise<void> {
    this.#definitions = definitions;
    this.#changed.fire();
    await delay(settleMs);
  }

  /** Starts all servers; resolved when their tools are live. */
  async start(): Promise<void> {
    const options = { waitForLiveTools: true, autoTrustChanges: true };
    await vscode.commands.executeCommand('workbench.mcp.startServer', '*', options);
  }

  /** The tools of servers, also those of the gateway. */
  get tools(): readonly vscode.LanguageModelToolInformation[] {
    return vscode.lm.tools.filter(({ name }) => name.startsWith('mcp_'));
  }

  async call(name: string, input: object): Promise<string> {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  }
}
