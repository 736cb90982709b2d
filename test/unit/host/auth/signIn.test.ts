import assert from 'node:assert/strict';
import { HostError } from '../../../../src/host/errors/hostError.ts';
import { AuthorizationServer } from '../../support/authorizationServer.ts';
import { textOf } from '../../support/connectionBed.ts';
import { httpServer } from '../../support/definitions.ts';
import { ProtectedServer } from '../../support/protectedServer.ts';
import { shownOf } from '../../support/questions.ts';
import { SignInBed } from '../../support/signInBed.ts';

suite('signing in', () => {
  let issuer: AuthorizationServer;
  let server: ProtectedServer;
  let bed: SignInBed;

  setup(async () => {
    issuer = await AuthorizationServer.start();
    server = await ProtectedServer.start(issuer);
    bed = new SignInBed();
  });

  teardown(async () => {
    await bed.close();
    await Promise.all([server.close(), issuer.close()]);
  });

  test('asks once, opens no browser before you answer, and starts the server afterwards', async () => {
    const definition = httpServer(server.url);
    bed.start(definition);
    const question = await bed.question();
    await bed.hosts.until(definition, 'signInRequired');
    assert.deepEqual(bed.browser.opened, []);
    assert.equal(bed.asked.length, 1);
    const { text } = shownOf(question);
    assert.match(text, new RegExp(`Who signs you in: ${issuer.issuer}`));
    assert.match(text, /The token from 127\.0\.0\.1:\d+ goes to 127\.0\.0\.1:\d+\./);
    bed.questions.answer(question, 'signIn');
    await bed.hosts.until(definition, 'running');
    assert.equal(bed.browser.opened.length, 1);
    assert.match(bed.browser.page?.body ?? '', /You are signed in to server/);
    assert.equal(await textOf(bed.hosts.of(definition).callTool('read', {})), 'did read');
    const [client] = issuer.clients.values();
    assert.equal(client?.applicationType, 'native');
    const [asked] = issuer.authorizations;
    assert.equal(asked?.get('resource'), server.url);
    assert.equal(asked?.get('code_challenge_method'), 'S256');
  });

  test('fails at once while you are not signed in, and is not tried again', async () => {
    const definition = httpServer(server.url);
    bed.start(definition);
    await bed.answer('notNow');
    await bed.hosts.until(definition, 'signInRequired');
    const before = server.seen.length;
    await assert.rejects(
      bed.hosts.host.start(definition.id),
      (error) => error instanceof HostError && error.code === 'signInRequired',
    );
    assert.equal(bed.hosts.stateOf(definition), 'signInRequired');
    assert.ok(server.seen.length > before);
    assert.deepEqual(bed.browser.opened, []);
  });
});
