import { Slices } from '../../../base/time/slices.ts';
import { messageBounds } from '../../json/bounds.ts';
import { HostError } from '../../errors/hostError.ts';
import { ByteBuffer } from '../../json/byteBuffer.ts';
import { MESSAGE_WORK } from '../../json/receivedLine.ts';
import { unpackFailure } from './unpacked.ts';
import { EventParser, type ServerEvent } from './eventParser.ts';

/** Bytes that are read of a body that is not a message. */
const MAX_WORDS = 2 ** 16;

/** @throws HostError `protocol` if the body is too large for a message, or cannot be decompressed. */
export async function readMessage(response: Response): Promise<Buffer> {
  const { bytes, isWhole } = await readUpTo(response, messageBounds.bytes).catch((error: unknown) => {
    throw unpackFailure(error) ?? error;
  });
  if (!isWhole) {
    throw tooLarge('the response of the server');
  }
  return bytes;
}

/** The beginning of a body that is not a message; empty if it cannot be decompressed. */
export async function readWords(response: Response): Promise<string> {
  try {
    return new TextDecoder().decode((await readUpTo(response, MAX_WORDS)).bytes.subarray(0, MAX_WORDS));
  } catch (error) {
    if (unpackFailure(error)) {
      return '';
    }
    throw error;
  }
}

/**
 * The events of an event stream, until it ends.
 *
 * @throws HostError `protocol` if an event is too large for a message, or the stream cannot be decompressed; the error
 * of the system if the stream breaks.
 */
export async function* readEvents(
  response: Response,
  onRetry?: (ms: number) => void,
): AsyncGenerator<ServerEvent> {
  const reader = response.body?.getReader();
  const parser = new EventParser();
  const slices = new Slices();
  try {
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) {
        return;
      }
      for (const event of parser.feed(bufferOf(chunk.value))) {
        tellRetry(parser, onRetry);
        yield event;
        // Otherwise a flood of events that has arrived would be handled before anything else.
        slices.spend(MESSAGE_WORK);
        if (slices.isUsedUp) {
          await slices.rest();
        }
      }
      tellRetry(parser, onRetry);
      slices.spend(chunk.value.byteLength);
      if (slices.isUsedUp) {
        await slices.rest();
      }
    }
  } catch (error) {
    throw error instanceof RangeError ? tooLarge('an event of the server') : (unpackFailure(error) ?? error);
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

function tellRetry({ retryMs }: EventParser, onRetry: ((ms: number) => void) | undefined): void {
  if (retryMs !== undefined) {
    onRetry?.(retryMs);
  }
}

/**
 * The bytes of a body, at least `max` of them if it is longer; the rest is not read.
 *
 * @throws the error of the decompression or of the system.
 */
export async function readUpTo(
  response: Response,
  max: number,
): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  const reader = response.body?.getReader();
  const held = new ByteBuffer();
  while (held.length <= max) {
    const chunk = await reader?.read();
    if (!chunk || chunk.done) {
      return { bytes: held.take(), isWhole: true };
    }
    held.add(bufferOf(chunk.value));
  }
  await reader?.cancel().catch(() => {});
  return { bytes: held.take(), isWhole: false };
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function tooLarge(what: string): HostError {
  const most = messageBounds.mebibytes;
  return new HostError('protocol', `${what} is larger than ${most} MiB, the maximum`);
}

export function isEventStream(response: Response): boolean {
  return response.ok && hasType(response, 'text/event-stream');
}

export function hasType({ headers }: Response, type: string): boolean {
  const [essence = ''] = (headers.get('content-type') ?? '').split(';');
  return essence.trim().toLowerCase() === type;
}
