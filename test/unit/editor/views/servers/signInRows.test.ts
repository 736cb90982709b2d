import assert from 'node:assert/strict';
import {
  childNodes,
  serverNode,
  type TreeSources,
} from '../../../../../src/editor/views/servers/serverNodes.ts';
import type { NodeOf, ServerNode } from '../../../../../src/editor/nodes/serverNode.ts';
import { usableAddress } from '../../../../../src/host/auth/signInActions.ts';
import { serverContext } from '../../../../../src/editor/views/servers/serverWord.ts';
import {
  accountRow,
  signInActionRow,
  signInRow,
} from '../../../../../src/editor/views/servers/signInRows.ts';
import { PAGE, type Row } from '../../../../../src/editor/views/row.ts';
import {
  shownAccount,
  type AccountSource,
  type ShownAccount,
} from '../../../../../src/host/auth/accountText.ts';
import { stateWords } from '../../../../../src/host/connection/stateWords.ts';
import type { HttpServerDefinition } from '../../../../../src/host/config/serverDefinition.ts';
import { AuthorizationServer, type IssuerOptions } from '../../../support/authorizationServer.ts';
import { httpServer } from '../../../support/definitions.ts';
import { ProtectedServer } from '../../../support/protectedServer.ts';
import { SharedMachine, SignInBed } from '../../../support/signInBed.ts';
import { until } from '../../../support/until.ts';

/** About what a row of the side bar shows at its default width of 300 pixels. */
const MOST_CHARACTERS = 26;

