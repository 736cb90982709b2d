import type { IncomingMessage } from 'node:http';
import { PassThrough, pipeline, type Readable, type Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  type ZlibOptions,
} from 'node:zlib';
import { HostError } from '../../errors/hostError.ts';

/** What has come is given at once, and a body that lacks its end is given as far as it goes, as browsers do it. */
const lenient: ZlibOptions = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
/** What the first byte of zlib's format ends in (RFC 1950, 2.2: the method is deflate). */
const ZLIB_METHOD = 8;
const BROTLI_FLUSH = constants.BROTLI_OPERATION_FLUSH;

/** The coding of a body that was sent compressed although nobody asked for it; undefined for a plain one. */
export function codingOf(header: string | undefined): string | undefined {
  const coding = header?.trim().toLowerCase() ?? '';
  return coding === '' || coding === 'identity' ? undefined : coding;
}

/**
 * A body as it was before it was compressed, as far as somebody reads it: whoever reads holds it to the bounds of what is
 * plain. Undefined for a coding that is not known, and for several of them.
 */
export function unpacked(incoming: IncomingMessage, coding: string): Readable | undefined {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return through(incoming, createGunzip(lenient));
    case 'br':
      return through(incoming, createBrotliDecompress({ flush: BROTLI_FLUSH, finishFlush: BROTLI_FLUSH }));
    case 'deflate':
      return inflated(incoming);
    default:
      return undefined;
  }
}

/** The failure of a body that is not what its coding says; undefined for any other error. */
export function unpackFailure(error: unknown): HostError | undefined {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return typeof code === 'string' && /^(Z_|ERR__ERROR_|ERR_BROTLI_)/.test(code)
    ? new HostError('protocol', 'the answer of the server is compressed and cannot be unpacked', {
        cause: error,
      })
    : undefined;
}

export function unknownCoding(coding: string): HostError {
  return new HostError(
    'protocol',
    `the answer of the server is compressed as '${coding.slice(0, 100)}', which was not asked for and cannot be unpacked`,
  );
}

function through(incoming: Readable, decoder: Transform): Readable {
  // Whoever reads hears of its errors.
  return pipeline(incoming, decoder, () => {});
}

/** `deflate` is in the format of zlib (RFC 9110, 8.4.1.2), which old servers leave out: the first byte tells. */
function inflated(incoming: IncomingMessage): Readable {
  const plain = new PassThrough();
  const fail = (error: Error): void => void plain.destroy(error);
  const begin = (): void => {
    incoming.off('readable', begin).off('end', begin);
    const first = incoming.read() as Buffer | null;
    if (first === null) {
      plain.end();
      return;
    }
    incoming.unshift(first);
    const hasHeader = ((first[0] ?? 0) & 0x0f) === ZLIB_METHOD;
    pipeline(incoming, hasHeader ? createInflate(lenient) : createInflateRaw(lenient), plain, () => {});
  };
  incoming.once('error', fail).once('readable', begin).once('end', begin);
  plain.once('close', () => incoming.destroy());
  return plain;
}
