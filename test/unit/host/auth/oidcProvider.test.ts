import assert from 'node:assert/strict';
import { notesScope, serveNotes, type NotesServer } from '../../../fixtures/servers/notesServer.ts';
import { OidcIssuer } from '../../../fixtures/servers/oidcIssuer.ts';
import { textOf } from '../../support/connectionBed.ts';
import { clientDocument } from '../../../../src/host/auth/clientDocument.ts';
import { httpServer } from '../../support/definitions.ts';
import { SignInBed } from '../../support/signInBed.ts';
import { untilSeen } from '../../support/until.ts';
import { shownOf } from '../../support/questions.ts';

/** Signs in as `ada` and consents, as somebody does in the pages of oidc-provider. */
async function signInByForms(address: string): Promise<void> {
  const cookies = new Map<string, string>();
  let next: { readonly url: string; readonly body?: URLSearchParams } | undefined = { url: address };
  for (let steps = 0; next && steps < 20; steps += 1) {
    const { url, body }: { url: string; body?: URLSearchParams } = next;
    const response: Response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(body && { method: 'POST', body }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    const page = await response.text();
    const [, action] = /<form[^>]* action="([^"]+)"/.exec(page) ?? [];
    const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
    if (location !== null) {
      next = { url: new URL(location, url).href };
    } else {
      next = action === undefined ? undefined : { url: new URL(action, url).href, body: formOf(prompt) };
    }
  }
}

function formOf(prompt: string): URLSearchParams {
  return new URLSearchParams({ prompt, ...(prompt === 'login' && { login: 'ada', password: 'any' }) });
}

suite('signing in at oidc-provider', () => {
  let issuer: OidcIssuer;
  let server: NotesServer;
  let bed: SignInBed;

  setup(async () => {
    issuer = await OidcIssuer.start();
    server = await serveNotes(issuer);
    bed = new SignInBed();
    bed.browser.visit = signInByForms;
  });

  teardown(async () => {
    await bed.close();
    await Promise.all([server.close(), issuer.close()]);
  });

  test('calls a tool as the account, and revokes when you sign out', async () => {
    const definition = httpServer(server.url);
    bed.start(definition);
    const question = await bed.question();
    assert.match(shownOf(question).text, new RegExp(notesScope));
    await bed.answer('signIn');
    await bed.hosts.until(definition, 'running');
    const called = bed.hosts.of(definition).callTool('read_notes', {});
    assert.equal(await textOf(called), 'The notes of ada');
    assert.deepEqual(issuer.events, ['registration_create.success', 'grant.success']);
    assert.equal((await bed.account(definition))?.subject, 'ada');
    const token = server.tokens.at(-1) ?? '';
    assert.ok(await issuer.find(token, server.url));
    assert.equal(await bed.of(definition).signOut(), 'revoked');
    assert.ok(!(await issuer.find(token, server.url)));
    await assert.rejects(bed.hosts.of(definition).callTool('read_notes', {}), /requires you to sign in/);
  });

  test('registers again for a permission that it was not registered for', async () => {
    const definition = httpServer(server.url);
    await bed.signInTo(definition);
    const write = (): Promise<unknown> => bed.hosts.of(definition).callTool('write_notes', {});
    await assert.rejects(write(), /more permissions/);
    assert.match(shownOf(await bed.question()).text, /is registered at .* again/);
    await bed.answer('signIn');
    await untilSeen(() => bed.state(definition) === undefined, 'you have granted it');
    await write();
    assert.deepEqual(issuer.events, [
      'registration_create.success',
      'grant.success',
      'registration_create.success',
      'grant.success',
    ]);
  });
});

suite('signing in at oidc-provider that takes client metadata documents alone', () => {
  const document = clientDocument('https://mcp-host.example/oauth/client.json');
  let issuer: OidcIssuer;
  let server: NotesServer;
  let bed: SignInBed;

  const begin = (clientDocumentUrl: string): void => {
    bed = new SignInBed({ clientDocument: clientDocumentUrl });
    bed.browser.visit = signInByForms;
  };

  setup(async () => {
    issuer = await OidcIssuer.start({ document });
    server = await serveNotes(issuer);
  });

  teardown(async () => {
    await bed.close();
    await Promise.all([server.close(), issuer.close()]);
  });

  test('says that a document is needed, and leads to the definition', async () => {
    begin('');
    const definition = httpServer(server.url);
    bed.start(definition);
    assert.match(await bed.failure(definition), /takes a client metadata document; .* "clientMetadataUrl"/);
    assert.equal(bed.reason(definition)?.needs, 'definition');
  });

  test('is known by the document of the publisher, at a port of its own', async () => {
    begin(document.client_id);
    const definition = httpServer(server.url);
    bed.start(definition);
    assert.match(shownOf(await bed.question()).text, /known by the document https:\S+ of its publisher/);
    await bed.answer('signIn');
    await bed.hosts.until(definition, 'running');
    assert.deepEqual(issuer.events, ['grant.success']);
    assert.equal((await bed.account(definition))?.subject, 'ada');
  });

  test('is known by the document of the definition before that of the publisher', async () => {
    begin('https://mcp-host.example/oauth/another.json');
    const oauth = { clientMetadataUrl: document.client_id };
    await bed.signInTo(httpServer(server.url, { oauth }));
    assert.deepEqual(issuer.events, ['grant.success']);
  });

  test('says so where the browser returns to another place than the document names', async () => {
    begin(document.client_id);
    bed.browser.external = () => 'https://editor.example/proxy/4000/callback';
    const definition = httpServer(server.url);
    bed.start(definition);
    await bed.answer('signIn');
    assert.match(await bed.failure(definition), /returns to editor\.example, .* host a document of your own/);
    assert.equal(bed.reason(definition)?.needs, 'definition');
    assert.deepEqual(bed.browser.opened, []);
  });
});

/** The rows of the table in docs/internals/protocol.md that are oidc-provider. */
for (const [what, document] of [
  ['registers clients', undefined],
  ['takes documents', clientDocument('https://mcp-host.example/oauth/client.json')],
] as const) {
  test(`a sign-in at oidc-provider that ${what} outlives expiry, and ends when either side ends it`, async () => {
    const issuer = await OidcIssuer.start({ ...(document && { document }) });
    const server = await serveNotes(issuer);
    const bed = new SignInBed({ clientDocument: document?.client_id ?? '' });
    bed.browser.visit = signInByForms;
    try {
      const definition = httpServer(server.url);
      const call = (tool = 'read_notes'): Promise<string> => bed.call(definition, tool);
      await bed.signInTo(definition);
      // Each refresh token is good once, and used twice it ends everything.
      for (let round = 0; round < 3; round += 1) {
        await issuer.expire();
        assert.equal(await call(), 'The notes of ada');
      }
      await assert.rejects(call('write_notes'), /more permissions/);
      await bed.answer('signIn');
      await untilSeen(() => bed.state(definition) === undefined, 'you have granted it');
      assert.equal(await call('write_notes'), 'A note was written');
      await issuer.endSignIns();
      await assert.rejects(call(), /has ended your sign-in/);
      await bed.answer('signIn');
      await untilSeen(() => bed.state(definition) === undefined, 'you are signed in again');
      assert.equal(await call(), 'The notes of ada');
      assert.equal(await bed.of(definition).signOut(), 'revoked');
      assert.ok(!(await issuer.find(server.tokens.at(-1) ?? '', server.url)));
    } finally {
      await bed.close();
      await Promise.all([server.close(), issuer.close()]);
    }
  });
}
