import { kindOfAddress, literalOf, namesLoopback, type AddressKind } from '../../addresses/addressKind.ts';
import { MAX_ADDRESS } from '../../addresses/webAddress.ts';

/** Whether an address may be asked; `nearby` means that it depends on where the server itself is. */
export type AddressRule =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'nearby'; readonly of: AddressKind }
  /** `reason` is a clause that follows the address, such as "isn't https". */
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Whether a URL may be asked for the sign-in of `server`, before its name is resolved. All addresses are https (2026-07-28,
 * basic/authorization/security-considerations), except on the machine that the server is on, too.
 */
export function ruleForUrl(url: URL, server: URL): AddressRule {
  if (url.href.length > MAX_ADDRESS) {
    return refused(`is longer than ${MAX_ADDRESS.toLocaleString('en-US')} characters`);
  }
  if (url.username !== '' || url.password !== '') {
    return refused('contains a user name or a password');
  }
  if (url.protocol === 'http:') {
    // A name that leads to loopback by DNS could lead elsewhere next time: see `ruleForAddress`.
    const isNearby = namesLoopback(url) ? namesLoopback(server) : url.origin === server.origin;
    return isNearby ? { kind: 'nearby', of: 'loopback' } : refused("isn't https");
  }
  if (url.protocol !== 'https:') {
    return refused("isn't https");
  }
  const literal = literalOf(url);
  if (literal === undefined) {
    return namesLoopback(url) ? { kind: 'nearby', of: 'loopback' } : { kind: 'allowed' };
  }
  return ruleForKind(kindOfAddress(literal));
}

/** Whether a connection for a URL may be opened to this address, to which its name resolves. */
export function ruleForAddress(address: string, url: URL): AddressRule {
  const kind = kindOfAddress(address);
  return url.protocol === 'http:' && kind !== 'loopback' ? refused("isn't https") : ruleForKind(kind);
}

/** What is wrong with an address of that kind, for a server that isn't there itself. */
export function farAway(kind: AddressKind): string {
  switch (kind) {
    case 'loopback':
      return "is on this machine, and the server isn't";
    case 'private':
      return "is in a private network, and the server isn't";
    case 'shared':
      return "is in the network of a provider or VPN, and the server isn't";
    case 'benchmark':
      return "is in a network for tests, and the server isn't";
    case 'public':
    case 'forbidden':
      return 'leads to a link-local, reserved or otherwise special address';
  }
}

function ruleForKind(kind: AddressKind): AddressRule {
  switch (kind) {
    case 'public':
      return { kind: 'allowed' };
    case 'forbidden':
      return refused(farAway(kind));
    default:
      return { kind: 'nearby', of: kind };
  }
}

function refused(reason: string): AddressRule {
  return { kind: 'refused', reason };
}
