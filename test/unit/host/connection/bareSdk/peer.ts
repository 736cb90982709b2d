import type { WorkspaceFolder } from '../../../../../src/host/folders/sharedRoot.ts';

/** What a host is in a scenario: one client of one server, however it is built. */
export interface Peer {
  /** Milliseconds that a request may take, the start included. */
  requestMs: number;
  connect(): Promise<void>;
  /** The names of the tools that the server lists. */
  listTools(): Promise<readonly string[]>;
  /** The same, as far as the host has been notified of changes. */
  readonly knownTools: readonly string[];
  /** The texts of the result, a line each. */
  callTool(name: string, args?: Arguments, options?: CallOptions): Promise<string>;
  readResource(uri: string): Promise<string>;
  /** All that the server has said: its log messages and its stderr. */
  readonly heard: string;
  /** What went wrong that no request was rejected with. */
  readonly complaints: readonly string[];
  /** What the host knows about the end of a connection that it did not end. */
  readonly ended: Promise<string>;
  /** How the host distinguishes the ends of a request. */
  codeOf(error: unknown): unknown;
  close(): Promise<void>;
}

export interface PeerOptions {
  readonly requestMs?: number;
  /** The workspace that the host would share as roots. */
  readonly folders?: readonly WorkspaceFolder[];
  /** Resolves when you have agreed that the server sees them. */
  readonly consent?: () => Promise<void>;
  /** Where a stdio server starts. */
  readonly cwd?: string;
}

export type Arguments = Readonly<Record<string, unknown>>;

export interface CallOptions {
  readonly onProgress?: (step: number) => void;
  readonly signal?: AbortSignal;
}

/** The texts among the blocks of a result. */
export function textsOf(blocks: readonly object[]): string {
  return blocks.flatMap((block) => ('text' in block ? [String(block.text)] : [])).join('\n');
}
