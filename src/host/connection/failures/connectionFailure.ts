import { isRecord } from '../../../base/record.ts';
import { cutText } from '../../../base/redacting.ts';
import { secondsText } from '../../../base/secondsText.ts';
import { visibleProse } from '../../../base/visibleText.ts';
import { textBounds } from '../../errors/bounds.ts';
import { HostError, messageOf } from '../../errors/hostError.ts';
import type { Sdk } from '../../sdk/loadSdk.ts';
import { unreachable } from '../../transport/http/networkFailure.ts';
import { refusal } from '../../transport/http/refusal.ts';
import { plainLine } from '../../transport/stderrLine.ts';
import type { ProcessExit } from '../../transport/stdioTransport.ts';
import { lastWords } from './lastWords.ts';

/** Characters of a failure: five lines of stderr, and more. */
const MAX_MESSAGE = 2 * textBounds.sentence;

/** The HTTP status that a failure is about, when it is about one. */
export function httpStatusOf(sdk: Sdk, error: unknown): number | undefined {
  if (error instanceof sdk.SdkHttpError) {
    return error.status;
  }
  if (error instanceof sdk.UnauthorizedError) {
    return 401;
  }
  return error instanceof sdk.SseError ? error.code : ownCause(error)?.status;
}

/** The body of a refusal, as far as it was read. */
export function httpBodyOf(sdk: Sdk, error: unknown): string | undefined {
  const { text } = error instanceof sdk.SdkHttpError ? (error.data as { readonly text?: unknown }) : {};
  return typeof text === 'string' ? text : undefined;
}

/** Says of a process that ended by itself how it ended, and the last words of what it wrote to stderr. */
export function exitFailure({ code, signal }: ProcessExit, stderr: readonly string[]): HostError {
  const how = signal ? `was ended by ${signal}` : `exited with code ${code ?? 'unknown'}`;
  const words = lastWords(stderr);
  const tail = stderr.map(plainLine).filter((line) => line.trim() !== '');
  return new HostError('exited', words === undefined ? `it ${how}` : `it ${how}: ${words}`, {
    detail: tail.length > 1 ? `It wrote last:\n${tail.join('\n')}` : undefined,
  });
}

/** The server was silent for so many milliseconds. */
export function silence(ms: number | undefined, options: ErrorOptions = {}): HostError {
  const within = ms === undefined ? 'in time' : `within ${secondsText(ms)}`;
  return new HostError('timedOut', `the server did not answer ${within}`, options);
}

/**
 * Turns what a connection attempt threw into a failure in words to act on. The message is a clause that
 * follows "Server 'name' could not start: ".
 */
export function connectionFailure(sdk: Sdk, error: unknown): HostError {
  const own = ownCause(error);
  if (own) {
    return own;
  }
  const options = { cause: error };
  const status = httpStatusOf(sdk, error);
  if (status !== undefined) {
    // Only then it is the SDK that says so.
    const [redirect] = (status >= 300 && status < 400 && /\bRedirect .*/.exec(messageOf(error))) || [];
    return refusal(status, { redirect, body: httpBodyOf(sdk, error) }, error);
  }
  if (error instanceof sdk.ProtocolError && revisionsOf(sdk, error) === undefined) {
    return new HostError('protocol', `the server answered: ${messageOf(error)} (${error.code})`, options);
  }
  if (error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.RequestTimeout) {
    return silence(timeoutOf(error), options);
  }
  const revisions = revisionsOf(sdk, error);
  if (revisions !== undefined) {
    return new HostError(
      'protocol',
      `the server speaks no revision that this host does: ${revisions}`,
      options,
    );
  }
  const notReached = unreachable(error);
  if (notReached) {
    return notReached;
  }
  return new HostError('protocol', `the server does not answer as an MCP server: ${wordsOf(error)}`, options);
}

/** Milliseconds that the SDK has waited. */
function timeoutOf({ data }: { readonly data?: unknown }): number | undefined {
  const timeout = isRecord(data) ? data['timeout'] : undefined;
  return typeof timeout === 'number' ? timeout : undefined;
}

/** The revisions that a server wants, when it wants none of ours (2026-07-28, basic/versioning; before, basic/lifecycle). */
function revisionsOf(sdk: Sdk, error: unknown): string | undefined {
  return error instanceof sdk.UnsupportedProtocolVersionError
    ? error.supported.join(', ')
    : /^Server's protocol version is not supported: (.*)$/.exec(messageOf(error))?.[1];
}

/**
 * What a server or the system says of a failure may repeat what the server was given, which is written nowhere, and
 * have in it what cannot be seen.
 */
export function fitToShow(error: unknown, secrets: Iterable<string>): HostError {
  const shown = (text: string): string => visibleProse(cutText(text, MAX_MESSAGE, secrets)).text;
  const message = shown(messageOf(error));
  if (!(error instanceof HostError)) {
    return new HostError('protocol', message, { cause: error });
  }
  const { code, status } = error;
  const detail = error.detail === undefined ? undefined : shown(error.detail);
  return message === error.message && detail === error.detail
    ? error
    : new HostError(code, message, { cause: error, status, detail });
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
    case 'notTaken':
    case 'notRunning':
    case 'notOffered':
    case 'heldBack':
    case 'denied':
    case 'invalidArguments':
      return false;
  }
}

/** A failure of ours that the SDK has wrapped: the guarding `fetch` throws some. */
function ownCause(error: unknown): HostError | undefined {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    if (one instanceof HostError) {
      return one;
    }
  }
  return undefined;
}
