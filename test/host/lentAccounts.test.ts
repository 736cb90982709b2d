import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore } from '../../src/base/lifetime/disposable.ts';
import { Emitter } from '../../src/base/lifetime/event.ts';
import { openSignIn, type OpenSignIn } from '../../src/editor/signIn/openSignIn.ts';
import type { EditorIssuer } from '../../src/host/auth/editorAccounts/editorIssuers.ts';
import { ServerSignIn } from '../../src/host/auth/serverSignIn.ts';
import { signInQuestions, type SignInQuestion } from '../../src/host/auth/signInQuestion.ts';
import type { HttpServerDefinition } from '../../src/host/config/serverDefinition.ts';
import type { HostError } from '../../src/host/errors/hostError.ts';
import { QuestionQueue } from '../../src/host/questions/questionQueue.ts';
import { withSignIn, type ConnectionState } from '../../src/host/state/connectionState.ts';
import { authorizedFetch } from '../../src/host/transport/http/authorizedFetch.ts';
import { AuthorizationServer } from '../unit/support/authorizationServer.ts';
import { ProtectedServer } from '../unit/support/protectedServer.ts';
import { ofKind } from '../unit/support/questions.ts';
import { SharedSecrets } from '../unit/support/secretStores.ts';
import { until } from '../unit/support/until.ts';
import { ada, TestProvider } from './testProvider.ts';

const scopes = ['files:read'];
let providers = 0;

