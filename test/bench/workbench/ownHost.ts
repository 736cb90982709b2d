import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { McpHostApi, McpServer } from '../../../src/api.ts';
import type { LaunchView } from '../../../src/host/launch/question/launchQuestion.ts';
import type { QuestionView } from '../../../src/host/questions/question.ts';
import { answerQuestions, api, configure, until, useInChat } from '../../host/support.ts';

const { Global } = vscode.ConfigurationTarget;
/** Each answer about a launch is written to the disk before the next question is asked. */
const longestApprovalMs = 170_000;

/** Where the installed extension is. */
export const { extensionPath = '' } = vscode.extensions.getExtension('mcphost.mcp-host') ?? {};

/** The editor's API as MCP Host has it, in which somebody answers its questions. */
const editorOfHost = createRequire(join(extensionPath, 'dist/extension.cjs'))('vscode') as typeof vscode;

/** The installed MCP Host, with somebody who allows whatever it asks about. */
export class OwnHost {
  readonly #api: McpHostApi;

  private constructor(host: McpHostApi) {
    this.#api = host;
  }

  static async open(): Promise<OwnHost> {
    const settings = vscode.workspace.getConfiguration('mcpHost');
    await settings.update('tools.confirm', 'byTrust', Global);
    await settings.update('roots.default', 'all', Global);
    answerQuestions(allow, editorOfHost);
    return new OwnHost(await api());
  }

  get servers(): readonly McpServer[] {
    return this.#api.servers;
  }

  /** Has these servers, which are allowed and run. */
  async define(command: string, servers: readonly (readonly string[])[], name = 'server'): Promise<void> {
    const definitions = servers.map((args, index) => [`${name} ${index}`, { command, args }]);
    await configure(Global, Object.fromEntries(definitions));
    const areDefined = (): boolean =>
      this.servers.length === servers.length && this.servers.every((one) => one.name.startsWith(`${name} `));
    await until(`the servers ${name}`, areDefined);
    // Those that were defined before are still stopped.
    const start = this.servers.filter(({ state }) => state === 'stopped').map((one) => one.start());
    const have = (): boolean => this.servers.every(({ tools }) => tools.length > 0);
    await this.answering(() => until(`the tools of ${name}`, have, longestApprovalMs));
    await Promise.all(start);
  }

  /** Starts all servers that are stopped, and gives the milliseconds until each has so many tools. */
  async start(tools = 1): Promise<number> {
    const { servers } = this;
    const started = performance.now();
    await Promise.all(servers.map((one) => one.start()));
    await until('all tools are listed', () => servers.every((one) => one.tools.length >= tools));
    return performance.now() - started;
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((one) => one.stop()));
  }

  async removeAll(): Promise<void> {
    await configure(Global, undefined);
  }

  /** Has the gateway serve the first server to agent mode, and asks about no call. */
  async serveFirst(): Promise<void> {
    const [server] = this.servers;
    await vscode.workspace.getConfiguration('mcpHost').update('tools.confirm', 'never', Global);
    await useInChat(server?.id ?? '', editorOfHost);
  }

  /** Does what asks you something, while somebody opens each question. */
  async answering(work: () => Promise<unknown>): Promise<void> {
    const review = (): void => void vscode.commands.executeCommand('mcpHost.reviewQuestions');
    const reviewing = setInterval(review, 1_000);
    try {
      await work();
    } finally {
      clearInterval(reviewing);
    }
  }
}

function allow(question: QuestionView): Record<string, unknown> {
  if (question.kind === 'call') {
    return { answer: 'run', span: 'always', scope: 'one' };
  }
  const { folders = [] } = question as Partial<LaunchView>;
  return { answer: 'allow', roots: folders.filter(({ isProposed }) => isProposed).map(({ uri }) => uri) };
}
