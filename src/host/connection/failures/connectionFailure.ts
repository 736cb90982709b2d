import { isRecord } from '../../../base/values/record.ts';
import { cutText } from '../../../base/logging/redacting.ts';
import { secondsText } from '../../../base/text/words.ts';
import { visibleProse } from '../../../base/text/visibleText.ts';
import { textBounds } from '../../json/bounds.ts';
import { HostError, messageOf } from '../../errors/hostError.ts';
import type { Sdk } from '../../sdk/loadSdk.ts';
import { unreachable } from '../../transport/http/networkFailure.ts';
import { refusal } from '../../transport/http/refusal.ts';

/** Characters of a failure: enough for five lines of stderr. */
const MAX_MESSAGE = 2 * textBounds.sentence;

/** The HTTP status of a failure, if it has one. */
export function httpStatusOf(sdk: Sdk, error: unknown): number | undefined {
  return error instanceof sdk.SdkHttpError ? error.status : ownCause(error)?.status;
}

/** The body of an HTTP error, as far as it was read. */
export function httpBodyOf(sdk: Sdk, error: unknown): string | undefined {
  const { text } = error instanceof sdk.SdkHttpError ? (error.data as { readonly text?: unknown }) : {};
  return typeof text === 'string' ? text : undefined;
}

/** The server did not answer for so many milliseconds. */
export function noAnswer(ms: number | undefined, options: ErrorOptions = {}): HostError {
  const within = ms === undefined ? 'in time' : `within ${secondsText(ms)}`;
  return new HostError('timedOut', `the server did not answer ${within}`, options);
}

/**
 * Turns what a connection attempt threw into a failure that says what to do. The message is a clause that follows
 * "Server 'name' could not start: ".
 */
export function connectionFailure(sdk: Sdk, error: unknown): HostError {
  const own = ownCause(error);
  if (own) {
    return own;
  }
  const options = { cause: error };
  const status = httpStatusOf(sdk, error);
  if (status !== undefined) {
    return refusal(status, { body: httpBodyOf(sdk, error) }, error);
  }
  if (error instanceof sdk.ProtocolError && revisionsOf(sdk, error) === undefined) {
    return new HostError('protocol', `the server answered: ${messageOf(error)} (${error.code})`, options);
  }
  if (error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.RequestTimeout) {
    return noAnswer(timeoutOf(error), options);
  }
  const revisions = revisionsOf(sdk, error);
  if (revisions !== undefined) {
    return new HostError(
      'protocol',
      `MCP Host supports none of the server's protocol revisions: ${revisions}`,
      options,
    );
  }
  const notReached = unreachable(error);
  if (notReached) {
    return notReached;
  }
  return new HostError(
    'protocol',
    `the server does not answer as an MCP server: ${textOfAnswerError(error)}`,
    options,
  );
}

/** Milliseconds that the SDK waited. */
function timeoutOf({ data }: { readonly data?: unknown }): number | undefined {
  const timeout = isRecord(data) ? data['timeout'] : undefined;
  return typeof timeout === 'number' ? timeout : undefined;
}

/** A server's revisions, if it rejected all of ours (2026-07-28, basic/versioning; before, basic/lifecycle). */
function revisionsOf(sdk: Sdk, error: unknown): string | undefined {
  return error instanceof sdk.UnsupportedProtocolVersionError
    ? error.supported.join(', ')
    : /^Server's protocol version is not supported: (.*)$/.exec(messageOf(error))?.[1];
}

/**
 * The failure without secrets and invisible characters, and not too long: the text of a server or of the system may
 * repeat values that the server was given.
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

/** The text of an error; that of a schema is a hundred lines long and says less than this sentence. */
function textOfAnswerError(error: unknown): string {
  return error instanceof Error && 'issues' in error ? 'its answer is not a valid message' : messageOf(error);
}

/** A failure of ours that the SDK has wrapped; our `fetch` throws some. */
function ownCause(error: unknown): HostError | undefined {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    if (one instanceof HostError) {
      return one;
    }
  }
  return undefined;
}
