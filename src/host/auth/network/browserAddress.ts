import { domainToUnicode } from 'node:url';
import { visibleText } from '../../../base/text/visibleText.ts';
import { HostError } from '../../errors/hostError.ts';

/** An address that may be opened in a browser, with its host as the browser connects to it and as people read it. */
export interface BrowserAddress {
  /** Prints as it was parsed: what is shown is what is opened. */
  readonly url: string;
  /** With its port, in ASCII: other alphabets as `xn--…` (punycode). */
  readonly host: string;
  /** The same with all alphabets; equal to `host` if it has only ASCII. */
  readonly readableHost: string;
}

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

/**
 * Reads an address that somebody else wrote and a browser will open: only web addresses (2026-07-28,
 * basic/authorization/security-considerations), no command, no option such as `-x`.
 *
 * @throws HostError `protocol`
 */
export function readBrowserAddress(text: string): BrowserAddress {
  const reason = unplainReason(text) ?? otherReason(text);
  if (reason !== undefined) {
    throw new HostError(
      'protocol',
      `the address for signing in ${reason}, and isn't opened; whoever runs the sign-in has to correct it`,
    );
  }
  const { host, hostname, port } = new URL(text);
  // Empty for a name that isn't valid punycode.
  const readable = domainToUnicode(hostname) || hostname;
  return { url: text, host, readableHost: visibleText(port === '' ? readable : `${readable}:${port}`) };
}

/** RFC 6749, 3.1: no fragment. What is shown must be what is opened. */
function otherReason(text: string): string | undefined {
  if (text.includes('#')) {
    return 'has a fragment';
  }
  return new URL(text).href === text ? undefined : "isn't in its normal form";
}
