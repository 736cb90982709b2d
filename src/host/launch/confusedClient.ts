import { visibleText } from '../../base/text/visibleText.ts';
import type { HttpServerDefinition } from '../config/serverDefinition.ts';
import { loadPublicSuffixes } from './loadPublicSuffixes.ts';

/**
 * Why signing in is refused, as a clause that also says what to do; undefined if it isn't. A file of a workspace could
 * name an attacker's server, a big issuer, and the public client of another app there: the issuer would ask you to let
 * that app in, and its token, which often names no audience, would go to the attacker's server. So a client that this
 * kind of file brings is used only where issuer and server are the same site.
 *
 * @param definition with its variables replaced.
 */
export function confusedClient(
  { url, oauth, origin }: HttpServerDefinition,
  issuer: string,
): string | undefined {
  const brings =
    oauth?.clientId !== undefined ||
    oauth?.clientSecret !== undefined ||
    oauth?.privateKey !== undefined ||
    oauth?.clientMetadataUrl !== undefined;
  if (origin.scope === 'user' || !brings || isSameSite(issuer, url)) {
    return undefined;
  }
  const [ofIssuer, ofServer] = [issuer, url].map((one) => visibleText(URL.parse(one)?.host ?? one));
  return (
    `the client that a file of the workspace names can't be used: a token from ${ofIssuer} would go to ${ofServer}, ` +
    'which is another site; if you trust both, define the server in your user settings'
  );
}

/** Whether two addresses have the same registrable domain; this machine, IP addresses and plain names compare by host. */
function isSameSite(one: string, other: string): boolean {
  const [first, second] = [one, other].map(siteOf);
  return first !== undefined && first === second;
}

function siteOf(address: string): string | undefined {
  const host = URL.parse(address)?.hostname.replace(/\.$/, '');
  if (host === undefined || host === '') {
    return undefined;
  }
  // Two customers of one provider, such as under github.io, are two sites.
  return loadPublicSuffixes().getDomain(host, { allowPrivateDomains: true }) ?? host;
}
