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

/** Flushes at once what has arrived, also of a body without an end, as browsers do. */
const lenient: ZlibOptions = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
/** The low bits of the first byte of zlib's format (RFC 1950, 2.2: the method is deflate). */
const ZLIB_METHOD = 8;
const BROTLI_FLUSH = constants.BROTLI_OPERATION_FLUSH;

/** The content coding of a body that was compressed although nobody asked for it; undefined for a plain one. */
export function codingOf(header: string | undefined): string | undefined {
  const coding = header?.trim().toLowerCase() ?? '';
  return coding === '' || coding === 'identity' ? undefined : coding;
}

/**
 * Decompresses a body while it is read; the reader applies the bounds of a plain body. Undefined for an unknown coding, or
 * several of them.
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

/** The failure for a body that doesn't match its coding; undefined for any other error. */
export function unpackFailure(error: unknown): HostError | undefined {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return typeof code === 'string' && /^(Z_|ERR__ERROR_|ERR_BROTLI_)/.test(code)
    ? new HostError('protocol', 'the response of the server is compressed and cannot be decompressed', {
        cause: error,
      })
    : undefined;
}

export function unknownCoding(coding: string): HostError {
  return new HostError(
    'protocol',
    `the response of the server is compressed as '${coding.slice(0, 100)}', which nobody asked for and which cannot be decompressed`,
  );
}

function through(incoming: Readable, decoder: Transform): Readable {
  // The reader gets its errors.
  return pipeline(incoming, decoder, () => {});
}

/** `deflate` means zlib's format (RFC 9110, 8.4.1.2), but old servers send raw deflate: the first byte tells. */
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
