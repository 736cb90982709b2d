import { HostError } from '../../errors/hostError.ts';

/** What a handshake of TLS fails with, apart from the certificate. */
const tlsCode = /^(?:EPROTO|ERR_SSL_.*)$/;

/** The system's code (`ECONNREFUSED`, …) in the causes of an error of `fetch`. */
export function networkCode(error: unknown): string | undefined {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    const { code } = one as NodeJS.ErrnoException;
    if (
      typeof code === 'string' &&
      (/^(?:E[A-Z]+|(?:UND_ERR|CERT|ERR_TLS|ERR_SSL|UNABLE_TO)_[A-Z_]+)$/.test(code) ||
        (code.includes('SIGNED') && /^[A-Z_]+$/.test(code)))
    ) {
      return code;
    }
    if (one instanceof AggregateError && one.errors.length > 0) {
      const inner = networkCode(one.errors[0]);
      if (inner) {
        return inner;
      }
    }
  }
  return undefined;
}

/** Whether an open connection broke, so that the server may have received the request. */
export function isLostInFlight(error: unknown): boolean {
  const { syscall } = (error ?? {}) as NodeJS.ErrnoException;
  const code = networkCode(error) ?? '';
  // With EPROTO, what was written was the beginning of TLS, before any request.
  const isWritten = syscall === 'write' && code !== 'EPROTO';
  return syscall === 'read' || isWritten || ['ECONNRESET', 'EPIPE'].includes(code);
}

/** The failure of a `fetch` that did not reach `who`; undefined for any other error. */
export function unreachable(error: unknown, who = 'the server'): HostError | undefined {
  const code = networkCode(error);
  return code === undefined
    ? undefined
    : new HostError('unreachable', `${who} could not be reached: ${reasonOf(code)}`, { cause: error });
}

function reasonOf(code: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'no server listens at its address (ECONNREFUSED)';
    case 'ENOENT':
      return 'there is no socket at its address (ENOENT)';
    case 'EACCES':
      return 'you have no permission for its socket (EACCES)';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `its host was not found (${code})`;
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return `it doesn't speak TLS at this port (${code})`;
    default:
      return tlsCode.test(code)
        ? `no secure connection could be agreed on (${code})`
        : /CERT|SIGNED|UNABLE_TO|TLS/.test(code)
          ? `its certificate is not trusted (${code})`
          : code;
  }
}

/** Whether a failure to send a request may pass: then a stream is opened again later. */
export function mayPass({ code }: HostError): boolean {
  return code === 'unreachable' || code === 'timedOut' || code === 'signInRequired';
}
