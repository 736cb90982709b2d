import { BlockList, isIP } from 'node:net';

/** Where an address leads; `forbidden` ones are link-local, reserved or otherwise special. */
export type AddressKind = 'public' | 'loopback' | 'private' | 'shared' | 'benchmark' | 'forbidden';

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
 * The host of an address with its port, as the network has it: letters that look alike are distinguished (punycode).
 * Any other text as it is.
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