suite('The rows of a sign-in', () => {
  let issuer: AuthorizationServer;
  let server: ProtectedServer;
  let machine: SharedMachine;
  let bed: SignInBed;
  let definition: HttpServerDefinition;
  let account: ShownAccount | undefined;
  let access: AccountSource['access'];

  const begin = async (options: IssuerOptions = {}): Promise<void> => {
    issuer = await AuthorizationServer.start({ user: 'ada', ...options });
    server = await ProtectedServer.start(issuer);
    machine = new SharedMachine();
    bed = new SignInBed({ machine });
    definition = httpServer(server.url);
    account = undefined;
    access = 'open';
  };

  teardown(async () => {
    await bed.close();
    machine.remove();
    await Promise.all([server.close(), issuer.close()]);
  });

  const sources = (): TreeSources => {
    const nothing = { onDidChange: () => ({ dispose: () => {} }) };
    const accounts: AccountSource = {
      ...nothing,
      accountOf: () => account,
      access,
    };
    // The rows of a sign-in ask nothing of the others.
    return {
      ...nothing,
      host: bed.hosts.host,
      accounts,
      tools: { of: () => [], changes: () => undefined, isTrusted: () => false },
      agentMode: { stateOf: () => 'notGranted' },
    } as unknown as TreeSources;
  };
  const nodes = <K extends ServerNode['kind']>(kind: K): readonly NodeOf<K>[] => {
    const found = bed.hosts.host.server(definition.id);
    assert.ok(found);
    return childNodes(sources(), serverNode(found), PAGE).filter(
      (node): node is NodeOf<K> => node.kind === kind,
    );
  };
  const row = (): Row => {
    const [node] = nodes('signIn');
    assert.ok(node, 'there is no row about a sign-in');
    return signInRow(node);
  };
  const actions = (): readonly string[] => nodes('signInAction').map(({ action }) => action);
  const labels = (): readonly string[] => nodes('signInAction').map((node) => signInActionRow(node).label);
  const context = (): string => {
    const found = bed.hosts.host.server(definition.id);
    assert.ok(found);
    return serverContext(found, sources());
  };
  const untilFailed = async (): Promise<void> => {
    const hasFailed = (): boolean => bed.reason(definition)?.cause !== undefined;
    await until(hasFailed, 'the sign-in has failed', bed.hosts.host.onDidChangeServer);
  };

  test('say that you have to sign in, and at which host', async () => {
    await begin();
    bed.start(definition);
    await bed.question();
    await bed.hosts.until(definition, 'signInRequired');
    const { label, description, tooltip = '', context: rowContext } = row();
    assert.equal(label, 'Sign in required');
    assert.equal(description, new URL(issuer.issuer).host);
    assert.ok(tooltip.startsWith('The server requires you to sign in.') && tooltip.includes(issuer.issuer));
    assert.equal(rowContext, 'signIn required');
    assert.deepEqual(labels(), ['Sign In…']);
    assert.match(context(), /^server idle signInRequired\b.* signIn\b/);
    const { state } = bed.hosts.of(definition);
    assert.equal(stateWords(state).word, 'sign in required');
  });

  test('offer the address, the answer and the end while the browser is open', async () => {
    await begin();
    bed.browser.visit = () => Promise.resolve();
    bed.start(definition);
    await bed.answer('signIn');
    await bed.untilState(definition, 'inBrowser');
    assert.equal(row().label, 'Waiting for the browser');
    assert.equal(row().description, new URL(issuer.issuer).host);
    assert.ok(!JSON.stringify(row()).includes('state='), 'a row shows what only the browser may know');
    assert.deepEqual(labels(), ['Copy the Address', 'Paste the Answer…', 'Cancel']);
    assert.match(context(), / signingIn inBrowser\b/);
    bed.of(definition).cancel();
    await bed.untilState(definition, 'required');
    assert.deepEqual(actions(), ['signIn']);
  });

  test('say that the editor did not open the address', async () => {
    await begin();
    bed.browser.open = () => Promise.resolve(false);
    bed.start(definition);
    await bed.answer('signIn');
    await bed.untilState(definition, 'inBrowser');
    assert.equal(row().label, 'Open the address yourself');
    assert.match(row().tooltip ?? '', /^The editor did not open the address\. Copy it/);
  });

  test('say why you can not sign in, and what to do about it', async () => {
    await begin({ pkce: [] });
    bed.start(definition);
    await bed.untilState(definition, 'required');
    assert.equal(row().label, "Can't sign in");
    assert.match(row().description ?? '', /PKCE/);
    assert.match(row().tooltip ?? '', /PKCE/);
    assert.equal(row().context, 'signIn refused');
    assert.deepEqual(actions(), ['tryAgain', 'openDefinition', 'setToken']);
    access = 'reloadNeeded';
    assert.deepEqual(labels(), ['Reload Window']);
  });

  test('offer the address that the server claims, where the definition can have it', async () => {
    await begin();
    server.options.resource = server.url;
    const named = server.url.replace('127.0.0.1', 'localhost');
    definition = httpServer(named);
    bed.start(definition);
    await bed.untilState(definition, 'required');
    assert.match(row().description ?? '', /tokens are for another server \('http:\/\/127\.0\.0\.1:/);
    assert.deepEqual(labels(), ['Use That Address', 'Try Again', 'Set Token…']);
    const state = bed.state(definition);
    const other = { scope: 'user', format: 'extension', place: 'publisher.extension' } as const;
    for (const one of [httpServer(named, { origin: other }), httpServer(`${named}\${a}`)]) {
      assert.equal(usableAddress(state, one), undefined);
    }
  });

  test('offer to register again once a sign-in with a registration has failed', async () => {
    await begin({ answer: 'denied' });
    bed.start(definition);
    await bed.answer('signIn');
    await untilFailed();
    assert.equal(row().context, 'signIn required registered');
    assert.deepEqual(actions(), ['signIn', 'registerAgain']);
    assert.equal(row().label, 'Access denied');
    assert.equal(row().description, new URL(issuer.issuer).host);
  });

  test('offer to register again while the browser shows that the issuer forgot you, and afterwards', async () => {
    await begin();
    await bed.signInTo(definition);
    await bed.of(definition).signOut();
    issuer.clients.clear();
    await assert.rejects(bed.call(definition));
    await bed.answer('signIn');
    await bed.untilState(definition, 'inBrowser');
    assert.deepEqual(labels(), ['Copy the Address', 'Paste the Answer…', 'Register Again', 'Cancel']);
    bed.of(definition).cancel();
    await bed.untilState(definition, 'required');
    assert.deepEqual(labels(), ['Sign In…', 'Register Again']);
    await bed.of(definition).registerAgain();
    await bed.answer('signIn');
    await bed.untilState(definition, undefined);
    assert.equal(issuer.count('POST /register'), 2);
  });

  test('lead to the definition where the issuer takes a document alone', async () => {
    await begin({
      registers: false,
      answers: { metadata: { client_id_metadata_document_supported: true } },
    });
    bed.start(definition);
    await bed.untilState(definition, 'required');
    assert.deepEqual(actions(), ['openDefinition', 'tryAgain', 'setToken']);
  });

  test('say in few words why you have to sign in again', async () => {
    await begin();
    await bed.signInTo(definition);
    issuer.endSessions();
    await assert.rejects(bed.call(definition));
    await bed.question();
    assert.equal(row().label, 'Sign-in ended');
    assert.match(row().tooltip ?? '', /^127\.0\.0\.1:\d+ has ended your sign-in; sign in again\./);
    await bed.answer('signIn');
    await bed.untilState(definition, undefined);
    server.options.scopes = { write: 'files:write' };
    await assert.rejects(bed.call(definition, 'write'));
    await bed.question();
    assert.equal(row().label, 'More permissions required');
  });

  test('say that the issuer can not be reached', async () => {
    await begin();
    await issuer.close();
    bed.start(definition);
    await bed.untilState(definition, 'required');
    assert.equal(row().label, 'Not reachable');
    assert.ok(row().description?.includes(new URL(issuer.issuer).host));
  });

  test('offer to sign in without scopes that the issuer refuses, or the definition', async () => {
    await begin({ validScopes: ['read'], scopesSupported: ['read'] });
    server.options.scopesSupported = ['read', 'all'];
    bed.start(definition);
    await bed.answer('signIn');
    await untilFailed();
    assert.equal(row().label, 'Scopes refused');
    assert.deepEqual(labels(), ['Sign In without Them…', 'Open the Definition']);
    issuer.options.validScopes = [];
    await assert.rejects(bed.of(definition).signIn());
    assert.deepEqual(labels(), ['Open the Definition', 'Sign In…']);
  });

  test('have labels that fit into a narrow side bar', async () => {
    await begin({ token: 'invalidClient' });
    bed.start(definition);
    await bed.question();
    const labels = [row().label];
    await bed.answer('signIn');
    await untilFailed();
    labels.push(row().label);
    assert.deepEqual(labels, ['Sign in required', 'Not registered there']);
    assert.deepEqual(
      labels.filter((label) => label.length > MOST_CHARACTERS),
      [],
    );
  });

  test('say as whom a server is used, without a token', async () => {
    await begin();
    await bed.signInTo(definition);
    const stored = await bed.of(definition).account();
    assert.ok(stored);
    account = shownAccount(stored);
    const [node] = nodes('account');
    assert.ok(node);
    const shown = accountRow(node);
    assert.equal(shown.description, `ada · ${new URL(issuer.issuer).host}`);
    assert.ok((shown.tooltip ?? '').includes(`Who signs you in: ${issuer.issuer}`));
    const text = JSON.stringify([node.account, shown]);
    assert.deepEqual(
      [...issuer.secrets].filter((secret) => text.includes(secret)),
      [],
    );
    assert.match(context(), / signedIn\b/);
    assert.deepEqual(nodes('signIn'), []);
  });
});
