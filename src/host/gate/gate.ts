import type { CallToolResult, GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/client';
import type { ServerId } from '../config/serverDefinition.ts';
import type { RequestOptions } from '../connection/requests.ts';
import type { Door } from './door.ts';

/**
 * The one way by which anybody but the host itself asks a server for something. Each request is looked at,
 * asked about where that is due, and written down.
 *
 * All throw HostError `notOffered` (no such thing in this door), `heldBack` (the tool is not what was
 * approved), `denied` (by the person, now or earlier), `invalidArguments` (a sentence for the model), or as
 * `ServerConnection.callTool`; CancellationError when the signal aborted.
 */
export interface Gate {
  /** Calls a tool (server/tools). A failed tool is a result with `isError`. */
  callTool(
    door: Door,
    id: ServerId,
    name: string,
    args: Readonly<Record<string, unknown>>,
    options?: RequestOptions,
    signal?: AbortSignal,
  ): Promise<CallToolResult>;
  /** Reads a resource (server/resources). */
  readResource(
    door: Door,
    id: ServerId,
    uri: string,
    options?: RequestOptions,
    signal?: AbortSignal,
  ): Promise<ReadResourceResult>;
  /** Gets a prompt (server/prompts). */
  getPrompt(
    door: Door,
    id: ServerId,
    name: string,
    args: Readonly<Record<string, string>>,
    options?: RequestOptions,
    signal?: AbortSignal,
  ): Promise<GetPromptResult>;
}
