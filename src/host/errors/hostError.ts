import { withoutJson } from './schemaIssues.ts';

/**
 * What can go wrong between this host and one server, as far as the user has to do something else about it:
 *
 * - `invalidDefinition`: the definition cannot be started as it is written;
 * - `folderRefused`: a folder cannot be shared as a root;
 * - `notAllowed`: the launch is not the one that the user allowed;
 * - `forbidden`: a setting of the editor doesn't let the server run;
 * - `commandNotFound`, `workingDirectoryMissing`, `spawnFailed`: the process never ran;
 * - `exited`: the process exited, or closed its output;
 * - `unattended`: the process waited until the user did what it asked for, without success;
 * - `signInRequired`: you have to sign in to the server, to set its token, or to grant it more, first;
 * - `refused`: the server answered with an HTTP status that is not part of MCP;
 * - `unreachable`: no HTTP answer at all;
 * - `lost`: the connection broke before the response came; nobody knows whether the server handled the request;
 * - `sessionLost`: the server no longer knows this session, and did not handle the request;
 * - `notTaken`: the server did not handle the request, and what it offers may have changed: it may be sent again after
 *   another check;
 * - `timedOut`: no response in the time allowed;
 * - `protocol`: the server answered with a JSON-RPC error, or with something that is not MCP;
 * - `notRunning`: the server is not running;
 * - `notOffered`: the server doesn't offer this to the caller;
 * - `heldBack`: a tool is not the one that the user approved;
 * - `denied`: the user refused this request;
 * - `invalidArguments`: the arguments do not fit the tool's schema.
 */
export type HostErrorCode =
  | 'invalidDefinition'
  | 'folderRefused'
  | 'notAllowed'
  | 'forbidden'
  | 'commandNotFound'
  | 'workingDirectoryMissing'
  | 'spawnFailed'
  | 'exited'
  | 'unattended'
  | 'signInRequired'
  | 'refused'
  | 'unreachable'
  | 'lost'
  | 'sessionLost'
  | 'notTaken'
  | 'timedOut'
  | 'protocol'
  | 'notRunning'
  | 'notOffered'
  | 'heldBack'
  | 'denied'
  | 'invalidArguments';

export interface HostErrorOptions extends ErrorOptions {
  readonly status?: number | undefined;
  readonly detail?: string | undefined;
  readonly word?: string | undefined;
  readonly needs?: 'token' | 'definition' | undefined;
  readonly setting?: string | undefined;
}

/** A failure whose message can be shown: one sentence that says what failed, and what to do about it. */
export class HostError extends Error {
  readonly code: HostErrorCode;
  /** The HTTP status, when a server `refused`, or requires you to sign in. */
  readonly status: number | undefined;
  /** More about it, in one or more lines, for the log and tooltips. */
  readonly detail: string | undefined;
  /** The same in two or three words, for a row; undefined where the code has words of its own. */
  readonly word: string | undefined;
  /** What helps in place of a sign-in that is required: a token that you set, or a change of the definition. */
  readonly needs: 'token' | 'definition' | undefined;
  /** The setting of the editor that you can change to avoid it. */
  readonly setting: string | undefined;

  constructor(code: HostErrorCode, message: string, options: HostErrorOptions = {}) {
    super(message, options);
    this.name = 'HostError';
    this.code = code;
    this.status = options.status;
    this.detail = options.detail;
    this.word = options.word;
    this.needs = options.needs;
    this.setting = options.setting;
  }
}

/** The text of anything that was thrown, with the issues of a schema in words. */
export function messageOf(error: unknown): string {
  return withoutJson(error instanceof Error ? error.message : String(error));
}

/** The message with its detail. */
export function fullText({ message, detail }: HostError): string {
  return detail === undefined ? message : `${message}\n${detail}`;
}
