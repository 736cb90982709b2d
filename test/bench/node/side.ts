/** A server of a benchmark: a script for Node, or an address. */
export type BenchServer =
  | { readonly name: string; readonly args: readonly string[] }
  | { readonly name: string; readonly url: string };

/** What is measured: this host, or clients of the bare SDK. */
export interface Side {
  /** Starts the servers; resolved when all of their tools are listed. */
  start(servers: readonly BenchServer[]): Promise<void>;
  /** Calls a tool as another extension does, which you have allowed. */
  call(server: number, tool: string, args: Readonly<Record<string, unknown>>): Promise<ToolResult>;
  /** Calls a tool as a model in agent mode does; the same call where there is no gate. */
  callAsAgent(server: number, tool: string, args: Readonly<Record<string, unknown>>): Promise<ToolResult>;
  /** Has these folders in the workspace, and tells the servers. */
  setFolders(paths: readonly string[]): Promise<void>;
  /** Lists the resources of the first server, and gives the milliseconds from the list's arrival to the first rows. */
  showResources(): Promise<{ readonly count: number; readonly shownMs: number }>;
  /** Ends all servers and starts them again. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface ToolResult {
  readonly content: readonly { readonly type: string }[];
}

/** The text of a result. */
export function textOf({ content: [block] }: ToolResult): string {
  return block && 'text' in block ? String(block.text) : '';
}
