import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { HostError } from '../../../../../src/host/errors/hostError.ts';
import type { Discovery } from '../../../../../src/host/auth/network/discovery.ts';
import { readBrowserAddress } from '../../../../../src/host/auth/network/browserAddress.ts';
import { MetadataBed, paths, type Answer } from '../../../support/metadataBed.ts';
import { connectionAttempts } from '../../../support/namesBed.ts';

type Fields = Readonly<Record<string, unknown>>;
const deep = (levels: number, open: string, close: string): string =>
  open.repeat(levels) + close.repeat(levels);
const huge = 'x'.repeat(100_000);
const many = Array.from({ length: 20_000 }, (_, one) => `s${one}`);

/** Names that a document can use, and where they lead. */
const names = {
  'login.corp': ['10.0.0.1'],
  'login.cloud': ['169.254.169.254'],
  'login.rebound': ['127.0.0.1', '169.254.169.254'],
  'xn--80ak6aa92e.com': ['10.0.0.1'],
};

/** Fields of the resource's metadata, and of the issuer's. */
const fields: Readonly<Record<string, { readonly resource?: Fields; readonly issuer?: Fields }>> = {
  'a list for the resource': { resource: { resource: ['x'] } },
  'an object for the resource': { resource: { resource: { toString: 'x' } } },
  'a number for the resource': { resource: { resource: 1 } },
  'null for the resource': { resource: { resource: null } },
  'an empty resource': { resource: { resource: '' } },
  'a huge resource': { resource: { resource: `https://x.example/${huge}` } },
  'the resource of another server': { resource: { resource: 'https://bank.example/' } },
  'a resource that parsers read differently': { resource: { resource: 'http://localhost\\@bank.example/' } },
  'a text for the issuers': { resource: { authorization_servers: 'https://x.example' } },
  'null for the issuers': { resource: { authorization_servers: null } },
  'null among the issuers': { resource: { authorization_servers: [null] } },
  'lists among the issuers': { resource: { authorization_servers: [['https://x.example']] } },
  'no text among the issuers': { resource: { authorization_servers: [''] } },
  'thousands of issuers': {
    resource: { authorization_servers: many.map((one) => `https://${one}.example`) },
  },
  'an issuer that is a script': { resource: { authorization_servers: ['javascript:alert(1)'] } },
  'an issuer that is a file': { resource: { authorization_servers: ['file:///etc/passwd'] } },
  'an issuer with credentials': { resource: { authorization_servers: ['https://a:b@login.corp'] } },
  'an issuer in a private network': { resource: { authorization_servers: ['https://login.corp'] } },
  'an issuer at a cloud’s metadata': { resource: { authorization_servers: ['http://169.254.169.254'] } },
  'an issuer in decimal': { resource: { authorization_servers: ['https://2852039166'] } },
  'an issuer mapped into IPv6': { resource: { authorization_servers: ['https://[::ffff:a9fe:a9fe]'] } },
  'an issuer that rebinds': { resource: { authorization_servers: ['https://login.rebound'] } },
  'an issuer with a look-alike name': { resource: { authorization_servers: ['https://аррӏе.com'] } },
  'an issuer with a bidirectional override': {
    resource: { authorization_servers: ['https://a\u202E.example'] },
  },
  'a huge issuer': { resource: { authorization_servers: [`https://${huge}.example`] } },
  'an issuer of many labels': { resource: { authorization_servers: [`https://${'a.'.repeat(900)}example`] } },
  'an issuer with a port that is none': { resource: { authorization_servers: ['https://login.corp:99999'] } },
  'scopes as a text': { resource: { scopes_supported: 'a b' } },
  'scopes that are numbers': { resource: { scopes_supported: [1, 2] } },
  'scopes with line breaks': { resource: { scopes_supported: ['a\r\nSet-Cookie: x'] } },
  'scopes with quotes': { resource: { scopes_supported: ['a"b'] } },
  'thousands of scopes': { resource: { scopes_supported: many } },
  'a huge scope': { resource: { scopes_supported: [huge] } },
  'a huge name': { resource: { resource_name: huge } },
  'an object for the issuer': { issuer: { issuer: {} } },
  'null for the issuer': { issuer: { issuer: null } },
  'another issuer': { issuer: { issuer: 'https://login.example' } },
  'no authorization endpoint': { issuer: { authorization_endpoint: undefined } },
  'a list for the authorization endpoint': { issuer: { authorization_endpoint: ['https://x.example'] } },
  'a script for the authorization endpoint': { issuer: { authorization_endpoint: 'javascript:alert(1)' } },
  'a command for the authorization endpoint': {
    issuer: { authorization_endpoint: 'https://x.example/$(calc)' },
  },
  'an option for the authorization endpoint': { issuer: { authorization_endpoint: '--gpu-launcher=calc' } },
  'a program for the authorization endpoint': { issuer: { authorization_endpoint: 'ms-msdt:/id' } },
  'a router for the authorization endpoint': { issuer: { authorization_endpoint: 'https://192.168.1.1/' } },
  'credentials in the authorization endpoint': {
    issuer: { authorization_endpoint: 'https://a:b@x.example/' },
  },
  'a huge authorization endpoint': { issuer: { authorization_endpoint: `https://x.example/${huge}` } },
  'null for the token endpoint': { issuer: { token_endpoint: null } },
  'http for the token endpoint': { issuer: { token_endpoint: 'http://x.example/' } },
  'an octal token endpoint': { issuer: { token_endpoint: 'https://012.0.0.1/' } },
  'a relative token endpoint': { issuer: { token_endpoint: '/token' } },
  'an object for response types': { issuer: { response_types_supported: { code: true } } },
  'a text for PKCE': { issuer: { code_challenge_methods_supported: 'S256' } },
  'an object that looks like a list for PKCE': {
    issuer: { code_challenge_methods_supported: { includes: true } },
  },
  'a text for iss': { issuer: { authorization_response_iss_parameter_supported: 'yes' } },
  'a script for registration': { issuer: { registration_endpoint: 'javascript:x' } },
  'thousands of unknown fields': { issuer: Object.fromEntries(many.map((one) => [one, 1])) },
  'names of methods': { resource: { toString: 'x', hasOwnProperty: 1 }, issuer: { valueOf: 1 } },
};

