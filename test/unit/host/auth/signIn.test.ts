import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { HostError, type HostErrorCode } from '../../../../src/host/errors/hostError.ts';
import type { HttpServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import { ServerConnections } from '../../../../src/host/auth/network/serverConnections.ts';
import { closeServer, listen } from '../../../fixtures/servers/serve.ts';
import { AuthorizationServer } from '../../support/authorizationServer.ts';
import { httpServer } from '../../support/definitions.ts';
import { FakeNames } from '../../support/namesBed.ts';
import { ProtectedServer } from '../../support/protectedServer.ts';
import { shownOf } from '../../support/questions.ts';
import { SharedMachine, SignInBed } from '../../support/signInBed.ts';
import { until, untilSeen } from '../../support/until.ts';

/** Milliseconds after which a token of the test's issuer is about to expire. */
const ALMOST_MS = 3_570_000;

suite('signing in', () => {
  let issuer: AuthorizationServer;
  let server: ProtectedServer;
  let machine: SharedMachine;
  let bed: SignInBed;
  let definition: HttpServerDefinition;
  const windows: SignInBed[] = [];

  setup(async () => {
    issuer = await AuthorizationServer.start();
    server = await ProtectedServer.start(issuer);
    machine = new SharedMachine();
    bed = open();
    definition = httpServer(server.url);
  });

  teardown(async () => {
    await Promise.all(windows.splice(0).map((one) => one.close()));
    machine.remove();
    await Promise.all([server.close(), issuer.close()]);
  });

  /** Another window of the machine. */
  function open(connections = new ServerConnections()): SignInBed {
    const window = new SignInBed({ machine, connections });
    windows.push(window);
    return window;
  }

  function refreshes(): number {
    return issuer.tokenRequests.filter((form) => form.get('grant_type') === 'refresh_token').length;
  }

  test('asks once, opens no browser before you answer, and starts the server afterwards', async () => {
    bed.start(definition);
    const question = await bed.question();
    await bed.hosts.until(definition, 'signInRequired');
    assert.deepEqual(bed.browser.opened, []);
    assert.equal(bed.asked.length, 1);
    const { text } = shownOf(question);
    assert.match(text, new RegExp(`Who signs you in: ${issuer.issuer}`));
    assert.match(text, /Sign in at 127\.0\.0\.1:\d+ to let 127\.0\.0\.1:\d+ act for you\./);
    bed.questions.answer(question, 'signIn');
    await bed.hosts.until(definition, 'running');
    assert.equal(bed.browser.opened.length, 1);
    assert.match(bed.browser.page?.body ?? '', /You are signed in to server/);
    assert.equal(await bed.call(definition), 'did read');
    const [oauthClient] = issuer.clients.values();
    assert.equal(oauthClient?.applicationType, 'native');
    const [asked] = issuer.authorizations;
    assert.equal(asked?.get('resource'), server.url);
    assert.equal(asked?.get('code_challenge_method'), 'S256');
    assert.deepEqual(
      issuer.tokenRequests.map((form) => form.get('resource')),
      [server.url],
    );
  });

  test('knows from the requests of a server where it is (security, line 10)', async () => {
    const { lookup } = new FakeNames({ 'mcp.example': ['127.0.0.1'] });
    const connections = new ServerConnections(lookup);
    server.options = { needs: [] };
    const named = httpServer(server.url.replace('127.0.0.1', 'mcp.example'));
    const window = open(connections);
    window.start(named);
    await window.hosts.until(named, 'running');
    // It can no longer be asked.
    await server.close();
    assert.equal(await connections.kindOf(new URL(named.url)), 'loopback');
  });

  test('fails at once while you are not signed in, and asks again when you start the server', async () => {
    bed.start(definition);
    await bed.answer('notNow');
    await bed.hosts.until(definition, 'signInRequired');
    assert.equal(bed.asked.length, 0);
    const before = server.seen.length;
    await assert.rejects(bed.hosts.host.start(definition.id), isA('signInRequired'));
    assert.equal(bed.hosts.stateOf(definition), 'signInRequired');
    // One request for the probe: nothing was tried again.
    assert.equal(server.seen.length, before + 1);
    await bed.question();
    assert.deepEqual(bed.browser.opened, []);
  });

  test('stays signed in in the next window', async () => {
    await bed.signInTo(definition);
    await bed.close();
    windows.splice(0);
    const next = open();
    next.start(definition);
    await next.hosts.until(definition, 'running');
    assert.deepEqual(next.asked, []);
    assert.deepEqual(next.browser.opened, []);
    assert.equal(issuer.count('POST /token'), 1);
  });

  test('refreshes a token before it expires', async () => {
    await bed.signInTo(definition);
    bed.ahead = ALMOST_MS;
    assert.equal(await bed.call(definition), 'did read');
    assert.equal(refreshes(), 1);
    assert.equal(issuer.tokenRequests.at(-1)?.get('resource'), server.url);
  });

  test('refreshes a token that the server refuses, and sends the call once more', async () => {
    await bed.signInTo(definition);
    issuer.expire();
    assert.equal(await bed.call(definition), 'did read');
    assert.equal(refreshes(), 1);
    assert.equal(server.calls, 1);
  });

  test('refreshes once for many calls', async () => {
    await bed.signInTo(definition);
    issuer.expire();
    await Promise.all(Array.from({ length: 20 }, () => bed.call(definition)));
    assert.equal(refreshes(), 1);
    assert.equal(server.calls, 20);
  });

  test('refreshes a rotating token once for two windows', async () => {
    await bed.signInTo(definition);
    const other = open();
    other.start(definition);
    await other.hosts.until(definition, 'running');
    for (let round = 1; round <= 3; round += 1) {
      issuer.expire();
      const calls = [bed, other].flatMap((window) =>
        Array.from({ length: 3 }, () => window.call(definition)),
      );
      await Promise.all(calls);
      assert.equal(refreshes(), round);
    }
    assert.deepEqual([...bed.asked, ...other.asked], []);
  });

  test('keeps a server running when its refresh is refused, and asks you', async () => {
    await bed.signInTo(definition);
    issuer.endSessions();
    await assert.rejects(
      bed.call(definition),
      isA('signInRequired', /127\.0\.0\.1:\d+ has ended your sign-in/),
    );
    assert.equal(bed.hosts.stateOf(definition), 'running');
    assert.equal(await bed.of(definition).account(), undefined);
    await bed.answer('signIn');
    await untilSeen(
      async () => (await bed.of(definition).account()) !== undefined,
      'you are signed in again',
    );
    assert.equal(await bed.call(definition), 'did read');
    // It was registered before.
    assert.equal(issuer.count('POST /register'), 1);
  });

  test('forgets nothing when the issuer cannot be reached', async () => {
    await bed.signInTo(definition);
    issuer.expire();
    issuer.options.token = 'broken';
    await assert.rejects(bed.call(definition), isA('unreachable'));
    assert.notEqual(await bed.of(definition).account(), undefined);
    assert.deepEqual(bed.asked, []);
    delete issuer.options.token;
    assert.equal(await bed.call(definition), 'did read');
  });

  for (const [where, metadata] of [
    ['the token endpoint', undefined],
    ['its metadata', 'page'],
  ] as const) {
    test(`says that a page of HTML from ${where} is a temporary failure, and forgets nothing`, async () => {
      await bed.signInTo(definition);
      issuer.expire();
      issuer.options = metadata ? { metadata } : { token: 'page' };
      await assert.rejects(bed.call(definition), isA('unreachable', /page of HTML.*temporary failure/));
      assert.deepEqual(bed.asked, []);
      issuer.options = {};
      assert.equal(await bed.call(definition), 'did read');
    });
  }

  test('uses a token until it expires while the issuer cannot be reached', async () => {
    await bed.signInTo(definition);
    issuer.options.token = 'broken';
    bed.ahead = ALMOST_MS;
    assert.equal(await bed.call(definition), 'did read');
  });

  test('does not refresh without end for a server that refuses each token', async () => {
    await bed.signInTo(definition);
    server.options.refusesAll = true;
    await assert.rejects(
      bed.call(definition),
      isA('signInRequired', /refuses the token that .* has just issued/),
    );
    assert.equal(refreshes(), 1);
  });

  test('asks again without opening the browser for a server that refuses the token of a sign-in', async () => {
    server.options.refusesAll = true;
    bed.start(definition);
    await bed.answer('signIn');
    await bed.question();
    await bed.hosts.until(definition, 'signInRequired');
    assert.equal(bed.browser.opened.length, 1);
    assert.equal(refreshes(), 0);
    assert.match(bed.reason(definition)?.message ?? '', /refuses the token/);
  });

  test('asks twice, and then only after a start, for a server that refuses each fresh token', async () => {
    server.options.refusesAll = true;
    const person = bed.questions.onDidChange(() =>
      bed.asked.forEach((question) => bed.questions.answer(question, 'signIn')),
    );
    bed.start(definition);
    const reason = (): string => {
      return bed.reason(definition)?.message ?? '';
    };
    await until(
      () => reason().includes('refuses each token'),
      'the host gives up',
      bed.hosts.host.onDidChangeServer,
    );
    await bed.hosts.until(definition, 'signInRequired');
    await assert.rejects(bed.call(definition));
    assert.equal(bed.browser.opened.length, 2);
    person.dispose();
    assert.deepEqual(bed.asked, []);
    await assert.rejects(bed.hosts.host.start(definition.id), isA('signInRequired'));
    await bed.question();
  });

  for (const needs of ['initialize', 'tools/call']) {
    test(`asks twice for a server that refuses tokens that can not be refreshed with ${needs} alone`, async () => {
      issuer.options.givesRefreshToken = false;
      Object.assign(server.options, { refusesAll: true, needs: [needs] });
      const person = bed.questions.onDidChange(() =>
        bed.asked.forEach((question) => bed.questions.answer(question, 'signIn')),
      );
      bed.start(definition);
      await untilSeen(async () => {
        await bed.call(definition).catch(() => {});
        assert.ok(bed.browser.opened.length <= 2, 'you have signed in too often');
        return bed.reason(definition)?.message.includes('refuses each token') === true;
      }, 'the host gives up');
      person.dispose();
      assert.equal(bed.browser.opened.length, 2);
      assert.deepEqual(bed.asked, []);
    });
  }

  for (const [why, end, words] of [
    ['has expired', () => issuer.expire(), /^Your sign-in at 127\.0\.0\.1:\d+ has expired/],
    ['was ended by the issuer', () => issuer.endSessions(), /^127\.0\.0\.1:\d+ has ended your sign-in/],
    [
      'gave a token that the server refuses',
      () => (server.options.refusesAll = true),
      /^The server refuses the token that 127\.0\.0\.1:\d+ has just issued/,
    ],
  ] as const) {
    test(`says in the question that your sign-in ${why}`, async () => {
      issuer.options.givesRefreshToken = why !== 'has expired';
      bed.start(definition);
      assert.doesNotMatch(shownOf(await bed.question()).text, /^The server requires you to sign in/);
      await bed.answer('signIn');
      await bed.hosts.until(definition, 'running');
      end();
      bed.ahead = 120_000;
      await assert.rejects(bed.call(definition), isA('signInRequired'));
      assert.match(shownOf(await bed.question()).text, words);
    });
  }

  test('signs in for a server that runs anonymously when a call requires it', async () => {
    server.options.needs = ['tools/call'];
    bed.start(definition);
    await bed.hosts.until(definition, 'running');
    assert.deepEqual(bed.asked, []);
    await assert.rejects(bed.call(definition), isA('signInRequired'));
    assert.equal(bed.hosts.stateOf(definition), 'running');
    await bed.answer('signIn');
    await untilSeen(async () => (await bed.of(definition).account()) !== undefined, 'you are signed in');
    assert.equal(await bed.call(definition), 'did read');
    assert.equal(bed.hosts.logs.get('server')?.lines.filter((line) => line.includes('Starting')).length, 1);
  });

  test('starts in a window when you sign in in another one', async () => {
    const other = open();
    [bed, other].forEach((window) => window.start(definition));
    await other.question();
    await bed.answer('signIn');
    await Promise.all([bed, other].map((window) => window.hosts.until(definition, 'running')));
    assert.deepEqual(other.asked, []);
    assert.deepEqual(other.browser.opened, []);
  });

  test('revokes the tokens when you sign out, in all windows', async () => {
    await bed.signInTo(definition);
    const other = open();
    other.start(definition);
    await other.hosts.until(definition, 'running');
    assert.equal(await bed.of(definition).signOut(), 'revoked');
    assert.equal(issuer.count('POST /revoke'), 1);
    assert.ok([...issuer.tokens.values()].every(({ isValid }) => !isValid));
    await untilSeen(
      async () => (await other.of(definition).account()) === undefined,
      'the other window knows',
    );
    server.seen.splice(0);
    for (const window of [bed, other]) {
      await assert.rejects(window.call(definition), isA('signInRequired'));
    }
    assert.deepEqual(
      server.seen.filter(([method]) => method === 'tools/call').map(([, authorization]) => authorization),
      [undefined, undefined],
    );
  });

  test('forgets the tokens when you sign out at an issuer that cannot revoke', async () => {
    issuer.options.revokes = false;
    await bed.signInTo(definition);
    assert.equal(await bed.of(definition).signOut(), 'forgotten');
    assert.equal(await bed.of(definition).account(), undefined);
  });

  test('forgets the tokens when you sign out while the issuer is gone, and says so', async () => {
    await bed.signInTo(definition);
    await issuer.close();
    await assert.rejects(bed.of(definition).signOut(), isA('unreachable'));
    assert.equal(await bed.of(definition).account(), undefined);
  });

  test('registers again when the issuer has forgotten the registration', async () => {
    await bed.signInTo(definition);
    issuer.clients.clear();
    issuer.expire();
    await assert.rejects(bed.call(definition), isA('signInRequired'));
    await bed.answer('signIn');
    await untilSeen(
      async () => (await bed.of(definition).account()) !== undefined,
      'you are signed in again',
    );
    assert.equal(await bed.call(definition), 'did read');
    assert.equal(issuer.count('POST /register'), 2);
  });

  test('registers again when you select that, because the browser shows an error', async () => {
    await bed.signInTo(definition);
    await bed.of(definition).signOut();
    issuer.clients.clear();
    await assert.rejects(bed.call(definition), isA('signInRequired'));
    await bed.answer('signIn');
    await bed.address(definition);
    await bed.of(definition).registerAgain();
    await bed.answer('signIn');
    await untilSeen(
      async () => (await bed.of(definition).account()) !== undefined,
      'you are signed in again',
    );
    assert.equal(issuer.count('POST /register'), 2);
  });

  test('starts from nothing when the issuer of a server changes', async () => {
    await bed.signInTo(definition);
    const other = await AuthorizationServer.start();
    try {
      server.issuer = other;
      issuer.requests.splice(0);
      await assert.rejects(bed.call(definition), isA('signInRequired'));
      const { text } = shownOf(await bed.question());
      assert.ok(text.includes(other.issuer));
      await bed.answer('signIn');
      await until(() => other.count('POST /token') === 1, 'the new issuer is asked', bed.browser.onDidVisit);
      await untilSeen(() => bed.state(definition) === undefined, 'you are signed in');
      assert.equal(await bed.call(definition), 'did read');
      const known = new Set(issuer.clients.keys());
      assert.ok(other.authorizations.every((asked) => !known.has(asked.get('client_id') ?? '')));
    } finally {
      await other.close();
    }
  });

  test('asks for more permissions, and keeps those that you have granted', async () => {
    server.options.scopes = { write: 'files:write' };
    server.options.scopesSupported = ['files:read'];
    await bed.signInTo(definition);
    await assert.rejects(bed.call(definition, 'write'), isA('signInRequired', /more permissions/));
    const question = await bed.question();
    await assert.rejects(bed.call(definition, 'write'), isA('signInRequired', /more permissions/));
    assert.deepEqual(bed.asked, [question]);
    assert.deepEqual(question.plan.added, ['files:write']);
    assert.match(shownOf(question).text, /- files:write, which is new/);
    assert.match(shownOf(question).text, /asked again only after you start the server/);
    await bed.answer('signIn');
    await untilSeen(() => bed.state(definition) === undefined, 'you have granted it');
    assert.equal(issuer.authorizations.at(-1)?.get('scope'), 'files:read files:write');
    assert.equal(await bed.call(definition, 'write'), 'did write');
    assert.equal(bed.hosts.stateOf(definition), 'running');
  });

  suite('at an issuer that grants only what was registered', () => {
    setup(() => {
      issuer.options.grantsRegistered = true;
      issuer.options.scopesSupported = ['files:read', 'files:write', 'files:list'];
      server.options.scopes = { write: 'files:write' };
      server.options.scopesSupported = ['files:read'];
    });

    test('registers again for a permission that the registration is not for, and says so', async () => {
      await bed.signInTo(definition);
      await assert.rejects(bed.call(definition, 'write'), isA('signInRequired', /more permissions/));
      assert.match(
        shownOf(await bed.question()).text,
        /registered at .* again .* not for all of these scopes/,
      );
      await bed.answer('signIn');
      await untilSeen(() => bed.state(definition) === undefined, 'you have granted it');
      assert.deepEqual(
        [...issuer.clients.values()].map(({ scope }) => scope),
        ['files:read', 'files:read files:write'],
      );
      assert.equal(await bed.call(definition, 'write'), 'did write');
    });

    for (const listed of [undefined, ['offline_access']]) {
      test(`registers for what it does not list, of ${listed?.join(' ') ?? 'none'}, as it takes that`, async () => {
        issuer.options.registersUnlisted = true;
        if (listed) {
          issuer.options.scopesSupported = listed;
        } else {
          delete issuer.options.scopesSupported;
        }
        await bed.signInTo(definition);
        assert.equal(await bed.call(definition), 'did read');
        await assert.rejects(bed.call(definition, 'write'), isA('signInRequired', /more permissions/));
        assert.match(shownOf(await bed.question()).text, /registered at .* again/);
        await bed.answer('signIn');
        await untilSeen(() => bed.state(definition) === undefined, 'you have granted it');
        assert.equal(await bed.call(definition, 'write'), 'did write');
        assert.equal(issuer.clients.size, 2);
      });
    }

    test('keeps the first sign-in where you refuse the second', async () => {
      await bed.signInTo(definition);
      await assert.rejects(bed.call(definition, 'write'), isA('signInRequired'));
      issuer.options.answer = 'denied';
      await bed.answer('signIn');
      await bed.failure(definition);
      issuer.expire();
      assert.equal(await bed.call(definition), 'did read');
      assert.equal(refreshes(), 1);
    });

    test('registers once at most where the issuer still refuses, and says what is refused', async () => {
      await bed.signInTo(definition);
      issuer.options.validScopes = ['files:read'];
      await assert.rejects(bed.call(definition, 'write'), isA('signInRequired'));
      await bed.answer('signIn');
      const failure = await bed.failure(definition);
      assert.match(failure, /refuses these scopes, which the server requires: files:write/);
      assert.doesNotMatch(failure, /definition/);
      await assert.rejects(bed.of(definition).signIn());
      assert.equal(issuer.count('POST /register'), 2);
    });

    test('never registers a client of the definition, and names the scopes that it lacks', async () => {
      const redirectUri = await freeRedirect();
      const oauth = { clientId: 'own', clientSecret: 'x', redirectUri };
      issuer.clients.set('own', {
        id: 'own',
        secret: 'x',
        redirects: [redirectUri],
        applicationType: undefined,
        scope: 'files:read',
      });
      definition = httpServer(server.url, { oauth });
      await bed.signInTo(definition);
      await assert.rejects(bed.call(definition, 'write'), isA('signInRequired'));
      await bed.answer('signIn');
      assert.match(
        await bed.failure(definition),
        /refuses the client of the definition these scopes, .* requires: files:write.*; add them to that client/,
      );
      assert.equal(issuer.count('POST /register'), 0);
    });
  });

  test('remembers that you refused a permission', async () => {
    server.options.scopes = { write: 'files:write' };
    await bed.signInTo(definition);
    await assert.rejects(bed.call(definition, 'write'), isA('signInRequired'));
    await bed.answer('notNow');
    await assert.rejects(bed.call(definition, 'write'), isA('refused', /did not grant: files:write/));
    assert.deepEqual(bed.asked, []);
    assert.equal(await bed.call(definition), 'did read');
  });

  test('asks only for the missing permission where the answer of the issuer leaves scopes out', async () => {
    server.options.scopes = { write: 'files:write' };
    server.options.scopesSupported = ['openid', 'files:read'];
    // As for a token that is for the server alone (OpenID Connect).
    issuer.options.grants = () => 'files:read';
    await bed.signInTo(definition);
    await assert.rejects(bed.call(definition, 'write'), isA('signInRequired'));
    assert.deepEqual((await bed.question()).plan.added, ['files:write']);
    await bed.answer('notNow');
    await assert.rejects(bed.call(definition, 'write'), isA('refused'));
    assert.deepEqual(bed.asked, []);
  });

  test('remembers a refused permission at an issuer that adds offline_access', async () => {
    server.options.scopes = { write: 'files:write' };
    issuer.options.scopesSupported = ['offline_access'];
    definition = httpServer(server.url, { oauth: { scopes: ['files:read'] } });
    await bed.signInTo(definition);
    await assert.rejects(bed.call(definition, 'write'), isA('signInRequired'));
    await bed.answer('notNow');
    await assert.rejects(bed.call(definition, 'write'), isA('refused'));
    assert.deepEqual(bed.asked, []);
  });

  test('does not ask again for a permission that the issuer does not grant', async () => {
    server.options.scopes = { write: 'files:write' };
    issuer.options.grants = () => 'files:read';
    await bed.signInTo(definition);
    await assert.rejects(bed.call(definition, 'write'), isA('signInRequired'));
    await bed.answer('signIn');
    await untilSeen(() => bed.state(definition) === undefined, 'the browser is back');
    await assert.rejects(bed.call(definition, 'write'), isA('refused'));
    assert.deepEqual(bed.asked, []);
    assert.equal(bed.browser.opened.length, 2);
  });

  test('signs in a client itself, after the same question', async () => {
    issuer.clients.set('own', { id: 'own', secret: 'own-secret', redirects: [], applicationType: undefined });
    const own = httpServer(server.url, {
      oauth: { clientId: 'own', clientSecret: 'own-secret', grantType: 'client_credentials' },
    });
    bed.start(own);
    assert.equal((await bed.question()).plan.how, 'credentials');
    assert.equal(issuer.count('POST /token'), 0);
    await bed.answer('signIn');
    await bed.hosts.until(own, 'running');
    assert.deepEqual(bed.browser.opened, []);
    issuer.expire();
    assert.equal(await bed.call(own), 'did read');
    assert.deepEqual(bed.asked, []);
  });

  test('never replaces a fixed Authorization header', async () => {
    const fixed = httpServer(server.url, { headers: { authorization: 'Bearer mine-alone' } });
    bed.start(fixed);
    await bed.hosts.until(fixed, 'failed');
    assert.ok(server.seen.length > 0);
    assert.ok(server.seen.every(([, authorization]) => authorization === 'Bearer mine-alone'));
    assert.deepEqual(bed.asked, []);
    assert.deepEqual(issuer.requests, []);
  });

  test('asks for a server over HTTP+SSE', async () => {
    const old = httpServer(server.url, { type: 'sse' });
    bed.start(old);
    await bed.question();
    await bed.hosts.until(old, 'signInRequired');
  });

  test('asks nothing of a server that wants a password', async () => {
    server.options.challenge = 'Basic realm="files"';
    bed.start(definition);
    await bed.hosts.until(definition, 'signInRequired');
    assert.equal(bed.reason(definition)?.needs, 'token');
    assert.deepEqual(bed.asked, []);
  });

  test('finds the issuer of a server that sends no challenge', async () => {
    server.options.challenge = '';
    await bed.signInTo(definition);
    assert.equal(await bed.call(definition), 'did read');
  });

  for (const [listed, registered] of [
    [undefined, undefined],
    [['profile'], undefined],
    [['files:read', 'profile'], 'files:read'],
  ] as const) {
    test(`registers for what the issuer lists where it refuses the rest, of ${listed?.join(' ') ?? 'none'}`, async () => {
      server.options.scopesSupported = ['files:read', 'files:write'];
      if (listed) {
        issuer.options.scopesSupported = listed;
      }
      await bed.signInTo(definition);
      assert.deepEqual(
        [...issuer.clients.values()].map(({ scope }) => scope),
        [registered],
      );
      assert.equal(issuer.authorizations[0]?.get('scope'), 'files:read files:write');
      issuer.endSessions();
      await assert.rejects(bed.call(definition), isA('signInRequired', /has ended your sign-in/));
      await bed.answer('signIn');
      await untilSeen(() => bed.state(definition) === undefined, 'you are signed in again');
      assert.equal(issuer.clients.size, 1);
    });
  }

  test('signs in at the issuer that the definition selects among those of the server', async () => {
    server.options.issuers = ['https://other.example', issuer.issuer];
    definition = httpServer(server.url, { oauth: { issuer: issuer.issuer } });
    await bed.signInTo(definition);
    assert.equal(await bed.call(definition), 'did read');
  });

  for (const [where, members] of [
    ['metadata', { scopes_supported: null, service_documentation: '', jwks_uri: null }],
    ['metadata', { response_types_supported: null }],
    ['register', { client_uri: '', redirect_uris: null, scope: null, client_secret: null }],
    ['register', { client_secret: '', client_secret_expires_at: null, jwks_uri: '', contacts: 5 }],
    ['token', { scope: null, refresh_token: null, id_token: null, expires_in: null }],
    ['token', { scope: '', refresh_token: '', id_token: '', expires_in: '' }],
    ['token', { token_type: undefined }],
    ['token', { token_type: null }],
    ['token', { token_type: '' }],
  ] as const) {
    test(`signs in, and refreshes, at an issuer whose ${where} answer has ${shown(members)}`, async () => {
      issuer.options.answers = { [where]: members };
      await bed.signInTo(definition);
      assert.equal(await bed.call(definition), 'did read');
      const { tokens } = (await bed.account(definition)) ?? {};
      const isTokenless = where === 'token' && 'refresh_token' in members;
      assert.equal(tokens?.refreshToken === undefined, isTokenless);
      assert.equal(tokens?.type, 'Bearer');
      if (!isTokenless) {
        issuer.expire();
        assert.equal(await bed.call(definition), 'did read');
        assert.equal(refreshes(), 1);
      }
    });
  }

  for (const token of [null, '']) {
    test(`does not sign in with an access token that is ${JSON.stringify(token)}`, async () => {
      issuer.options.answers = { token: { access_token: token } };
      bed.start(definition);
      await bed.answer('signIn');
      await bed.failure(definition);
      assert.equal(await bed.account(definition), undefined);
    });
  }

  for (const methods of [null, [], ['plain']]) {
    test(`assumes no PKCE at an issuer that lists ${JSON.stringify(methods)}`, async () => {
      definition = httpServer(server.url, { oauth: { assumePkce: true } });
      issuer.options.answers = { metadata: { code_challenge_methods_supported: methods } };
      bed.start(definition);
      assert.match(await bed.failure(definition), /malformed metadata|does not protect the sign-in/);
      assert.deepEqual(bed.asked, []);
    });
  }

  test('takes a token without a type for no bearer token where a proof was sent for it', async () => {
    issuer.options.dpopNonce = 'nonce-of-issuer';
    server.options.dpopNonce = 'nonce-of-server';
    issuer.options.answers = { token: { token_type: undefined } };
    bed.start(definition);
    await bed.answer('signIn');
    assert.match(await bed.failure(definition), /token_type/);
    assert.equal(await bed.account(definition), undefined);
  });

  test('ends a sign-in that the issuer refuses with a description that is null', async () => {
    await bed.signInTo(definition);
    issuer.endSessions();
    issuer.options.refusal = { error_description: null };
    await assert.rejects(bed.call(definition), isA('signInRequired', /has ended your sign-in/));
  });

  suite('at a server that names several issuers', () => {
    let other: AuthorizationServer;

    setup(async () => {
      other = await AuthorizationServer.start();
      server.options.issuers = [other.issuer, issuer.issuer];
    });

    teardown(() => other.close());

    for (const [what, break_] of [
      ['can not be reached', () => other.close()],
      ['has no metadata', () => Promise.resolve((other.options.metadata = 'page'))],
      ['has no PKCE', () => Promise.resolve((other.options.pkce = []))],
      ['registers no clients', () => Promise.resolve((other.options.registers = false))],
    ] as const) {
      test(`signs in at the next one where the first ${what}, and says so`, async () => {
        await break_();
        bed.start(definition);
        assert.match(shownOf(await bed.question()).text, /names another issuer first, which can't be used: /);
        await bed.answer('signIn');
        await bed.hosts.until(definition, 'running');
        assert.equal(await bed.call(definition), 'did read');
        assert.equal(other.authorizations.length, 0);
      });
    }

    test('says why you can not sign in at the first one where all fail', async () => {
      other.options.pkce = [];
      issuer.options.registers = false;
      bed.start(definition);
      assert.match(await bed.failure(definition), /PKCE/);
      assert.deepEqual(bed.asked, []);
    });

    test('names the others where the first one refuses to register clients', async () => {
      other.options.refusesClients = true;
      bed.start(definition);
      await bed.answer('signIn');
      const { host } = new URL(issuer.issuer);
      assert.match(
        await bed.failure(definition),
        new RegExp(`to sign in at ${host} instead, name that issuer as "issuer" in "oauth"`),
      );
    });

    test('asks for more permissions where you are signed in', async () => {
      other.options.metadata = 'page';
      server.options.scopes = { write: 'files:write' };
      await bed.signInTo(definition);
      delete other.options.metadata;
      await assert.rejects(bed.call(definition, 'write'), isA('signInRequired'));
      const { plan } = await bed.question();
      assert.equal(plan.discovery.issuer, issuer.issuer);
      assert.deepEqual(plan.added, ['files:write']);
    });
  });

  test('refuses an issuer that the server does not name', async () => {
    definition = httpServer(server.url, { oauth: { issuer: 'https://other.example' } });
    bed.start(definition);
    assert.match(await bed.failure(definition), /isn't one that/);
    assert.deepEqual(bed.asked, []);
  });

  test('refuses a server whose tokens would be for another one', async () => {
    server.options.resource = 'https://other.example/mcp';
    bed.start(definition);
    assert.match(await bed.failure(definition), /tokens are for another server/);
    assert.deepEqual(bed.asked, []);
  });

  test('refuses the client that a file of the workspace brings for an issuer of another site', async () => {
    const place = {
      scope: 'workspace',
      format: 'settings',
      place: 'file:///projects/.vscode/settings.json',
    } as const;
    issuer.issuer = issuer.issuer.replace('127.0.0.1', 'localhost');
    server.options.issuers = [issuer.issuer];
    definition = httpServer(server.url, { origin: place, oauth: { clientId: 'public-app' } });
    bed.start(definition);
    assert.match(
      await bed.failure(definition),
      /^the client that a file of the workspace names can't be used: /,
    );
    assert.deepEqual(bed.asked, []);
  });

  test('binds tokens to a key for a server that wants that, with the nonces of both', async () => {
    issuer.options.dpopNonce = 'nonce-of-issuer';
    server.options.dpopNonce = 'nonce-of-server';
    await bed.signInTo(definition);
    assert.equal(await bed.call(definition), 'did read');
    assert.ok(server.seen.slice(1).every(([, authorization]) => authorization?.startsWith('DPoP ')));
    server.options.dpopNonce = 'another-nonce';
    assert.equal(await bed.call(definition), 'did read');
    issuer.expire();
    assert.equal(await bed.call(definition), 'did read');
    const keys = new Set([...issuer.tokens.values()].map(({ key }) => key));
    assert.equal(issuer.tokens.size, 2);
    assert.equal(keys.size, 1);
    const other = open();
    other.start(definition);
    await other.hosts.until(definition, 'running');
    assert.equal(await other.call(definition), 'did read');
  });

  test('asks for bearer tokens where the server takes them, whatever the issuer can do', async () => {
    issuer.options.offersProofs = true;
    await bed.signInTo(definition);
    assert.deepEqual(
      [...issuer.tokens.values()].map(({ key }) => key),
      [undefined],
    );
    assert.equal((await bed.account(definition))?.proofKey, undefined);
  });

  test('says who is signed in', async () => {
    issuer.options.user = 'ada@example.com';
    await bed.signInTo(definition);
    const { name, subject, issuer: at } = (await bed.account(definition)) ?? {};
    assert.deepEqual([name, subject, at], ['ada@example.com', 'subject-1', issuer.issuer]);
  });

  test('logs no token, code or secret', async () => {
    issuer.options.authMethods = ['client_secret_basic'];
    bed.start(definition);
    bed.hosts.logs.forEach((logger) => (logger.isTracing = true));
    await bed.answer('signIn');
    await bed.hosts.until(definition, 'running');
    issuer.expire();
    await bed.call(definition);
    issuer.endSessions();
    const failure = await bed.call(definition).then(assert.fail, String);
    // A secret and a code, and two tokens each of the sign-in and the refresh.
    assert.ok(issuer.secrets.size >= 6);
    const recorded = `${bed.logged}\n${failure}`;
    assert.match(recorded, /tools\/call/);
    assert.deepEqual(
      [...issuer.secrets].filter((secret) => recorded.includes(secret)),
      [],
    );
  });

  test('withdraws the question when the server is stopped', async () => {
    bed.start(definition);
    await bed.question();
    await bed.hosts.host.stop(definition.id);
    assert.deepEqual(bed.asked, []);
    assert.equal(bed.hosts.stateOf(definition), 'stopped');
  });
});

/** A redirect on this machine that nothing listens at. */
async function freeRedirect(): Promise<string> {
  const server = createServer();
  const origin = await listen(server);
  await closeServer(server);
  return `${origin}/back`;
}

function shown(members: Readonly<Record<string, unknown>>): string {
  return Object.entries(members)
    .map(([name, value]) => `${name} ${JSON.stringify(value) ?? 'missing'}`)
    .join(', ');
}

function isA(code: HostErrorCode, words = /./): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof HostError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    return true;
  };
}
