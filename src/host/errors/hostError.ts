import { withoutJson } from './schemaIssues.ts';

/**
 * What can go wrong between this host and one server, as far as a person would act differently:
 *
 * - `invalidDefinition`: the definition cannot be started as it stands;
 * - `folderRefused`: a folder cannot be shared as a root;
 * - `notAllowed`: what would be launched now is not what the person allowed;
 * - `commandNotFound`, `workingDirectoryMissing`, `spawnFailed`: the process never ran;
 * - `exited`: the process ended by itself, or closed its output;
 * - `refused`: the server answered with an HTTP status that is no MCP;
 * - `unreachable`: no HTTP answer at all;
 * - `lost`: the connection broke before the answer came; what the server has done is not known;
 * - `sessionLost`: the server knows this session no more, and has not done what was asked in it;
 * - `notTaken`: the server has not done what was asked, and what it offers may be another thing by now: it may be
 *   sent once more after a look;
 * - `timedOut`: no answer in the time allowed;
 * - `protocol`: the server answered with a JSON-RPC error, or with something that is no MCP;
 * - `notRunning`: asked of a server that is not running;
 * - `notOffered`: the caller asked for something that is not offered to it;
 * - `heldBack`: a tool is not what the person approved;
 * - `denied`: the person does not want this request;
 * - `invalidArguments`: the arguments do not fit the tool's schema.
 */
export type HostErrorCode =
  | 'invalidDefinition'
  | 'folderRefused'
  | 'notAllowed'
  | 'commandNotFound'
  | 'workingDirectoryMissing'
  | 'spawnFailed'
  | 'exited'
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

interface HostErrorOptions extends ErrorOptions {
  readonly status?: number | undefined;
  readonly detail?: string | undefined;
}

/** A failure whose message is fit to be shown: one sentence that says what failed, and what to do about it. */
export class HostError extends Error {
  readonly code: HostErrorCode;
  /** The HTTP status, when a server `refused`. */
  readonly status: number | undefined;
  /** What else is known, on one line or several: for the log and tooltips, where the message stands alone. */
  readonly detail: string | undefined;

  constructor(code: HostErrorCode, message: string, options: HostErrorOptions = {}) {
    super(message, options);
    this.name = 'HostError';
    this.code = code;
    this.status = options.status;
    this.detail = options.detail;
  }
}

/** The text of anything that was thrown; what a schema complains of is in words. */
export function messageOf(error: unknown): string {
  return withoutJson(error instanceof Error ? error.message : String(error));
}

/** The message with all that is known besides. */
export function fullText({ message, detail }: HostError): string {
  return detail === undefined ? message : `${message}\n${detail}`;
}
