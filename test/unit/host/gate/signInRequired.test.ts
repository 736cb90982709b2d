import assert from 'node:assert/strict';
import type { HttpServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import { HostError } from '../../../../src/host/errors/hostError.ts';
import type { Caller } from '../../../../src/host/ledger/caller.ts';
import { AuthorizationServer } from '../../support/authorizationServer.ts';
import { httpServer } from '../../support/definitions.ts';
import { agentMode, extension, GateBed, person } from '../../support/gateBed.ts';
import { ProtectedServer, type ProtectedOptions } from '../../support/protectedServer.ts';
import { SignInBed } from '../../support/signInBed.ts';
import { untilSeen } from '../../support/until.ts';

suite('A call through the gate that requires you to sign in', () => {
  let issuer: AuthorizationServer;
  let server: ProtectedServer;
  let windowBed: SignInBed;
  let bed: GateBed;
  let definition: HttpServerDefinition;

  const begin = async (options: ProtectedOptions): Promise<void> => {
    issuer = await AuthorizationServer.start();
    server = await ProtectedServer.start(issuer, options);
    windowBed = new SignInBed();
    bed = new GateBed(windowBed.hosts);
    bed.settings.confirm = 'never';
    definition = httpServer(server.url);
    windowBed.start(definition);
  };

  teardown(async () => {
    // The other bed closes the host.
    bed.decisions.dispose();
    bed.grants.dispose();
    await windowBed.close();
    await Promise.all([server.close(), issuer.close()]);
  });

  const failureOf = async (caller: Caller, tool = 'read'): Promise<HostError> => {
    const failure: unknown = await bed.gate.callTool(caller, definition.id, tool, {}).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(failure instanceof HostError, String(failure));
    assert.equal(failure.code, 'signInRequired');
    return failure;
  };

  test('advises models and extensions to ask you, and shows you the reason', async () => {
    await begin({ needs: ['tools/call'] });
    await windowBed.hosts.until(definition, 'running');
    await bed.grants.grant(definition.id, true);
    for (const caller of [agentMode, extension]) {
      const { message } = await failureOf(caller);
      assert.equal(
        message,
        'the server \'server\' requires the user to sign in first. Ask the user to select "Sign In…" for it in the view "Servers", then try again.',
      );
    }
    assert.equal((await failureOf(person)).message, 'the server requires you to sign in');
    // You read the activity.
    assert.deepEqual(
      bed.ledger.booked.map(({ end }) => end?.problem),
      Array.from({ length: 3 }, () => 'the server requires you to sign in'),
    );
    assert.equal(server.calls, 0);
  });

  test('advises a model to ask you for more permissions', async () => {
    await begin({ scopes: { write: 'files:write' } });
    await windowBed.answer('signIn');
    await windowBed.hosts.until(definition, 'running');
    await bed.grants.grant(definition.id, true);
    const { message } = await failureOf(agentMode, 'write');
    assert.match(message, /requires the user to grant it more permissions first\. Ask the user to select/);
  });

  test('says so, too, while the server does not run without a sign-in', async () => {
    await begin({});
    await windowBed.hosts.until(definition, 'signInRequired');
    assert.equal((await failureOf(person)).message, 'the server requires you to sign in');
    assert.match((await failureOf(extension)).message, /requires the user to sign in first/);
    windowBed.browser.visit = () => Promise.resolve();
    await windowBed.answer('signIn');
    await untilSeen(() => windowBed.hosts.stateOf(definition) === 'authorizing', 'the browser is open');
    assert.match((await failureOf(person)).message, /until you have signed in in the browser/);
  });
});