suite("Signing in with an account of the editor's", () => {
  let issuer: AuthorizationServer;
  let server: ProtectedServer;
  let provider: TestProvider;
  let folder: string;
  let store: DisposableStore;
  let questions: QuestionQueue;
  let opened: OpenSignIn;
  let signIn: ServerSignIn;
  let state: ConnectionState;
  const changes = new Emitter<void>();
  const accountChanges = new Emitter<void>();
  let send: () => Promise<Response>;

  setup(async () => {
    issuer = await AuthorizationServer.start({ registers: false });
    server = await ProtectedServer.start(issuer, { scopesSupported: scopes });
    providers += 1;
    // The editor remembers by the id what you have allowed.
    provider = new TestProvider(`mcp-host-test-${providers}`, newToken);
    folder = mkdtempSync(join(tmpdir(), 'mcp-editor-sign-in-'));
  });

  teardown(async () => {
    store.dispose();
    provider.registration.dispose();
    rmSync(folder, { recursive: true, force: true });
    await Promise.all([server.close(), issuer.close()]);
  });

  function newToken(): string {
    const token = `editor-token-${issuer.tokens.size}`;
    issuer.tokens.set(token, { key: undefined, scope: scopes.join(' '), resource: null, isValid: true });
    return token;
  }

  /** Another window's part that signs you in; the servers that may get the tokens are the test's. */
  function open(issuers?: readonly EditorIssuer[], url = server.url): void {
    store = new DisposableStore();
    questions = new QuestionQueue();
    const context = { secrets: new SharedSecrets(), globalStorageUri: vscode.Uri.file(folder) };
    opened = openSignIn(context, questions, () => signIn, store, issuers);
    const definition: HttpServerDefinition = {
      id: 'user/notes',
      name: 'notes',
      type: 'http',
      url,
      headers: {},
      origin: { scope: 'user', format: 'settings', place: '' },
      inputs: [],
      disabled: false,
    };
    const asking = { definition, label: 'notes' };
    state = { kind: 'starting' };
    signIn = store.add(
      new ServerSignIn({
        ports: opened.ports,
        server: () => asking,
        connection: {
          get state() {
            return state;
          },
          logger: { isTracing: false, log: () => {} },
          setSignIn: (next) => {
            state = withSignIn(state, next);
            changes.fire();
          },
        },
        secrets: new Set(),
        signedIn: () => {},
        accountChanged: () => accountChanges.fire(),
      }),
    );
    const fetchAs = authorizedFetch(signIn.authorize(definition), new URL(url).origin, 'optional');
    send = async () => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read' } });
      const response = await fetchAs(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
      await response.text();
      return response;
    };
  }

  const listed = (): EditorIssuer => ({
    provider: provider.id,
    name: 'Test',
    issuer: issuer.issuer,
    servers: [new URL(server.url).origin],
  });

  /** Allows MCP Host to use the account in the Accounts menu of the editor, which shows no dialog in this mode. */
  async function allowInEditor(): Promise<void> {
    assert.equal(await vscode.authentication.getSession(provider.id, scopes), undefined);
    const commands = await vscode.commands.getCommands(true);
    const command = commands.find((one) => one.startsWith(`${provider.id}:`) && /:signIn\d+$/.test(one));
    assert.ok(command, 'the Accounts menu offers no sign-in');
    await vscode.commands.executeCommand(command);
  }

  /** Why you have to sign in, or can't, once that is known. */
  function reason(): HostError | undefined {
    return state.signIn?.kind === 'required' ? state.signIn.reason : undefined;
  }

  const asked = (): readonly SignInQuestion[] => ofKind(questions.questions, signInQuestions);

  async function question(): Promise<SignInQuestion> {
    await until(() => asked().length > 0, 'you are asked', questions.onDidChange);
    const [one] = asked();
    assert.ok(one);
    return one;
  }

  async function signInOnce(): Promise<void> {
    await assert.rejects(send(), { code: 'signInRequired' });
    questions.answer(await question(), 'signIn');
    await until(() => state.signIn === undefined, 'you are signed in', changes.event);
  }

  test('asks once, uses the session that the editor gives, and stores no token', async () => {
    await allowInEditor();
    open([listed()]);
    await assert.rejects(send(), { code: 'signInRequired' });
    const first = await question();
    await assert.rejects(send(), { code: 'signInRequired' });
    assert.deepEqual(asked(), [first]);
    assert.equal(first.plan.how, 'editor');
    questions.answer(first, 'signIn');
    await until(() => state.signIn === undefined, 'you are signed in', changes.event);
    assert.equal((await send()).status, 200);
    assert.equal(server.seen.at(-1)?.[1], 'Bearer editor-token-0');
    assert.equal(provider.created, 1);
    const stored = await opened.accounts.all();
    assert.deepEqual(
      stored.map((one) => ['tokens' in one, 'editor' in one && one.editor.label]),
      [[false, ada.label]],
    );
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    assert.ok(files.length > 0);
    assert.ok(
      files.every(
        (file) => !readFileSync(join(file.parentPath, file.name), 'latin1').includes('editor-token'),
      ),
    );
  });

  test('is refused by the editor without your consent, and stores nothing', async () => {
    await provider.createSession(scopes);
    open([listed()]);
    await assert.rejects(send(), { code: 'signInRequired' });
    questions.answer(await question(), 'signIn');
    const hasFailed = (): boolean => reason()?.cause !== undefined;
    await until(hasFailed, 'the editor has refused', changes.event);
    assert.deepEqual(await opened.accounts.all(), []);
    assert.deepEqual(
      server.seen.map(([, authorization]) => authorization),
      [undefined],
    );
  });

  test('ends for the server when you sign out, and not in the editor', async () => {
    await allowInEditor();
    open([listed()]);
    await signInOnce();
    assert.equal(await signIn.signOut(), 'editorStays');
    await assert.rejects(send(), { code: 'signInRequired' });
    assert.equal(server.seen.at(-1)?.[1], undefined);
    assert.equal((await provider.getSessions(scopes)).length, 1);
    assert.deepEqual(await opened.accounts.all(), []);
  });

  test('notices that you sign out in the editor, and in again', async () => {
    await allowInEditor();
    open([listed()]);
    await signInOnce();
    let noticed = 0;
    store.add(accountChanges.event(() => (noticed += 1)));
    await provider.removeSession();
    await until(() => noticed > 0, 'the sign-out is noticed', accountChanges.event);
    await assert.rejects(send(), {
      code: 'signInRequired',
      message: /no longer signed in to Test in the editor/,
    });
    await question();
    await provider.createSession(scopes);
    await until(() => state.signIn === undefined, 'the sign-in is noticed', changes.event);
    assert.deepEqual(asked(), []);
    assert.equal((await send()).status, 200);
    assert.equal(server.seen.at(-1)?.[1], 'Bearer editor-token-1');
  });

  for (const [what, listOf] of [
    ['that the list of the extension does not have', () => undefined],
    [
      'that has another name than the one on the list',
      () => [{ ...listed(), servers: [new URL(server.url).origin.replace('127.0.0.1', 'localhost')] }],
    ],
    [
      'whose issuer only looks like the one on the list',
      () => [{ ...listed(), issuer: `${issuer.issuer}0` }],
    ],
  ] as const) {
    test(`is not offered to a server ${what}`, async () => {
      await allowInEditor();
      open(listOf());
      await assert.rejects(send(), { code: 'signInRequired' });
      await until(() => reason() !== undefined, 'it is known how you sign in', changes.event);
      assert.match(reason()?.message ?? '', /does not register clients/);
      assert.deepEqual(asked(), []);
      assert.ok(server.seen.every(([, authorization]) => authorization === undefined));
    });
  }
});
