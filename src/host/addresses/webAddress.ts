import { domainToUnicode } from 'node:url';
import { visibleText } from '../../base/text/visibleText.ts';
import { kindOfAddress, literalOf, namesLoopback } from './addressKind.ts';

/** An address that may be opened in a browser, with its host as the browser connects to it and as people read it. */
export interface WebAddress {
  /** Prints as it was parsed: what is shown is what is opened. */
  readonly url: string;
  /** With its port, in ASCII: other alphabets as `xn--…` (punycode). */
  readonly host: string;
  /** The same with all alphabets; equal to `host` if it has only ASCII. */
  readonly readableHost: string;
}

/** Opens addresses in your browser. */
export interface AddressOpener {
  /** Opens an address, without a shell; false if the editor could not. */
  open(url: string): Promise<boolean>;
}

/** Characters of an address that a server names: browsers and servers accept hardly more. */
export const MAX_ADDRESS = 8_000;

/** The characters of a URI (RFC 3986, 2). */
const uri = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/;

/**
 * Why a text isn't a web address that every parser reads in the same way, as a clause that follows it; undefined if it is
 * one. Quotes nothing after the scheme, which can be secret.
 */
export function unplainReason(text: string): string | undefined {
  const [, scheme] = /^([a-z][a-z0-9+.-]{0,30}):/i.exec(text) ?? [];
  if (scheme === undefined || !URL.canParse(text)) {
    return "isn't a web address";
  }
  if (!/^https?:\/\//.test(text)) {
    return `isn't a web address, but begins with '${scheme}:'`;
  }
  const { username, password } = new URL(text);
  if (username !== '' || password !== '') {
    return 'contains a user name or a password';
  }
  // `$(` begins a command in the shells of all systems (CVE-2025-6514).
  return uri.test(text) && !text.includes('$(') ? undefined : 'has characters that no web address needs';
}

/** Why an address that a server names must not be opened, as a clause that follows it; undefined if it may be. */
export function refusedReason(text: string): string | undefined {
  const reason = unplainReason(text);
  if (reason !== undefined) {
    return reason;
  }
  const url = new URL(text);
  if (url.href.length > MAX_ADDRESS) {
    return 'is too long';
  }
  if (url.protocol !== 'https:' && !namesLoopback(url)) {
    return "isn't https";
  }
  const literal = literalOf(url);
  return literal !== undefined && kindOfAddress(literal) === 'forbidden'
    ? 'leads to a link-local, reserved or otherwise special address'
    : undefined;
}

/** A web address in the form that the URL parser gives it. */
export function webAddressOf({ href, host, hostname, port }: URL): WebAddress {
  // Empty for a name that isn't valid punycode.
  const readable = domainToUnicode(hostname) || hostname;
  return { url: href, host, readableHost: visibleText(port === '' ? readable : `${readable}:${port}`) };
}