/** Whole responses, at the first place of the resource or of the issuer. */
const bodies: Readonly<Record<string, Answer>> = {
  'no JSON': { body: '{' },
  'a number': { body: '1' },
  'null alone': { body: 'null' },
  'a prototype': {
    body: '{"__proto__":{"resource":"x","polluted":true},"constructor":{"prototype":{"polluted":1}}}',
  },
  'duplicate keys': {
    body: '{"issuer":"https://a.example","issuer":"https://b.example","resource":"x","resource":null}',
  },
  'lists nested a hundred thousand times': { body: `{"resource":${deep(100_000, '[', ']')}}` },
  'objects nested fifty thousand times': { body: `{"issuer":${deep(50_000, '{"a":', '')}` },
  'an unfinished nest': { body: '['.repeat(1_000_000) },
  'half a million values': { body: `{"resource":[${'1,'.repeat(500_000)}1]}` },
  'two megabytes': { body: `{"resource":"${'x'.repeat(2 * 2 ** 20)}"}` },
  'bytes that are not UTF-8': { body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]).toString('latin1') },
  'a byte order mark': { body: '\uFEFF{}' },
  'a script': { body: 'alert(1)', headers: { 'content-type': 'text/javascript' } },
  'an unknown coding': { body: 'x', headers: { 'content-encoding': 'zstd' } },
  'a coding that is none': { body: '{}', headers: { 'content-encoding': 'gzip' } },
  'a redirect to a cloud’s metadata': {
    status: 302,
    headers: { location: 'http://169.254.169.254/' },
    body: '',
  },
  'a redirect to a private network': { status: 307, headers: { location: 'https://login.corp/' }, body: '' },
  'a redirect to itself': { status: 302, headers: { location: '' }, body: '' },
  'a redirect to a file': { status: 301, headers: { location: 'file:///etc/passwd' }, body: '' },
  'an unusual status': { status: 299, body: '[]' },
  'a status of 599': { status: 599, body: '{}' },
  'a status of 999': { status: 999, body: '{}' },
};

