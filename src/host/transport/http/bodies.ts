import { Slices } from '../../../base/slices.ts';
import { messageBounds } from '../../errors/bounds.ts';
import { HostError } from '../../errors/hostError.ts';
import { HeldBytes } from '../../json/heldBytes.ts';
import { MESSAGE_WORK } from '../../json/receivedLine.ts';
import { unpackFailure } from './unpacked.ts';
import { EventParser, type ServerEvent } from './eventParser.ts';

/** Bytes of an answer that is no message which are read, for its words. */
const MAX_WORDS = 2 ** 16;

/** @throws HostError `protocol` for a body that is too large for a message, or cannot be unpacked. */
export async function readMessage(response: Response): Promise<Buffer> {
  const { bytes, isWhole } = await readUpTo(response, messageBounds.bytes).catch((error: unknown) => {
    throw unpackFailure(error) ?? error;
  });
  if (!isWhole) {
    throw tooLarge('the answer of the server');
  }
  return bytes;
}

/** The beginning of a body that is no message; of one that cannot be unpacked, nothing. */
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
 * @throws HostError `protocol` for an event that is too large for a message or a stream that cannot be unpacked, or why
 * the stream broke.
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
        // A flood that has come already would be taken to its end before anything else is.
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

async function readUpTo(
  response: Response,
  max: number,
): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  const reader = response.body?.getReader();
  const held = new HeldBytes();
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
  return new HostError('protocol', `${what} is larger than ${most} MiB, the most that is taken`);
}
