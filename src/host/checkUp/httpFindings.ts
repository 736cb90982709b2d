import { connect, type TLSSocket } from 'node:tls';
import { unlessAborted } from '../../base/lifetime/cancellation.ts';
import { capitalized } from '../../base/text/words.ts';
import { literalOf } from '../addresses/addressKind.ts';
import { accountSummary, shownAccount } from '../auth/accountText.ts';
import type { ServerDefinition } from '../config/serverDefinition.ts';
import { hasHeader } from '../config/tokenText.ts';
import { signInWords } from '../connection/stateWords.ts';
import { messageOf } from '../errors/hostError.ts';
import type { HostServer } from '../servers/mcpHost.ts';
import { networkCode, unreachable } from '../transport/http/networkFailure.ts';
import type { HttpFacts } from '../transport/http/httpTransport.ts';
import type { Finding } from './checkStep.ts';

/** Milliseconds that a handshake of TLS may take. */
const TLS_MS = 10_000;

/**
 * Whether the server proves who it is: a handshake of TLS, after which nothing is sent. Undefined for an address without
 * TLS, and behind a proxy, which alone may reach the server.
 *
 * @throws CancellationError when the signal aborted.
 */
export async function tlsFinding(
  address: string,
  isBehindProxy: boolean,
  signal: AbortSignal,
): Promise<Finding | undefined> {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' || isBehindProxy) {
    return undefined;
  }
  const literal = literalOf(url);
  const socket = connect({
    host: literal ?? url.hostname,
    port: Number(url.port || 443),
    // Only a name can be asked for (RFC 6066, 3).
    ...(literal === undefined && { servername: url.hostname }),
  });
  try {
    await unlessAborted(whenSecure(socket), signal);
    const { issuer, valid_to: end } = socket.getPeerCertificate();
    const by = [issuer.O, issuer.CN].filter(Boolean).join(', ') || 'an authority without a name';
    const text = `${socket.getProtocol() ?? 'TLS'}. Its certificate is from ${by}, and valid until ${end}.`;
    return { outcome: 'ok', text };
  } catch (error) {
    if (signal.aborted) {
      throw error;
    }
    const { message } = unreachable(error) ?? { message: messageOf(error) };
    const advice = tlsAdvice(error);
    return { outcome: 'failed', text: `${capitalized(message)}.`, ...(advice && { advice }) };
  } finally {
    socket.destroy();
  }
}

function whenSecure(socket: TLSSocket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once('secureConnect', resolve);
  socket.once('error', reject);
  socket.setTimeout(TLS_MS, () => reject(new Error(`No answer within ${TLS_MS / 1_000} s`)));
  return promise;
}

/** What to do about a handshake that failed; undefined where only the network failed, as the first step says. */
function tlsAdvice(error: unknown): string | undefined {
  const code = networkCode(error) ?? '';
  switch (code) {
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return 'Use the port at which it speaks TLS, or http: in its address if you trust the network.';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'Its certificate is for another host: use that host in its address.';
    case 'CERT_HAS_EXPIRED':
      return 'Its certificate has expired: whoever runs the server has to renew it.';
    default:
      return /SIGNED|UNABLE_TO/.test(code)
        ? 'Add the certificate of the authority that issued it to those of your system, and load the window again.'
        : undefined;
  }
}

/** How a running server over HTTP answers. */
export function transportFinding({ name, answer }: HttpFacts): Finding {
  const { status, type = 'none' } = answer ?? {};
  const last =
    answer === undefined ? '' : ` Its last answer had the status ${status} and the content type ${type}.`;
  return { outcome: 'ok', text: `${name}.${last}` };
}

/** Of a legacy server: revision 2026-07-28 has no sessions. */
export function sessionFinding({ sessionId, stream }: HttpFacts): Finding {
  const given =
    sessionId === undefined
      ? 'It has given no session: each request stands alone.'
      : 'It has given a session, which each request carries.';
  return { outcome: 'ok', text: stream === undefined ? 'Its event stream is the session.' : given };
}

/** Of a legacy server; undefined over HTTP+SSE, which has no other stream. */
export function streamFinding({ stream }: HttpFacts): Finding | undefined {
  switch (stream) {
    case undefined:
      return undefined;
    case 'open':
      return { outcome: 'ok', text: 'Its event stream for messages of its own is open.' };
    case 'none':
      return {
        outcome: 'ok',
        text: 'It has no event stream for messages of its own, so it can say and ask something only during a request.',
      };
    case 'opening':
      return { outcome: 'noted', text: 'Its event stream for messages of its own is being opened.' };
    case 'down':
      return {
        outcome: 'noted',
        text: 'Its event stream for messages of its own broke, and is being opened again. What it says meanwhile is lost.',
        action: { kind: 'log' },
      };
  }
}

/** What its requests carry that says who you are. */
export async function signInFinding({ connection, signIn }: HostServer): Promise<Finding> {
  const { definition, state } = connection;
  if (state.kind === 'running' && state.signIn) {
    const { label } = signInWords(state.signIn);
    return { outcome: 'failed', text: `${label}.`, action: { kind: 'signIn' } };
  }
  const account = await signIn?.account();
  return {
    outcome: 'ok',
    text: account
      ? `Its requests carry your account: ${accountSummary(shownAccount(account))}.`
      : hasAuthorization(definition)
        ? 'Its requests carry the Authorization header of its definition.'
        : 'Its requests carry no account, and it requires none.',
  };
}

function hasAuthorization(definition: ServerDefinition): boolean {
  return definition.type !== 'stdio' && hasHeader(definition.headers, 'Authorization');
}
