import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { seen } from '../../host/chatSupport.ts';

/** Milliseconds in which definitions reach the editor's own host: it gathers changes for 500 ms, and tells nobody. */
const settleMs = 1_000;
/** Milliseconds after which a start counts as lost: the editor waits without end for servers that it replaced. */
const longestStartMs = 60_000;
const longestToolsMs = 10_000;
const mostStarts = 3;

/** A set of servers of the editor's own host, and how many tools they have, at least. */
export interface EditorServers {
  readonly command: string;
  readonly servers: readonly (readonly string[])[];
  readonly tools: number;
}

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

  /** Starts these servers cold while no others are defined, and gives the milliseconds until their tools are live. */
  async start({ command, servers, tools }: EditorServers): Promise<number> {
    for (let starts = 0; starts < mostStarts; starts += 1) {
      await this.#define(
        servers.map(
          (args, index) => new vscode.McpStdioServerDefinition(`theirs ${index}`, command, [...args]),
        ),
      );
      await vscode.commands.executeCommand('workbench.mcp.resetCachedTools');
      const started = performance.now();
      await this.startAll();
      const ms = performance.now() - started;
      // Otherwise it started other servers than these: the definitions came late.
      if (ms < longestStartMs && (await this.#has(tools))) {
        return ms;
      }
      await this.end();
    }
    throw new Error(`The editor's own host has ${this.tools.length} of ${tools} tools.`);
  }

  /** Starts all servers that the editor knows of, also those of MCP Host's gateway, and trusts them. */
  async startAll(): Promise<void> {
    const options = { waitForLiveTools: true, autoTrustChanges: true };
    const started = vscode.commands.executeCommand('workbench.mcp.startServer', '*', options);
    await Promise.race([started, delay(longestStartMs)]);
  }

  /** Ends all servers. */
  async end(): Promise<void> {
    await this.#define([]);
    await seen('no tools of the editor', () => this.tools.length === 0);
  }

  async #define(definitions: readonly vscode.McpStdioServerDefinition[]): Promise<void> {
    this.#definitions = definitions;
    this.#changed.fire();
    await delay(settleMs);
  }

  async #has(tools: number): Promise<boolean> {
    const until = performance.now() + longestToolsMs;
    while (this.tools.length < tools && performance.now() < until) {
      await delay(50);
    }
    return this.tools.length >= tools;
  }

  /** The tools of servers, also those of the gateway. */
  get tools(): readonly vscode.LanguageModelToolInformation[] {
    return vscode.lm.tools.filter(({ name }) => name.startsWith('mcp_'));
  }

  /** Calls the one tool with a name like this. */
  caller(pattern: RegExp): (input: object) => Promise<string> {
    const names = this.tools.map((tool) => tool.name);
    const [name, ...others] = names.filter((one) => pattern.test(one));
    if (name === undefined || others.length > 0) {
      throw new Error(`Not one tool is called ${String(pattern)} among ${names.join(', ')}.`);
    }
    return (input) => this.call(name, input);
  }

  async call(name: string, input: object): Promise<string> {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  }
}
