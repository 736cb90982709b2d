import assert from 'node:assert/strict';
import { OtherResource } from '../../../../../src/host/auth/network/discovery.ts';
import { HostError, type HostErrorCode } from '../../../../../src/host/errors/hostError.ts';
import { MetadataBed, paths } from '../../../support/metadataBed.ts';
import { connectionAttempts } from '../../../support/namesBed.ts';
import { perTest } from '../../../support/perTest.ts';

suite('Discovery of a sign-in', () => {
  let bed: MetadataBed;
  perTest(async () => (bed = await MetadataBed.start()));

  const fails = (found: Promise<unknown>, words: RegExp, code: HostErrorCode = 'protocol', of = '') =>
    assert.rejects(
      found.then((one) => assert.fail(`${of} ${JSON.stringify(one)}`)),
      (error) => {
        assert.ok(error instanceof HostError, String(error));
        assert.match(error.message, words);
        assert.equal(error.code, code);
        return true;
      },
    );

  suite('finds the metadata of the resource', () => {
    test('at the address in the challenge, and nowhere else', async () => {
      bed.publish();
      bed.resource['/meta?a=b'] = bed.protectedResource({ scopes_supported: ['from-header'] });
      const { scope } = await bed.discover({
        challenge: { resourceMetadataUrl: `${bed.resourceOrigin}/meta?a=b` },
      });
      assert.equal(scope, 'from-header');
      assert.deepEqual(bed.asked[0], ['/meta?a=b']);
    });

    test('at the well-known path of the address, then of the root', async () => {
      bed.issuer[paths.oauth] = bed.metadataOf();
      bed.resource[paths.ofRoot] = bed.protectedResource();
      assert.equal((await bed.discover()).issuer, bed.issuerUrl);
      assert.deepEqual(bed.asked[0], [paths.ofServer, paths.ofRoot]);
    });

    for (const [what, answer] of [
      ['a page', { body: '<html>', headers: { 'content-type': 'text/html' } }],
      ['a list', { json: [] }],
      ['a text', { json: 'x' }],
      ['nothing', { body: '' }],
      ['401', { status: 401, body: '' }],
      ['403', { status: 403, body: '{}' }],
      ['405', { status: 405, body: '' }],
    ] as const) {
      test(`behind ${what} at the first place`, async () => {
        bed.issuer[paths.oauth] = bed.metadataOf();
        bed.resource[paths.ofServer] = answer;
        bed.resource[paths.ofRoot] = bed.protectedResource();
        const found = await bed.discover().then(({ issuer }) => issuer);
        // The SDK looks at the root only after a refusal, which a document of another kind becomes.
        assert.equal(found, bed.issuerUrl);
      });
    }

    for (const empty of [null, '', []]) {
      test(`with members that are ${JSON.stringify(empty)}`, async () => {
        bed.publish(
          { scopes_supported: empty, jwks_uri: empty, resource_name: empty },
          {
            registration_endpoint: empty,
            scopes_supported: empty,
            service_documentation: empty,
            jwks_uri: empty,
            response_types_supported: empty,
            token_endpoint_auth_methods_supported: empty,
          },
        );
        const { metadata, resource } = await bed.discover();
        assert.equal(metadata?.registration_endpoint, undefined);
        assert.deepEqual(metadata?.response_types_supported, ['code']);
        assert.equal(resource?.scopes_supported, undefined);
      });

      test(`not where what protects you is ${JSON.stringify(empty)}`, async () => {
        bed.publish({ resource: empty });
        await fails(bed.discover(), /malformed metadata/);
        bed.publish({}, { issuer: empty });
        await fails(bed.discover(), /malformed metadata|metadata of another issuer/);
        bed.publish({}, { code_challenge_methods_supported: empty });
        const found = await bed.discover().catch((error: unknown) => String(error));
        assert.ok(typeof found === 'string' ? /malformed metadata/.test(found) : !found.hasPkce);
      });
    }

    test('with members that nothing reads and that are malformed', async () => {
      bed.publish({ jwks_uri: 'none', resource_policy_uri: 5 }, { jwks_uri: 5, op_tos_uri: 'none' });
      assert.equal((await bed.discover()).issuer, bed.issuerUrl);
    });

    test('not where it fails for now, or where the challenge names nothing', async () => {
      bed.publish();
      bed.resource[paths.ofServer] = { status: 503, body: '' };
      await assert.rejects(bed.discover(), { code: 'refused', status: 503 });
      const challenge = { resourceMetadataUrl: `${bed.resourceOrigin}/gone` };
      await assert.rejects(bed.discover({ challenge }), { code: 'refused', status: 404 });
    });
  });

  suite('finds the metadata of the issuer', () => {
    for (const path of [
      '/.well-known/oauth-authorization-server/a/b',
      '/.well-known/openid-configuration/a/b',
      '/a/b/.well-known/openid-configuration',
    ]) {
      test(`at ${path}`, async () => {
        const issuer = `${bed.issuerUrl}/a/b`;
        bed.resource[paths.ofServer] = bed.protectedResource({ authorization_servers: [issuer] });
        bed.issuer[path] = bed.metadataOf(issuer, {
          jwks_uri: `${issuer}/jwks`,
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        });
        const found = await bed.discover();
        assert.equal(found.issuer, issuer);
        assert.equal(found.metadata?.token_endpoint, `${issuer}/token`);
        assert.equal(bed.asked[1]?.at(-1), path);
      });
    }

    test('in that order', async () => {
      const issuer = `${bed.issuerUrl}/a`;
      bed.resource[paths.ofServer] = bed.protectedResource({ authorization_servers: [issuer] });
      await fails(bed.discover(), /publishes no metadata/);
      assert.deepEqual(bed.asked[1], [
        '/.well-known/oauth-authorization-server/a',
        '/.well-known/openid-configuration/a',
        '/a/.well-known/openid-configuration',
      ]);
    });

    test('behind a page at the first place', async () => {
      bed.publish();
      bed.issuer[paths.openid] = bed.metadataOf(bed.issuerUrl, {
        jwks_uri: `${bed.issuerUrl}/jwks`,
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      });
      bed.issuer[paths.oauth] = { body: '<!doctype html>' };
      assert.equal((await bed.discover()).issuer, bed.issuerUrl);
    });

    test('of the server itself, without metadata of the resource (2025-03-26)', async () => {
      bed.resource[paths.oauth] = bed.metadataOf(bed.resourceOrigin);
      const found = await bed.discover();
      assert.equal(found.issuer, bed.resourceOrigin);
      assert.deepEqual(found.issuers, [bed.resourceOrigin]);
      assert.equal(found.resource, undefined);
      assert.equal(found.resourceIndicator, undefined);
      assert.equal(found.hasPkce, true);
    });

    test('not at all, where a server of 2025-03-26 has none', async () => {
      const found = await bed.discover({ challenge: { scope: 'a' } });
      assert.equal(found.metadata, undefined);
      assert.equal(found.issuer, `${bed.resourceOrigin}/`);
      assert.equal(found.hasPkce, false);
      assert.equal(found.scope, 'a');
      assert.deepEqual(bed.asked, [[paths.ofServer, paths.ofRoot, paths.oauth, paths.openid], []]);
    });

    test('not where it fails for now', async () => {
      bed.publish();
      bed.issuer[paths.oauth] = { status: 500, body: '' };
      await assert.rejects(bed.discover(), { code: 'refused', status: 500 });
    });

    test('not if it is that of another issuer (security, line 11)', async () => {
      for (const issuer of ['https://login.example', `${bed.issuerUrl}/other`, bed.issuerUrl.toUpperCase()]) {
        bed.publish({}, { issuer });
        await fails(bed.discover(), /'localhost:\d+' of 'localhost:\d+' has metadata of another issuer/);
      }
    });
  });

  suite('selects the issuer', () => {
    test('that the server names first, or the definition among them', async () => {
      const [first, second] = [`${bed.issuerUrl}/first`, `${bed.issuerUrl}/second`];
      bed.resource[paths.ofServer] = bed.protectedResource({ authorization_servers: [first, second] });
      for (const issuer of [first, second]) {
        bed.issuer[`${paths.oauth}${new URL(issuer).pathname}`] = bed.metadataOf(issuer);
      }
      assert.equal((await bed.discover()).issuer, first);
      const chosen = await bed.discover({ issuer: `${second}/` });
      assert.equal(chosen.issuer, second);
      assert.deepEqual(chosen.issuers, [first, second]);
      await fails(
        bed.discover({ issuer: 'https://login.example' }),
        /'login\.example' in the definition/,
        'invalidDefinition',
      );
    });

    test('of the server itself if the metadata names none', async () => {
      bed.resource[paths.oauth] = bed.metadataOf(bed.resourceOrigin);
      for (const none of [undefined, []]) {
        bed.resource[paths.ofServer] = bed.protectedResource({ authorization_servers: none });
        const found = await bed.discover();
        assert.equal(found.issuer, bed.resourceOrigin);
        assert.equal(found.resourceIndicator, bed.serverUrl);
      }
    });

    test('with or without a slash at its end, as its own metadata has it', async () => {
      bed.resource[paths.ofServer] = bed.protectedResource({ authorization_servers: [`${bed.issuerUrl}/`] });
      bed.issuer[paths.oauth] = bed.metadataOf();
      const found = await bed.discover({ issuer: bed.issuerUrl });
      assert.equal(found.issuer, bed.issuerUrl);
      assert.deepEqual(found.issuers, [bed.issuerUrl]);
    });
  });

  suite('takes as the resource', () => {
    for (const suffix of ['/mcp', '', '/']) {
      test(`the server with '${suffix}', character by character`, async () => {
        const resource = `${bed.resourceOrigin}${suffix}`;
        bed.publish({ resource });
        assert.equal((await bed.discover()).resourceIndicator, resource);
      });
    }

    test('no other server (security, line 11)', async () => {
      const { host } = new URL(bed.resourceOrigin);
      for (const resource of [
        'https://other.example/mcp',
        bed.issuerUrl,
        `https://${host}/mcp`,
        `${bed.resourceOrigin}/other`,
        `${bed.resourceOrigin}/mcp/more`,
        `${bed.resourceOrigin}/mc`,
        `${bed.resourceOrigin}/mcp/`,
        `${bed.serverUrl}#fragment`,
        `http://you@${host}/mcp`,
        `http://${host}\\@other.example/mcp`,
        `http:/${host}/mcp`,
        `http:${host}/mcp`,
        `http://${host}/m\u200Bcp`,
        `${bed.resourceOrigin}/?${'x'.repeat(2_000)}`,
        'urn:mcp',
      ]) {
        bed.publish({ resource });
        await fails(bed.discover(), /for another server|malformed metadata/, 'protocol', resource);
      }
    });
  });

  suite('names the address that a server claims, and offers it', () => {
    const rows: readonly (readonly [server: string, claimed: string, isOffered: boolean])[] = [
      ['/mcp', '/mcp/', true],
      ['/mcp', 'http://127.0.0.1:PORT/mcp', true],
      ['/mcp', 'http://[::1]:PORT/mcp/', true],
      ['/mcp', 'https://localhost:PORT/mcp', true],
      ['/mcp', 'http://localhost:1/mcp', false],
      ['/mcp', 'https://localhost/mcp', false],
      ['/mcp', 'http://127.0.0.2:PORT/mcp', false],
      ['/mcp', 'http://sub.localhost:PORT/mcp', false],
      ['/mcp', 'https://mcp.example:PORT/mcp', false],
      ['/mcp', '/mcp/more', false],
      ['/mcp', '/mcp//', false],
      ['/mcp', 'http://you@localhost:PORT/mcp/', false],
    ];
    for (const [server, claimed, isOffered] of rows) {
      test(`${isOffered ? 'for' : 'not for'} ${claimed}`, async () => {
        const { port } = new URL(bed.resourceOrigin);
        const resource = claimed.startsWith('/')
          ? `${bed.resourceOrigin}${claimed}`
          : claimed.replace('PORT', port);
        bed.publish({ resource });
        await assert.rejects(bed.discover({}, { url: `${bed.resourceOrigin}${server}` }), (error) => {
          assert.ok(error instanceof OtherResource, String(error));
          assert.ok(error.message.includes(`for another server ('${resource}')`), error.message);
          assert.equal(error.address, isOffered ? resource : undefined);
          return true;
        });
      });
    }

    test('not without encryption for one that has it', () => {
      const error = new OtherResource(new URL('https://mcp.example/mcp'), 'http://mcp.example/mcp', true);
      assert.equal(error.address, undefined);
      const safer = new OtherResource(new URL('http://mcp.example/mcp'), 'https://mcp.example/mcp', true);
      assert.equal(safer.address, 'https://mcp.example/mcp');
    });
  });

  suite('says', () => {
    for (const [methods, expected] of [
      [['S256'], true],
      [['plain', 'S256'], true],
      [['plain'], false],
      [['s256'], false],
      [[], false],
      [undefined, false],
    ] as const) {
      test(`that PKCE is ${expected ? '' : 'not '}supported for ${JSON.stringify(methods)} (security, line 11)`, async () => {
        bed.publish({}, { code_challenge_methods_supported: methods });
        assert.equal((await bed.discover()).hasPkce, expected);
      });
    }

    const scopes = ['offline_access', 'openid', 'a'];
    for (const [challenged, ofResource, ofIssuer, usesRefreshTokens, expected] of [
      ['a b', ['c'], ['a'], true, 'a b'],
      [' a  b a ', ['c'], undefined, true, 'a b'],
      [undefined, ['c', 'd'], ['a'], true, 'c d'],
      [undefined, ['c d', 'c'], ['a'], true, 'c d'],
      [undefined, undefined, ['a'], true, undefined],
      [undefined, [], scopes, true, undefined],
      ['a', undefined, scopes, true, 'a offline_access'],
      [undefined, ['c'], scopes, true, 'c offline_access'],
      ['offline_access a', ['c'], scopes, true, 'offline_access a'],
      ['a', undefined, scopes, false, 'a'],
      ['a', undefined, ['a'], true, 'a'],
    ] as const) {
      test(`that the scope is ${expected}, for ${JSON.stringify([challenged, ofResource, ofIssuer, usesRefreshTokens])}`, async () => {
        bed.publish({ scopes_supported: ofResource }, { scopes_supported: ofIssuer });
        const challenge = challenged === undefined ? {} : { scope: challenged };
        assert.equal((await bed.discover({ challenge, usesRefreshTokens })).scope, expected);
      });
    }

    test('that scopes are malformed or too many', async () => {
      for (const scope of ['a"b', 'a\\b', 'ä', 'a\u202Eb', 'x'.repeat(8_001)]) {
        bed.publish({ scopes_supported: [scope] });
        await fails(bed.discover(), /scopes that are malformed or too many/);
        await fails(bed.discover({ challenge: { scope } }), /scopes that are malformed or too many/);
      }
    });
  });

  suite('refuses', () => {
    const attempts = connectionAttempts();
    for (const endpoint of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'file:///etc/passwd',
      'data:text/html,x',
      'vscode://x.y/z',
      '-x',
      '--renderer-cmd-prefix=calc',
      'a:$(calc.exe)',
      'https://login.example/$(calc.exe)',
      'https://login.example/`calc`',
      'http://login.example/authorize',
      'https://you:secret@login.example/',
      'https://10.0.0.1/reboot',
      'https://169.254.169.254/',
      'https://[::ffff:192.168.1.1]/',
      'https://login.example/#fragment',
    ]) {
      test(`an authorization endpoint of ${endpoint} (security, lines 9 and 10)`, async () => {
        bed.publish({}, { authorization_endpoint: endpoint });
        await fails(bed.discover(), /authorization_endpoint|address/);
      });
    }

    for (const endpoint of [
      'javascript:x',
      'http://login.example/token',
      'https://10.0.0.1/token',
      'https://167772161/token',
      'https://0xa.1/token',
      'https://[fe80::1]/token',
      'https://you:secret@localhost/token',
      'ftp://login.example/',
    ]) {
      test(`a token endpoint of ${endpoint} (security, line 10)`, async () => {
        bed.publish({}, { token_endpoint: endpoint });
        await fails(bed.discover(), /token_endpoint|address/);
      });
    }

    const forbidden = [
      'http://169.254.169.254/latest',
      'https://169.254.169.254/',
      'https://2852039166/',
      'https://0xa9fea9fe/',
      'https://0251.0376.0251.0376/',
      'https://[::ffff:169.254.169.254]/',
      'https://[fe80::1]/',
      'https://10.0.0.1/',
      'https://012.0.0.1/',
      'https://192.168.1.1/',
      'https://[fd00::1]/',
      'https://login.corp/',
      'https://login.cloud/',
      'http://login.corp/',
      'http://0.0.0.0/',
    ];
    const names = { 'login.corp': ['10.0.0.1'], 'login.cloud': ['169.254.169.254'] };
    for (const place of forbidden) {
      test(`metadata and issuers at ${place}, without a connection (security, line 10)`, async () => {
        bed.publish({ authorization_servers: [place] });
        await fails(bed.discover({}, { names }), /address/);
        await fails(bed.discover({ challenge: { resourceMetadataUrl: place } }, { names }), /address/);
        bed.issuer[paths.oauth] = { status: 302, headers: { location: place }, body: '' };
        bed.resource[paths.ofServer] = bed.protectedResource();
        await fails(bed.discover({}, { names }), /address/);
        assert.deepEqual(new Set(attempts), new Set(['127.0.0.1']));
      });
    }

    test('an issuer that is more than an address, or too many', async () => {
      for (const issuer of [
        `${bed.issuerUrl}?tenant=x`,
        `${bed.issuerUrl}#x`,
        bed.issuerUrl.replace('//', '//you:secret@'),
        `${bed.issuerUrl}/${'x'.repeat(2_000)}`,
        `${bed.issuerUrl}/\u202E`,
        'mailto:x@y.example',
      ]) {
        bed.publish({ authorization_servers: [issuer] });
        await fails(bed.discover(), /names an issuer that/);
      }
      bed.publish({
        authorization_servers: Array.from({ length: 21 }, (_, one) => `${bed.issuerUrl}/${one}`),
      });
      await fails(bed.discover(), /more than 20 issuers/);
      assert.deepEqual(bed.asked[1], []);
    });
  });

  test('ends with its signal', async () => {
    bed.publish();
    await assert.rejects(bed.discover({}, { signal: AbortSignal.abort() }), { name: 'AbortError' });
    assert.deepEqual(bed.asked[0], []);
  });
});
