import { BlockList, isIP } from 'node:net';

/**
 * Where an address leads. A server that is in one of the kinds before `forbidden` may name addresses of that kind for
 * sign-in, such as an issuer inside an intranet; nobody may name a `forbidden` one.
 */
export type AddressKind = 'public' | 'loopback' | 'private' | 'shared' | 'benchmark' | 'forbidden';

/** Whether an address may be asked; `nearby` means that it depends on where the server itself is. */
export type AddressRule =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'nearby'; readonly of: AddressKind }
  /** `reason` is a clause that follows the address, such as "isn't https". */
  | { readonly kind: 'refused'; readonly reason: string };

/** Characters of an address that a server names: browsers and servers accept hardly more. */
const MAX_ADDRESS = 8_000;

/** Prefixes under which an IPv6 address leads to an IPv4 address: RFC 4291, 2.5.5.2, and RFC 6052 (NAT64). */
const wrappers = ['::ffff:', '64:ff9b::'];

/**
 * The address blocks of IANA's registries of special purpose, in Node's own `BlockList`, which compares addresses as
 * numbers: the notation doesn't matter, because URLs and `lookup` have brought it into one form. Metadata services of
 * clouds count as forbidden wherever they are: 168.63.129.16 (Azure), 100.100.100.200 (Alibaba), fd00:ec2::254 (AWS),
 * fd20:ce::254 (Google); the others are link-local.
 */
const blocks: readonly (readonly [AddressKind, BlockList])[] = [
  [
    'forbidden',
    blockList(
      '0.0.0.0/8 169.254.0.0/16 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32 100.100.100.200/32',
      'fd00:ec2::254/128 fd20:ce::254/128 2001::/23 2001:db8::/32 2002::/16 3fff::/20',
    ),
  ],
  ['loopback', blockList('127.0.0.0/8', '::1/128')],
  ['private', blockList('10.0.0.0/8 172.16.0.0/12 192.168.0.0/16', 'fc00::/7')],
  // Carriers and VPNs (RFC 6598), and what proxies that answer for any name use (RFC 2544).
  ['shared', blockList('100.64.0.0/10')],
  ['benchmark', blockList('198.18.0.0/15')],
];
/** Global unicast (RFC 4291, 2.4), and NAT64: anything else of IPv6 is special or unassigned. */
const unicast = blockList('', '2000::/3 64:ff9b::/96 ::ffff:0:0/96');

/** The kind of an IP address without brackets, as `lookup` or a URL has it; `forbidden` for any other text. */
export function kindOfAddress(address: string): AddressKind {
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  if (isIP(address) === 0) {
    return 'forbidden';
  }
  const [kind] = blocks.find(([, list]) => list.check(address, family)) ?? [];
  return kind ?? (family === 'ipv4' || unicast.check(address, family) ? 'public' : 'forbidden');
}

/** The IP address of a URL's host, in whichever notation it was written; undefined for a name. */
export function literalOf({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? undefined : bare;
}

/**
 * The host of an address with its port, as the network has it: letters that look alike are told apart (punycode). Any
 * other text as it is.
 */
export function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address;
}

/** Whether a URL names this machine: an address of loopback, or `localhost` (RFC 6761, 6.3). */
export function namesLoopback(url: URL): boolean {
  const literal = literalOf(url);
  return literal === undefined
    ? /(^|\.)localhost\.?$/.test(url.hostname)
    : kindOfAddress(literal) === 'loopback';
}

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

/** Blocks in the notation `address/bits`, separated by spaces; those of IPv4 also as IPv6 addresses that lead there. */
function blockList(ipv4: string, ipv6 = ''): BlockList {
  const list = new BlockList();
  for (const [net = '', bits] of partsOf(ipv4)) {
    list.addSubnet(net, Number(bits), 'ipv4');
    wrappers.forEach((wrapper) => list.addSubnet(`${wrapper}${net}`, 96 + Number(bits), 'ipv6'));
  }
  for (const [net = '', bits] of partsOf(ipv6)) {
    list.addSubnet(net, Number(bits), 'ipv6');
  }
  return list;
}

function partsOf(text: string): readonly (readonly string[])[] {
  return text
    .split(' ')
    .filter(Boolean)
    .map((block) => block.split('/'));
}
