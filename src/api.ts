/**
 * The public API of MCP Host, for other extensions:
 *
 * ```ts
 * const api = await vscode.extensions.getExtension<McpHostApi>('mcphost.mcp-host')?.activate();
 * ```
 *
 * It grows by additions only; `version` is raised when something is added, and the name of this file
 * changes when something is taken away.
 */
import type { CancellationToken, Event } from 'vscode';

export interface McpHostApi {
  /** 2: `getPrompt`, and requests are asked about. */
  readonly version: 2;
  /** Every configured server, in the order of its definition. */
  readonly servers: readonly McpServer[];
  /** The set of servers has changed. */
  readonly onDidChangeServers: Event<void>;
  /** One server's state, or what it offers, has changed. */
  readonly onDidChangeServer: Event<McpServer>;
}

/** Where a definition comes from: one layer of the settings, a folder's `.mcp.json`, or Copilot's file (`user`, `mcpJson`). */
export interface McpServerOrigin {
  /** `extension` for the sample server, which comes with MCP Host. */
  readonly scope: 'user' | 'workspace' | 'folder' | 'extension';
  readonly format: 'settings' | 'mcpJson' | 'extension';
}

export type McpServerState =
  | 'disabled'
  | 'restricted'
  | 'awaitingApproval'
  | 'denied'
  | 'forbidden'
  | 'signInRequired'
  | 'stopped'
  | 'starting'
  | 'authorizing'
  | 'running'
  | 'backingOff'
  | 'failed'
  | 'stopping';

/** One configured server. The object stays the same as long as the definition is there. */
export interface McpServer {
  /** Identifies the server on this machine: its scope, its file and its name. */
  readonly id: string;
  /** The name that the user sees; unique. */
  readonly label: string;
  readonly name: string;
  readonly origin: McpServerOrigin;
  readonly state: McpServerState;
  /** Why the server does not run, when it `failed`, is `backingOff` or `forbidden`, or needs you to sign in. */
  readonly failure: string | undefined;
  /** The revision of the protocol spoken, for example `2025-11-25`; while running. */
  readonly revision: string | undefined;
  /** The process id of a stdio server; while running. */
  readonly pid: number | undefined;
  /**
   * The tools that can be called: those that the user turned on and that are as the user approved them, with
   * the approved texts. Empty while the server does not run.
   */
  readonly tools: readonly McpTool[];
  /** The folders that the server sees as roots: `file:` URIs and names. */
  readonly roots: readonly McpRoot[];

  /** Starts the server. A launch that is not allowed yet is asked about: the state says so. */
  start(): Promise<void>;
  /** Stops the server; resolved when its process is gone. */
  stop(): Promise<void>;
  restart(): Promise<void>;

  /**
   * Calls a tool. A failed tool is a result with `isError`.
   *
   * The user is asked first whether your extension may call it, unless they have answered before: this takes as
   * long as they take. Call it from a function of your own, so that the question names your extension; if the
   * caller can't be identified, the answer counts once.
   *
   * @throws Error when the user doesn't allow it, the tool is none of `tools`, the arguments do not fit its schema,
   * or the server is not running, does not answer in time, or answers with an error;
   * `vscode.CancellationError` when the token was cancelled.
   */
  callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options?: McpRequestOptions,
  ): Promise<McpToolResult>;

  /**
   * Reads a resource by its URI. The user is asked as for `callTool`.
   *
   * @throws as `callTool`.
   */
  readResource(uri: string, options?: McpRequestOptions): Promise<McpResourceResult>;

  /**
   * Has the server fill in a prompt. The user is asked as for `callTool`. Since version 2.
   *
   * @throws as `callTool`.
   */
  getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options?: McpRequestOptions,
  ): Promise<McpPromptResult>;
}

export interface McpRequestOptions {
  readonly token?: CancellationToken;
  /** Called with the latest step 20 times a second at most, in their order; with the last one always. */
  readonly onProgress?: (progress: McpProgress) => void;
}

/** Progress as the server reports it; the unit of `progress` and `total` is the server's own. */
export interface McpProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

export interface McpTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** A JSON Schema of type `object`. */
  readonly inputSchema: unknown;
}

export interface McpRoot {
  readonly uri: string;
  readonly name: string;
}

/** The result of a tool, as the specification defines it. */
export interface McpToolResult {
  readonly content: readonly McpContent[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/** One block of content: `text`, `image`, `audio`, `resource_link`, `resource`, or a newer one. */
export interface McpContent {
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface McpResourceResult {
  /** Each with `uri`, and either `text` or `blob` (base64). */
  readonly contents: readonly {
    readonly uri: string;
    readonly mimeType?: string | undefined;
    readonly text?: string | undefined;
    readonly blob?: string | undefined;
  }[];
}

export interface McpPromptResult {
  readonly description?: string | undefined;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: McpContent }[];
}