suite('Malicious metadata', () => {
  const attempts = connectionAttempts();
  let bed: MetadataBed;
  suiteSetup(async () => {
    bed = await MetadataBed.start();
  });
  suiteTeardown(() => bed.close());
  setup(() => bed.publish());
  teardown(() => {
    assert.equal(({} as { readonly polluted?: unknown }).polluted, undefined);
  });

  /** Discovers, and checks what must hold whatever the documents say. */
  const outcome = async (): Promise<Discovery | HostError> => {
    const found = await bed.discover({}, { names }).catch((error: unknown) => error as Error);
    assert.deepEqual(
      attempts.filter((one) => one !== '127.0.0.1'),
      [],
    );
    if (found instanceof Error) {
      assert.ok(found instanceof HostError, `${found.stack}`);
      assert.ok(['protocol', 'refused', 'unreachable', 'timedOut'].includes(found.code), found.code);
      assert.ok(found.message.length > 0 && found.message.length <= 2_000, `${found.message.length}`);
      assert.doesNotMatch(found.message, /\p{Cc}|\p{Cf}/u);
      return found;
    }
    assert.ok([bed.issuerUrl, `${bed.resourceOrigin}/`].includes(found.issuer), found.issuer);
    assert.ok(found.issuers.includes(found.issuer));
    assert.ok(found.resource === undefined || found.resourceIndicator === found.resource.resource);
    assert.ok(found.scope === undefined || /^[!-~]+( [!-~]+)*$/.test(found.scope));
    if (found.metadata) {
      readBrowserAddress(new URL(found.metadata.authorization_endpoint).href);
    }
    return found;
  };

  const set = (place: 'resource' | 'issuer', answer: Answer): void => {
    bed[place][place === 'resource' ? paths.ofServer : paths.oauth] = answer;
  };

  for (const [what, { resource = {}, issuer = {} }] of Object.entries(fields)) {
    test(`with ${what} does no harm (security, lines 9 and 10)`, async () => {
      bed.publish(resource, issuer);
      await outcome();
    });
  }

  for (const [what, answer] of Object.entries(bodies)) {
    test(`of ${what} does no harm (security, line 10)`, async () => {
      set('resource', answer);
      await outcome();
      bed.publish();
      set('issuer', answer);
      await outcome();
    });
  }

  test('has more than fifty kinds, and most of them fail', async () => {
    const kinds = Object.values(fields);
    assert.ok(kinds.length + Object.keys(bodies).length >= 50);
    let failed = 0;
    for (const { resource = {}, issuer = {} } of kinds) {
      bed.publish(resource, issuer);
      failed += (await outcome()) instanceof HostError ? 1 : 0;
    }
    assert.ok(failed >= 40, `${failed} of ${kinds.length}`);
  });

  test('is found although other fields are odd', async () => {
    bed.publish(
      { extra: { a: [null] } },
      { extra: 1, authorization_response_iss_parameter_supported: 'yes' },
    );
    assert.ok(!((await outcome()) instanceof HostError));
  });

  const address = fc.oneof(
    fc.constantFrom(
      'http://169.254.169.254/',
      'https://login.corp/',
      'https://login.cloud/x',
      'https://login.rebound/',
      '//login.corp',
      'javascript:alert(1)',
      'file:///x',
      'https://0xa9.0xfe.43518/',
      'https://[::ffff:10.0.0.1]/',
      'https://a:b@login.corp/',
    ),
    fc
      .ipV4()
      .filter(isNowhere)
      .map((one) => `https://${one}/`),
    fc.webUrl({ validSchemes: ['http', 'https'] }),
    fc.string({ unit: 'binary' }),
  );
  const value = fc.oneof(
    address,
    fc.array(address),
    fc.jsonValue(),
    fc.constantFrom(null, [], {}, '', 0, true),
  );
  const document = (named: readonly string[]) =>
    fc.dictionary(fc.oneof(fc.constantFrom(...named), fc.string(), fc.constant('__proto__')), value, {
      maxKeys: 6,
    });

  test('of any content ends with a result or a reason, and asks nobody else (security, line 10)', async () => {
    await fc.assert(
      fc.asyncProperty(
        document(['resource', 'authorization_servers', 'scopes_supported', 'resource_name']),
        document([
          'issuer',
          'authorization_endpoint',
          'token_endpoint',
          'registration_endpoint',
          'response_types_supported',
          'code_challenge_methods_supported',
          'scopes_supported',
        ]),
        async (resource, issuer) => {
          bed.publish(resource, issuer);
          await outcome();
        },
      ),
      { numRuns: 150 },
    );
  });
});

/** Whether an address is in a private or special network, so that a test never reaches out. */
function isNowhere(address: string): boolean {
  return /^(10|0|169\.254|192\.168|224|240)\./.test(address);
}
