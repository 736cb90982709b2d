import { HostError } from '../../hostError.ts';
import { EventParser, type ServerEvent } from './eventParser.ts';

/** Mebibytes that one message of a server may take. */
const MAX_MESSAGE_MIB = 64;
const MAX_MESSAGE = MAX_MESSAGE_MIB * 2 ** 20;
/** Bytes of an answer that is no message which are read, for its words. */
const MAX_WORDS = 2 ** 16;

/** @throws HostError `protocol` for a body that is too large for a message. */
export async function readMessage(response: Response): Promise<string> {
  const { text, isWhole } = await readUpTo(response, MAX_MESSAGE);
  if (!isWhole) {
    throw tooLarge('the answer of the server');
  }
  return text;
}

/** The beginning of a body that is no message. */
export async function readWords(response: Response): Promise<string> {
  return (await readUpTo(response, MAX_WORDS)).text;
}

/**
 * The events of an event stream, until it ends.
 *
 * @throws HostError `protocol` for an event that is too large for a message, or why the stream broke.
 */
export async function* readEvents(
  response: Response,
  onRetry?: (ms: number) => void,
): AsyncGenerator<ServerEvent> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser();
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) {
        return;
      }
      const { events, retryMs } = parser.feed(decoder.decode(chunk.value, { stream: true }));
      if (retryMs !== undefined) {
        onRetry?.(retryMs);
      }
      yield* events;
      if (parser.held > MAX_MESSAGE) {
        throw tooLarge('an event of the server');
      }
    }
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

async function readUpTo(
  response: Response,
  max: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  for (let size = 0; size <= max;) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) {
      return { text: parts.join('') + decoder.decode(), isWhole: true };
    }
    size += chunk.value.byteLength;
    parts.push(decoder.decode(chunk.value, { stream: true }));
  }
  await reader?.cancel().catch(() => {});
  return { text: parts.join('').slice(0, max), isWhole: false };
}

function tooLarge(what: string): HostError {
  return new HostError('protocol', `${what} is larger than ${MAX_MESSAGE_MIB} MiB, the most that is taken`);
}
