import assert from 'node:assert/strict';
import type { HttpServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import { AuthorizationServer } from '../../support/authorizationServer.ts';
import { httpServer } from '../../support/definitions.ts';
import { ProtectedServer } from '../../support/protectedServer.ts';
import { shownOf } from '../../support/questions.ts';
import type { SignInPlan } from '../../../../src/host/auth/signInPlan.ts';
import { SharedMachine, SignInBed } from '../../support/signInBed.ts';
import { untilSeen } from '../../support/until.ts';

suite('An issuer that refuses scopes', () => {
  let issuer: AuthorizationServer;
  let server: ProtectedServer;
  let bed: SignInBed;
  let definition: HttpServerDefinition;

  setup(async () => {
    issuer = await AuthorizationServer.start({
      validScopes: ['files:read'],
      scopesSupported: ['files:read'],
    });
    server = await ProtectedServer.start(issuer, { scopesSupported: ['files:read', 'files:all'] });
    bed = new SignInBed();
    definition = httpServer(server.url);
  });

  teardown(async () => {
    await bed.close();
    await Promise.all([server.close(), issuer.close()]);
  });

  /** The plan of the next try. */
  const plan = async (): Promise<SignInPlan> => {
    bed.of(definition).askAgain(true);
    return (await bed.question()).plan;
  };

  test('is asked for the others when you agree to that, and registers nothing again', async () => {
    bed.start(definition);
    await bed.answer('signIn');
    const failure = await bed.failure(definition);
    assert.match(failure, /^127\.0\.0\.1:\d+ refuses these scopes: files:all; sign in without them$/);
    assert.equal(issuer.authorizations.length, 1);
    assert.match(bed.browser.page?.body ?? '', /You are not signed in to server[^]*refuses these scopes/);
    assert.equal((await plan()).scope, 'files:read');
    const { text } = shownOf(await bed.question());
    assert.match(text, /has refused these scopes, so that they are no longer asked for: files:all/);
    await bed.answer('signIn');
    await bed.hosts.until(definition, 'running');
    assert.deepEqual(
      issuer.authorizations.map((asked) => asked.get('scope')),
      ['files:read files:all', 'files:read'],
    );
    assert.equal(issuer.clients.size, 1);
  });

  suite('before', () => {
    const machine = new SharedMachine();

    /** A window that is opened later, and starts the server. */
    const nextWindow = async (): Promise<SignInBed> => {
      await bed.close();
      bed = new SignInBed({ machine });
      bed.start(definition);
      return bed;
    };
    const scopes = (): (string | null)[] => issuer.authorizations.map((asked) => asked.get('scope'));

    setup(async () => {
      await nextWindow();
      await bed.answer('signIn');
      await bed.failure(definition);
    });

    suiteTeardown(() => machine.remove());

    test('is asked for the others from the start in the next window, which says so', async () => {
      await nextWindow();
      assert.match(shownOf(await bed.question()).text, /no longer asked for: files:all/);
      await bed.answer('signIn');
      await bed.hosts.until(definition, 'running');
      assert.deepEqual(scopes(), ['files:read files:all', 'files:read']);
    });

    test('is asked for all of them again after you signed out', async () => {
      await bed.of(definition).signIn();
      await bed.hosts.until(definition, 'running');
      assert.equal(await bed.of(definition).signOut(), 'revoked');
      await nextWindow();
      assert.equal((await bed.question()).plan.scope, 'files:read files:all');
    });

    test('is asked for all of them again after you registered again', async () => {
      await bed.of(definition).registerAgain();
      const question = await bed.question();
      assert.equal(question.plan.scope, 'files:read files:all');
      assert.equal(question.plan.refused, undefined);
    });

    test('is asked for those that it lists by then', async () => {
      issuer.options.scopesSupported = ['files:read', 'files:all'];
      await nextWindow();
      assert.equal((await bed.question()).plan.scope, 'files:read files:all');
    });

    test('is asked again for one that a call requires', async () => {
      await bed.of(definition).signIn();
      await bed.hosts.until(definition, 'running');
      server.options.scopes = { write: 'files:all' };
      await assert.rejects(bed.call(definition, 'write'), { code: 'signInRequired' });
      const { plan: asked } = await bed.question();
      assert.deepEqual(asked.added, ['files:all']);
    });

    test('is asked for what the definition says, whatever it refused', async () => {
      definition = httpServer(server.url, { oauth: { scopes: ['files:read', 'files:all'] } });
      await nextWindow();
      assert.equal((await bed.question()).plan.scope, 'files:read files:all');
    });

    test('affects no other issuer, after which it is asked for all of them again', async () => {
      const other = await AuthorizationServer.start({ scopesSupported: ['files:read'] });
      try {
        server.issuer = other;
        await nextWindow();
        assert.equal((await bed.question()).plan.scope, 'files:read files:all');
        server.issuer = issuer;
        await nextWindow();
        assert.equal((await bed.question()).plan.scope, 'files:read files:all');
      } finally {
        await other.close();
      }
    });
  });

  test('is asked without a scope where it supports none of them', async () => {
    server.options.scopesSupported = ['files:all'];
    bed.start(definition);
    await bed.answer('signIn');
    await bed.failure(definition);
    await bed.of(definition).signIn();
    await bed.hosts.until(definition, 'running');
    assert.equal(issuer.authorizations.at(-1)?.get('scope'), null);
  });

  test('leads to the definition that says what to ask for', async () => {
    definition = httpServer(server.url, { oauth: { scopes: ['files:mine'] } });
    bed.start(definition);
    await bed.answer('signIn');
    const failure = await bed.failure(definition);
    assert.match(failure, /refuses these scopes: files:mine; change "scopes" in "oauth" in its definition$/);
    const { refused, scope } = await plan();
    assert.deepEqual(refused, { scopes: ['files:mine'], isLeftOut: false });
    assert.equal(scope, 'files:mine');
  });

  test('leads to the definition, too, where the issuer lists no scopes', async () => {
    delete issuer.options.scopesSupported;
    bed.start(definition);
    await bed.answer('signIn');
    const failure = await bed.failure(definition);
    assert.match(failure, /which the server asks for: files:read files:all; name others as "scopes"/);
    await assert.rejects(bed.of(definition).signIn(), { code: 'signInRequired' });
    assert.equal((await plan()).refused?.isLeftOut, false);
    bed.questions.answer(await bed.question(), 'notNow');
    assert.equal(issuer.authorizations.length, 2);
    assert.deepEqual(bed.asked, []);
  });

  test('is not asked again for a permission that a call requires', async () => {
    server.options.scopesSupported = ['files:read'];
    server.options.scopes = { write: 'files:all' };
    await bed.signInTo(definition);
    await assert.rejects(bed.call(definition, 'write'), { code: 'signInRequired' });
    await bed.answer('signIn');
    assert.match(await bed.failure(definition), /refuses these scopes, which the server requires: files:all/);
    const { length } = issuer.authorizations;
    await assert.rejects(bed.call(definition, 'write'), { code: 'signInRequired' });
    assert.deepEqual(bed.asked, []);
    assert.equal(issuer.authorizations.length, length);
    assert.equal(await bed.call(definition), 'did read');
  });

  test('says so in its own words to a client that signs in itself', async () => {
    issuer.clients.set('own', { id: 'own', secret: 'own-secret', redirects: [], applicationType: undefined });
    definition = httpServer(server.url, {
      oauth: { clientId: 'own', clientSecret: 'own-secret', grantType: 'client_credentials' },
    });
    bed.start(definition);
    await bed.answer('signIn');
    assert.match(
      await bed.failure(definition),
      /refuses these scopes: files:all \(Nobody knows that scope\.\); sign in without them$/,
    );
    await bed.of(definition).signIn();
    await untilSeen(() => bed.hosts.stateOf(definition) === 'running', 'it runs');
    assert.equal(issuer.count('POST /token'), 2);
  });
});
