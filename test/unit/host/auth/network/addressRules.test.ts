import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import * as fc from 'fast-check';
import {
  kindOfAddress,
  literalOf,
  namesLoopback,
  type AddressKind,
} from '../../../../../src/host/addresses/addressKind.ts';
import { ruleForAddress, ruleForUrl } from '../../../../../src/host/auth/network/addressRules.ts';

/** Hosts as a URL can have them, by where they lead. */
const hosts: Readonly<Record<AddressKind, readonly string[]>> = {
  public: [
    '8.8.8.8',
    '134744072',
    '0x08080808',
    '[2606:4700::1111]',
    '[::ffff:8.8.8.8]',
    '[64:ff9b::8.8.8.8]',
  ],
  loopback: [
    '127.0.0.1',
    '127.1',
    '127.255.255.254',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '１２７.０.０.１',
    '127。0。0。1',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::FFFF:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
  ],
  private: [
    '10.0.0.1',
    '10.255.255.255',
    '167772161',
    '0xa.1',
    '012.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '3232235777',
    '0300.0250.1.1',
    '[fd00::1]',
    '[fc00::1]',
    '[::ffff:10.0.0.1]',
    '[::ffff:c0a8:101]',
    '[64:ff9b::192.168.1.1]',
  ],
  shared: ['100.64.0.1', '100.127.255.255', '[::ffff:100.64.0.1]'],
  benchmark: ['198.18.0.1', '198.19.255.255', '[::ffff:198.18.0.1]'],
  forbidden: [
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::a9fe:a9fe]',
    '[fe80::1]',
    '[febf::1]',
    '[fec0::1]',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '0',
    '0.0.0.0',
    '0.1.2.3',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '192.0.2.1',
    '[::]',
    '[::127.0.0.1]',
    '[::10.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2001::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[ff02::1]',
    '[100::1]',
    '[5f00::1]',
  ],
};
const everywhere = Object.entries(hosts).flatMap(([kind, list]) =>
  list.map((host) => ({ host, kind: kind as AddressKind })),
);
const far = new URL('https://mcp.example/mcp');
const near = new URL('http://localhost:3000/mcp');

suite('The rules for addresses of a sign-in', () => {
  for (const { host, kind } of everywhere) {
    test(`recognize ${host} as ${kind}`, () => {
      const literal = literalOf(new URL(`https://${host}/`));
      assert.ok(literal !== undefined);
      assert.equal(kindOfAddress(literal), kind);
      assert.equal(namesLoopback(new URL(`https://${host}/`)), kind === 'loopback');
    });
  }

  test('refuse private, loopback and link-local addresses in any notation (security, line 10)', () => {
    for (const { host, kind } of everywhere) {
      const rule = ruleForUrl(new URL(`https://${host}/token`), far);
      const expected = kind === 'public' ? 'allowed' : kind === 'forbidden' ? 'refused' : 'nearby';
      assert.equal(rule.kind, expected, host);
      if (rule.kind === 'nearby') {
        assert.equal(rule.of, kind, host);
      }
    }
  });

  for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.b.localhost.']) {
    test(`take ${host} for this machine`, () => {
      assert.deepEqual(ruleForUrl(new URL(`https://${host}/`), far), { kind: 'nearby', of: 'loopback' });
      assert.equal(ruleForUrl(new URL(`http://${host}:81/`), far).kind, 'refused');
      assert.deepEqual(ruleForUrl(new URL(`http://${host}:81/`), near), { kind: 'nearby', of: 'loopback' });
    });
  }

  for (const host of ['notlocalhost', 'localhost.example', 'localhost..', 'metadata.google.internal']) {
    test(`take ${host} for a name like any other`, () => {
      assert.equal(namesLoopback(new URL(`https://${host}/`)), false);
      assert.equal(ruleForUrl(new URL(`https://${host}/`), far).kind, 'allowed');
      assert.equal(ruleForUrl(new URL(`http://${host}/`), near).kind, 'refused');
    });
  }

  test('allow http only on this machine, for a server that is there, too', () => {
    const allows = (url: string, server: string): boolean =>
      ruleForUrl(new URL(url), new URL(server)).kind !== 'refused';
    assert.ok(allows('http://127.0.0.1:9000/', 'http://localhost/mcp'));
    assert.ok(allows('http://[::1]:9000/', 'https://127.0.0.1/mcp'));
    assert.ok(!allows('http://127.0.0.1:9000/', 'https://mcp.example/mcp'));
    assert.ok(!allows('http://login.example/', 'http://mcp.example/mcp'));
    // The server's own origin: allowed only if its name leads to this machine.
    for (const origin of ['http://app.test', 'http://10.0.0.1']) {
      const rule = ruleForUrl(new URL(`${origin}/token`), new URL(`${origin}/mcp`));
      assert.deepEqual(rule, { kind: 'nearby', of: 'loopback' });
    }
    assert.equal(ruleForAddress('127.0.0.1', new URL('http://app.test/token')).kind, 'nearby');
    for (const address of ['8.8.8.8', '10.0.0.1', '169.254.169.254', '::']) {
      assert.equal(ruleForAddress(address, new URL('http://app.test/token')).kind, 'refused');
    }
  });

  for (const url of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'vscode://x/y',
    'ftp://mcp.example/',
    'ws://mcp.example/',
    'https://you@mcp.example/',
    'https://:secret@mcp.example/',
    `https://mcp.example/${'x'.repeat(8_000)}`,
  ]) {
    test(`refuse ${url.slice(0, 40)}`, () => {
      assert.equal(ruleForUrl(new URL(url), far).kind, 'refused');
      assert.equal(ruleForUrl(new URL(url), near).kind, 'refused');
    });
  }

  test('take what is no address for forbidden', () => {
    for (const text of ['', 'localhost', '127.0.0.1 ', '1.2.3', '[::1]', '::1%']) {
      assert.equal(kindOfAddress(text), isIP(text) === 0 ? 'forbidden' : 'loopback', text);
    }
    assert.equal(kindOfAddress('fe80::1%eth0'), 'forbidden');
  });

  test('are the same for an IPv4 address and each IPv6 address that leads to it', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ipv4) => {
        assert.equal(kindOfAddress(`::ffff:${ipv4}`), kindOfAddress(ipv4));
        assert.equal(kindOfAddress(`64:ff9b::${ipv4}`), kindOfAddress(ipv4));
        const number = ipv4.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
        assert.equal(literalOf(new URL(`https://${number}/`)), ipv4);
      }),
    );
  });

  test('allow no IPv6 address outside global unicast', () => {
    fc.assert(
      fc.property(fc.ipV6(), (ipv6) => {
        const canonical = literalOf(new URL(`https://[${ipv6}]/`)) ?? '';
        const isUnicast = /^[23][0-9a-f]{3}:/.test(canonical);
        const leadsToIpv4 = /^(::ffff:|64:ff9b::)/.test(canonical);
        assert.ok(isUnicast || leadsToIpv4 || kindOfAddress(canonical) !== 'public', canonical);
      }),
    );
  });
});
