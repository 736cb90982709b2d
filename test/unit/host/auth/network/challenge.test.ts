import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parseChallenge } from '../../../../../src/host/auth/network/challenge.ts';
import type { Challenge } from '../../../../../src/host/auth/network/discovery.ts';
import { runs } from '../../../support/thoroughness.ts';

const url = 'https://mcp.example/.well-known/oauth-protected-resource';

suite('A challenge', () => {
  const cases: readonly (readonly [string, Challenge | undefined])[] = [
    [`Bearer resource_metadata="${url}"`, { resourceMetadataUrl: url }],
    [`bearer RESOURCE_METADATA="${url}"`, { resourceMetadataUrl: url }],
    [`BEARER resource_metadata = "${url}" , scope="a b"`, { resourceMetadataUrl: url, scope: 'a b' }],
    [`Bearer resource_metadata=${url}`, { resourceMetadataUrl: url }],
    [`DPoP algs="ES256", resource_metadata="${url}"`, { isDpop: true, resourceMetadataUrl: url }],
    ['Bearer', {}],
    ['Bearer realm="x"', {}],
    ['Bearer scope=read', { scope: 'read' }],
    ['Bearer scope="files:read files:write"', { scope: 'files:read files:write' }],
    [
      'Bearer error="insufficient_scope", error_description="Needs \\"write\\", and more", scope="w"',
      { error: 'insufficient_scope', errorDescription: 'Needs "write", and more', scope: 'w' },
    ],
    // A scheme before and after, with parameters and without.
    [`Basic realm="x", Bearer resource_metadata="${url}"`, { resourceMetadataUrl: url }],
    [`Negotiate, Bearer scope="a"`, { scope: 'a' }],
    [`Negotiate YWJj==, Bearer scope="a"`, { scope: 'a' }],
    [`Bearer scope="a", Basic realm="scope=b"`, { scope: 'a' }],
    [`Bearer scope="a", Basic scope="b"`, { scope: 'a' }],
    [`Digest qop="auth,auth-int", nonce="Bearer scope=z", Bearer scope="a"`, { scope: 'a' }],
    // Of several, the one with metadata, then Bearer.
    [`DPoP scope="d", Bearer scope="b"`, { scope: 'b' }],
    [`Bearer scope="b", DPoP resource_metadata="${url}"`, { resourceMetadataUrl: url }],
    [`Bearer scope="b", Bearer resource_metadata="${url}"`, { resourceMetadataUrl: url }],
    // What other parameters and quoted strings contain isn't a parameter.
    [`Bearer realm="scope=evil, resource_metadata=https://evil.example/", scope="a"`, { scope: 'a' }],
    [`Bearer x_scope="evil", scope="a"`, { scope: 'a' }],
    [`Bearer realm="a\\\\", scope="b"`, { scope: 'b' }],
    ['Bearer scope="first", scope="second"', { scope: 'first' }],
    // Separators.
    [` , ,Bearer   scope="a" ,, error="e",`, { scope: 'a', error: 'e' }],
    [`Bearer scope="a" error="e"`, { scope: 'a', error: 'e' }],
    [`Bearer\tscope="a"`, { scope: 'a' }],
    // What can't be read ends the list.
    ['Bearer scope="a", error="unfinished', { scope: 'a' }],
    ['Bearer scope=', {}],
    ['Bearer scope=""', {}],
    ['Bearer scope="a", @@@, error="x"', { scope: 'a' }],
    // Neither of them.
    ['', undefined],
    [',,,', undefined],
    ['Basic realm="Bearer"', undefined],
    ['Basic realm="x", Negotiate', undefined],
    ['Bearerscope="a"', undefined],
    ['scope="a"', undefined],
    // Values that are no use.
    ['Bearer resource_metadata="not an address"', {}],
    [`Bearer resource_metadata="https://mcp.example/${'x'.repeat(8_000)}"`, {}],
    [`Bearer scope="${'x'.repeat(8_001)}"`, {}],
    [`Bearer error_description="a\u202Eb"`, { errorDescription: String.raw`a\u{202E}b` }],
    ['Bearer __proto__="x", constructor="y", scope="a"', { scope: 'a' }],
  ];
  for (const [header, expected] of cases) {
    test(`is read from ${header.slice(0, 100)}`, () => {
      assert.deepEqual(parseChallenge(header), expected);
    });
  }

  test('is not read from no header', () => assert.equal(parseChallenge(undefined), undefined));

  test('has a bounded description that says where it was cut', () => {
    const { errorDescription = '' } =
      parseChallenge(`Bearer error_description="${'x'.repeat(10_000)}"`) ?? {};
    assert.equal(errorDescription, `${'x'.repeat(500)}…`);
  });

  test('is read from any text without an exception, in time in proportion to it', () => {
    const parts = fc.constantFrom('Bearer', ' ', ',', '=', '"', '\\', 'scope', 'a', '\t', 'DPoP', '@', '==');
    const headers = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(parts, { maxLength: 60 }).map((list) => list.join('')),
    );
    fc.assert(
      fc.property(headers, (header) => {
        parseChallenge(header);
      }),
      { numRuns: runs(500) },
    );
    for (const part of ['Bearer ', 'a=', ',', '"', '\\"', ' ', '=', 'a', 'a="', 'a ,', 'a/=']) {
      parseChallenge(`Bearer ${part.repeat(16_000)}`);
    }
  });
});
