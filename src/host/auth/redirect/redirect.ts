import type { AddressOpener } from '../../addresses/webAddress.ts';
import { HostError } from '../../errors/hostError.ts';
import { errorCodeOf } from '../../../base/values/errorCode.ts';
import { isLoopbackHost } from '../../../base/values/loopback.ts';
import { isNoAddress, RedirectListener } from './redirectListener.ts';

const DEFAULT_PATH = '/callback';

/** The browser in which you sign in. */
export interface Browser extends AddressOpener {
  /**
   * The address under which a browser reaches a loopback address of this machine: the same on a desktop, another one
   * where the editor forwards ports.
   */
  externalUri(uri: string): Promise<string>;
}

/** Where the answer should come to. */
interface RedirectRequest {
  /** What the definition says. */
  readonly fixed: string | undefined;
  /** What is registered at the issuer. */
  readonly before: string | undefined;
}

/** Where the answer of a sign-in comes to. */
export interface Redirect {
  /** What the issuer gets, character by character. */
  readonly uri: string;
  /** Undefined if the address isn't on this machine: then only a pasted answer arrives. */
  readonly listener: RedirectListener | undefined;
}

/** Whether a redirect is on this machine (RFC 8252, 7.3). */
export function isLoopbackUri(uri: string): boolean {
  const { protocol, hostname = '' } = URL.parse(uri) ?? {};
  return protocol === 'http:' && isLoopbackHost(hostname);
}

/**
 * Listens for the answer before the issuer gets the address: at the address that is registered, else at a free port. A
 * port that is taken is replaced if the issuer accepts another one.
 *
 * @throws HostError `signInRequired` if the answer can only come to a port that is taken.
 */
export async function openRedirect(
  { fixed, before }: RedirectRequest,
  browser: Pick<Browser, 'externalUri'>,
): Promise<Redirect> {
  if (fixed !== undefined) {
    return fixedRedirect(fixed);
  }
  const listener = await listenAt(before);
  try {
    const uri = await browser.externalUri(listener.uri);
    // 2025-03-26, basic/authorization: redirect URIs are on this machine, or https.
    if (isLoopbackUri(uri) || URL.parse(uri)?.protocol === 'https:') {
      return { uri, listener };
    }
    throw new HostError(
      'signInRequired',
      'a browser reaches this machine only without encryption, so that you cannot sign in; open the editor over https',
    );
  } catch (error) {
    listener.dispose();
    throw error;
  }
}

async function fixedRedirect(uri: string): Promise<Redirect> {
  if (!isLoopbackUri(uri)) {
    return { uri, listener: undefined };
  }
  const { port, pathname: path, hostname } = new URL(uri);
  const addresses = addressesOf(hostname);
  try {
    return { uri, listener: await RedirectListener.listen({ port: Number(port || 80), path, addresses }) };
  } catch (error) {
    const code = errorCodeOf(error) ?? 'unknown';
    const why = isNoAddress(error)
      ? `this machine has no address ${hostname} (${code}); use localhost or 127.0.0.1 in "redirectUri"`
      : `the port can't be used (${code}); close the program that uses it, or change "redirectUri"`;
    throw new HostError('signInRequired', `the answer of the browser can't arrive at ${uri}: ${why}`, {
      cause: error,
    });
  }
}

/** Where a browser looks for a host of this machine. A name leads to both addresses, and no other program may have one. */
function addressesOf(hostname: string): readonly string[] {
  if (hostname === '[::1]') {
    return ['::1'];
  }
  return hostname.startsWith('127.') ? [hostname] : ['127.0.0.1', '::1'];
}

/** At the port of an earlier registration, because many issuers compare ports; at any other if that is taken. */
async function listenAt(before: string | undefined): Promise<RedirectListener> {
  if (before !== undefined && isLoopbackUri(before)) {
    const { port, pathname: path } = new URL(before);
    try {
      return await RedirectListener.listen({ port: Number(port || 80), path });
    } catch {
      // Registered again with another one.
    }
  }
  return RedirectListener.listen({ port: 0, path: DEFAULT_PATH });
}
