import assert from 'node:assert/strict';
import { accountLines, accountSummary, shownAccount } from '../../../../src/host/auth/accountText.ts';
import type { EditorIssuer } from '../../../../src/host/auth/editorAccounts/editorIssuers.ts';
import type { HttpServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import { HostError, type HostErrorCode } from '../../../../src/host/errors/hostError.ts';
import { AuthorizationServer } from '../../support/authorizationServer.ts';
import { httpServer } from '../../support/definitions.ts';
import { TestEditor } from '../../support/editorAccounts.ts';
import { ProtectedServer } from '../../support/protectedServer.ts';
import { shownOf } from '../../support/questions.ts';
import { SharedMachine, SignInBed } from '../../support/signInBed.ts';
import { untilSeen } from '../../support/until.ts';

suite("signing in with the editor's own account", () => {
  let issuer: AuthorizationServer;
  let server: ProtectedServer;
  let machine: SharedMachine;
  let editor: TestEditor;
  let listed: EditorIssuer;
  let bed: SignInBed;
  let definition: HttpServerDefinition;
  const windows: SignInBed[] = [];

  setup(async () => {
    issuer = await AuthorizationServer.start({ registers: false });
    server = await ProtectedServer.start(issuer, { scopesSupported: ['files:read', 'offline'] });
    machine = new SharedMachine();
    editor = new TestEditor(newToken);
    listed = {
      provider: 'test',
      name: 'Example',
      issuer: issuer.issuer,
      servers: [new URL(server.url).origin],
    };
    bed = open();
    definition = httpServer(server.url);
  });

  teardown(async () => {
    await Promise.all(windows.splice(0).map((one) => one.close()));
    machine.remove();
    await Promise.all([server.close(), issuer.close()]);
  });

  function newToken(scopes: readonly string[]): string {
    const token = `editor-token-${issuer.tokens.size}`;
    const scope = scopes.length > 0 ? scopes.join(' ') : 'files:read offline';
    issuer.tokens.set(token, { key: undefined, scope, resource: null, isValid: true });
    return token;
  }

  function open(): SignInBed {
    const window = new SignInBed({ machine, editor: { accounts: editor, issuers: [listed] } });
    windows.push(window);
    return window;
  }

  /** The `Authorization` header of each call of a tool. */
  const calls = (): readonly (string | undefined)[] =>
    server.seen.filter(([method]) => method === 'tools/call').map(([, authorization]) => authorization);

  test('asks which account the editor may lend, and sends its token to the server alone', async () => {
    bed.start(definition);
    const question = await bed.question();
    const { text, view } = shownOf(question);
    const [host, at] = [new URL(server.url).host, new URL(issuer.issuer).host];
    assert.match(JSON.stringify(view.title), /Let 'server' use your Example account\?/);
    assert.ok(
      text.includes(`The token of the editor's Example account, from ${at}, lets ${host} act for you.`),
    );
    assert.match(text, /- files:read\n- offline/);
    assert.match(text, /MCP Host asks for it when a request needs it, and stores none/);
    assert.deepEqual([editor.asked, editor.silent], [[], []]);
    bed.questions.answer(question, 'signIn');
    await bed.hosts.until(definition, 'running');
    assert.equal(await bed.call(definition), 'did read');
    assert.deepEqual(
      editor.asked.map(({ provider, scopes, isNew }) => ({ provider, scopes, isNew })),
      [{ provider: 'test', scopes: ['files:read', 'offline'], isNew: false }],
    );
    assert.ok(editor.asked[0]?.detail.includes(host));
    assert.deepEqual(bed.browser.opened, []);
    // Its issuer is never asked.
    assert.deepEqual(issuer.requests, []);
    assert.deepEqual(calls(), ['Bearer editor-token-0']);
  });

  test('stores no token', async () => {
    await bed.signInTo(definition);
    const [stored, ...others] = await bed.accounts.all();
    assert.ok(stored);
    assert.deepEqual(others, []);
    assert.equal(JSON.stringify(stored).includes('editor-token'), false);
    assert.equal('tokens' in stored, false);
    assert.deepEqual('editor' in stored && stored.editor, {
      provider: 'test',
      providerName: 'Example',
      id: 'id of ada',
      label: 'ada',
    });
    bed.hosts.logs.forEach((logger) => (logger.isTracing = true));
    await bed.call(definition);
    assert.equal(bed.logged.includes('editor-token'), false);
  });

  test('uses the account in the next window without a question, and without a dialog', async () => {
    await bed.signInTo(definition);
    const next = open();
    next.start(definition);
    await next.hosts.until(definition, 'running');
    assert.deepEqual(next.asked, []);
    assert.equal(editor.asked.length, 1);
  });

  for (const [what, change] of [
    ['a server that is not on the list', () => ({ servers: ['https://other.example'] })],
    ['an issuer that is not on the list', () => ({ issuer: 'https://other.example' })],
  ] as const) {
    test(`is not offered for ${what}`, async () => {
      listed = { ...listed, ...change() };
      bed = open();
      bed.start(definition);
      assert.match(await bed.failure(definition), /does not register clients/);
      assert.deepEqual([editor.asked, editor.silent, bed.asked], [[], [], []]);
    });
  }

  for (const [what, oauth] of [
    ['its own client', { clientId: 'own' }],
    ['its own client metadata', { clientMetadataUrl: 'https://app.example/client' }],
    ['its own credentials', { clientId: 'own', clientSecret: 'x', grantType: 'client_credentials' }],
  ] as const) {
    test(`is not offered where the definition has ${what}`, async () => {
      const own = httpServer(server.url, { oauth });
      bed.start(own);
      await untilSeen(() => issuer.requests.length > 0, 'the issuer is asked');
      await untilSeen(() => bed.state(own)?.kind === 'required', 'it is known how you sign in');
      assert.ok(bed.asked.every(({ plan }) => plan.how !== 'editor'));
      assert.deepEqual([editor.asked, editor.silent], [[], []]);
    });
  }

  test('never replaces a fixed Authorization header', async () => {
    const fixed = httpServer(server.url, { headers: { Authorization: 'Bearer mine-alone' } });
    bed.start(fixed);
    await bed.hosts.until(fixed, 'failed');
    assert.ok(server.seen.every(([, authorization]) => authorization === 'Bearer mine-alone'));
    assert.deepEqual([editor.asked, editor.silent, bed.asked], [[], [], []]);
  });

  test('is no longer used once the list does not have the server', async () => {
    await bed.signInTo(definition);
    await bed.hosts.host.stop(definition.id);
    listed = { ...listed, servers: [] };
    const later = open();
    const before = [editor.silent.length, server.seen.length];
    later.start(definition);
    assert.match(await later.failure(definition), /does not register clients/);
    assert.equal(editor.silent.length, before[0]);
    assert.ok(server.seen.slice(before[1]).every(([, authorization]) => authorization === undefined));
  });

  test('asks for no scope that commands the editor', async () => {
    definition = httpServer(server.url, { oauth: { scopes: ['files:read', 'VSCODE_CLIENT_ID:evil'] } });
    bed.start(definition);
    assert.deepEqual((await bed.question()).plan.scope, 'files:read');
  });

  test('waits again when you close the dialog of the editor, and says nothing', async () => {
    editor.answer = 'declined';
    bed.start(definition);
    await bed.answer('signIn');
    await untilSeen(() => editor.asked.length === 1, 'the editor asks');
    await bed.hosts.until(definition, 'signInRequired');
    await untilSeen(() => bed.state(definition)?.kind === 'required', 'you can sign in');
    assert.deepEqual(await bed.accounts.all(), []);
    editor.answer = 'ada';
    await bed.of(definition).signIn();
    await bed.hosts.until(definition, 'running');
  });

  test('says why the editor could not ask, and what to do', async () => {
    editor.answer = new Error("No authentication provider 'test' is currently registered.");
    bed.start(definition);
    await bed.answer('signIn');
    const failure = await bed.failure(definition);
    assert.match(failure, /did not sign you in to Example \(No authentication provider .*"Authorization"/);
  });

  test('ends when you sign out in the editor, and begins again when you sign in there', async () => {
    await bed.signInTo(definition);
    editor.signOut();
    assert.equal(await bed.of(definition).account(), undefined);
    await assert.rejects(
      bed.call(definition),
      isA('signInRequired', /no longer signed in to Example in the editor/),
    );
    assert.deepEqual(calls(), [undefined]);
    await bed.question();
    await editor.ask({ provider: 'test', scopes: ['files:read', 'offline'] }, '', false);
    editor.refresh();
    await untilSeen(() => bed.state(definition) === undefined, 'you are signed in again');
    assert.deepEqual(bed.asked, []);
    assert.equal(await bed.call(definition), 'did read');
  });

  test('uses the token that the editor has refreshed', async () => {
    await bed.signInTo(definition);
    issuer.expire();
    editor.refresh();
    assert.equal(await bed.call(definition), 'did read');
    assert.deepEqual(calls(), ['Bearer editor-token-1']);
    assert.deepEqual(bed.asked, []);
  });

  test('asks the editor again after a minute', async () => {
    await bed.signInTo(definition);
    await bed.call(definition);
    const before = editor.silent.length;
    await bed.call(definition);
    assert.equal(editor.silent.length, before);
    bed.ahead = 60_000;
    await bed.call(definition);
    assert.equal(editor.silent.length, before + 1);
  });

  test('asks for a new token when the server refuses the one that the editor has', async () => {
    await bed.signInTo(definition);
    issuer.expire();
    await assert.rejects(bed.call(definition), isA('signInRequired'));
    await bed.answer('signIn');
    await untilSeen(() => bed.state(definition) === undefined, 'you are signed in again');
    assert.deepEqual(
      editor.asked.map(({ isNew }) => isNew),
      [false, false, true],
    );
    assert.equal(await bed.call(definition), 'did read');
  });

  test('asks for more permissions, and keeps those that you have granted', async () => {
    server.options.scopes = { write: 'files:write' };
    await bed.signInTo(definition);
    await assert.rejects(bed.call(definition, 'write'), isA('signInRequired', /more permissions/));
    assert.deepEqual((await bed.question()).plan.added, ['files:write']);
    await bed.answer('signIn');
    await untilSeen(() => bed.state(definition) === undefined, 'you have granted it');
    assert.deepEqual(editor.asked.at(-1)?.scopes, ['files:read', 'offline', 'files:write']);
    assert.equal(await bed.call(definition, 'write'), 'did write');
  });

  test('never uses another account than the one that you selected', async () => {
    await bed.signInTo(definition);
    editor.current = (request) => {
      editor.silent.push(request);
      return Promise.resolve({ accessToken: newToken([]), account: { id: 'id of bob', label: 'bob' } });
    };
    editor.refresh();
    await assert.rejects(bed.call(definition), isA('signInRequired'));
  });

  test('fails without forgetting anything while the editor can not be asked', async () => {
    await bed.signInTo(definition);
    editor.broken = new Error('Timed out waiting for authentication provider');
    editor.refresh();
    await assert.rejects(bed.call(definition), isA('unreachable', /did not give the token of Example/));
    assert.equal((await bed.accounts.all()).length, 1);
    editor.broken = undefined;
    assert.equal(await bed.call(definition), 'did read');
  });

  test('forgets that the server may use it when you sign out, in all windows', async () => {
    await bed.signInTo(definition);
    const other = open();
    other.start(definition);
    await other.hosts.until(definition, 'running');
    assert.equal(await bed.of(definition).signOut(), 'editorStays');
    assert.deepEqual(await bed.accounts.all(), []);
    await untilSeen(
      async () => (await other.of(definition).account()) === undefined,
      'the other window knows',
    );
    const before = editor.silent.length;
    for (const window of [bed, other]) {
      await assert.rejects(window.call(definition), isA('signInRequired'));
    }
    assert.equal(editor.silent.length, before);
    assert.deepEqual(issuer.requests, []);
  });

  test('says whose account is used', async () => {
    await bed.signInTo(definition);
    const account = await bed.of(definition).account();
    assert.ok(account);
    const shown = shownAccount(account);
    assert.equal(accountSummary(shown), "ada · the editor's Example account");
    const lines = accountLines(shown, String);
    assert.ok(lines.includes('Signed in as: ada'));
    assert.ok(lines.includes('Permissions (scopes): files:read offline'));
    assert.ok(lines.some((line) => line.includes('kept by the editor')));
    assert.equal(JSON.stringify(shown).includes('editor-token'), false);
  });
});

function isA(code: HostErrorCode, words = /./): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof HostError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    return true;
  };
}
