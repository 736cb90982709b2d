import { redacted } from '../../base/redacting.ts';
import { HostError, messageOf } from '../hostError.ts';
import type { ProcessExit } from '../transport/stdioTransport.ts';
import type { Sdk } from '../sdk/loadSdk.ts';

/** The HTTP status that a failure is about, when it is about one. */
export function httpStatusOf(sdk: Sdk, error: unknown): number | undefined {
  if (error instanceof sdk.SdkHttpError) {
    return error.status;
  }
  if (error instanceof sdk.UnauthorizedError) {
    return 401;
  }
  return error instanceof sdk.SseError ? error.code : undefined;
}

/** Says of a process that ended by itself how it ended, with the end of what it wrote to stderr. */
export function exitFailure({ code, signal }: ProcessExit, stderr: readonly string[]): HostError {
  const how = signal ? `was ended by ${signal}` : `exited with code ${code ?? 'unknown'}`;
  const tail = stderr.filter((line) => line.trim() !== '').slice(-5);
  return new HostError('exited', tail.length > 0 ? `it ${how}:\n${tail.join('\n')}` : `it ${how}`);
}

/**
 * Turns what a connection attempt threw into a failure in words to act on. The message is a clause that
 * follows "Server 'name' could not start: ".
 */
export function connectionFailure(sdk: Sdk, error: unknown): HostError {
  if (error instanceof HostError) {
    return error;
  }
  const options = { cause: error };
  const status = httpStatusOf(sdk, error);
  if (status !== undefined) {
    const message = `the server refused with status ${status}${adviceFor(status)}`;
    return new HostError('refused', message, { ...options, status });
  }
  if (error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.RequestTimeout) {
    return new HostError('timedOut', 'the server did not answer in time', options);
  }
  const network = networkCause(error);
  if (network) {
    return new HostError('unreachable', `the server could not be reached (${network})`, options);
  }
  return new HostError('protocol', `the server does not answer as an MCP server: ${wordsOf(error)}`, options);
}

/** What a server or the system says of a failure may repeat what the server was given, which is written nowhere. */
export function fitToShow(error: unknown, secrets: Iterable<string>): HostError {
  const message = redacted(messageOf(error), secrets);
  if (!(error instanceof HostError)) {
    return new HostError('protocol', message, { cause: error });
  }
  const { code, status } = error;
  return message === error.message
    ? error
    : new HostError(code, message, { cause: error, ...(status !== undefined && { status }) });
}

/** The text of an error; a schema's is a list of a hundred lines, which says less than one sentence. */
function wordsOf(error: unknown): string {
  return error instanceof Error && 'issues' in error
    ? 'its answer is no message of the protocol'
    : messageOf(error);
}

/** True when trying again later may help: the cause is not in the definition. */
export function isWorthRetrying(failure: HostError): boolean {
  switch (failure.code) {
    case 'exited':
    case 'timedOut':
    case 'unreachable':
    case 'lost':
    case 'sessionLost':
      return true;
    case 'refused': {
      const status = failure.status ?? 0;
      return status >= 500 || status === 408 || status === 429;
    }
    case 'invalidDefinition':
    case 'folderRefused':
    case 'notAllowed':
    case 'commandNotFound':
    case 'workingDirectoryMissing':
    case 'spawnFailed':
    case 'protocol':
    case 'notRunning':
    case 'notOffered':
    case 'heldBack':
    case 'denied':
    case 'invalidArguments':
      return false;
  }
}

function adviceFor(status: number): string {
  switch (status) {
    case 401:
    case 403:
      return ': check the headers of its definition';
    case 404:
      return ': check the address of its definition';
    default:
      return '';
  }
}

/** The system's code (`ECONNREFUSED`, …) at the bottom of an error of `fetch`. */
function networkCause(error: unknown): string | undefined {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    const { code } = one as NodeJS.ErrnoException;
    if (
      typeof code === 'string' &&
      /^(E[A-Z]+|UND_ERR_[A-Z_]+|CERT_[A-Z_]+|[A-Z_]*SIGNED[A-Z_]*)$/.test(code)
    ) {
      return code;
    }
    if (one instanceof AggregateError && one.errors.length > 0) {
      const inner = networkCause(one.errors[0]);
      if (inner) {
        return inner;
      }
    }
  }
  return undefined;
}
