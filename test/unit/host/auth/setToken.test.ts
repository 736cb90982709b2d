import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { HttpServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import { sentHeader } from '../../../../src/host/config/tokenText.ts';
import { shownAccount } from '../../../../src/host/auth/accountText.ts';
import { ServerAccounts } from '../../../../src/host/auth/accounts/serverAccounts.ts';
import { HostError } from '../../../../src/host/errors/hostError.ts';
import {
  serve,
  serveModern,
  serveSse,
  serveStreamableHttp,
  type HttpServer,
} from '../../../fixtures/servers/httpServers.ts';
import { serveLocked, type Lock, type LockedServer } from '../../../fixtures/servers/lockedServer.ts';
import { AuthorizationServer } from '../../support/authorizationServer.ts';
import { httpServer } from '../../support/definitions.ts';
import { ProtectedServer } from '../../support/protectedServer.ts';
import { SharedMachine, SignInBed } from '../../support/signInBed.ts';
import { until, untilSeen } from '../../support/until.ts';

const token = 'key-0123456789';
const bearer = sentHeader('', token);

suite('A token that you set', () => {
  let machine: SharedMachine;
  let bed: SignInBed;
  const windows: SignInBed[] = [];
  const servers: { close(): Promise<void> }[] = [];

  setup(() => {
    machine = new SharedMachine();
    bed = open();
  });

  teardown(async () => {
    await Promise.all(windows.splice(0).map((one) => one.close()));
    await Promise.all(servers.splice(0).map((one) => one.close()));
    machine.remove();
  });

  /** Another window of the machine. */
  function open(): SignInBed {
    const window = new SignInBed({ machine });
    windows.push(window);
    return window;
  }

  function closing<T extends { close(): Promise<void> }>(server: T): T {
    servers.push(server);
    return server;
  }

  async function locked(
    inner: HttpServer,
    lock: Lock = { header: 'authorization', value: `Bearer ${token}` },
  ): Promise<LockedServer> {
    return closing(await serveLocked(inner, lock));
  }

  /** Starts a server, and waits until it is known that it requires a token. */
  async function required(definition: HttpServerDefinition, window = bed): Promise<void> {
    window.start(definition);
    await needsToken(definition, 'token required', window);
  }

  async function needsToken(definition: HttpServerDefinition, word: string, window = bed): Promise<void> {
    const has = (): boolean => {
      const { state } = window.hosts.of(definition);
      return state.kind === 'signInRequired' && state.reason.needs === 'token' && state.reason.word === word;
    };
    await until(has, word, (listener) => window.hosts.host.onDidChangeServer(listener));
  }

  const kinds = [
    ['Streamable HTTP of the legacy era', serveStreamableHttp, {}],
    ['Streamable HTTP of the modern era', serveModern, {}],
    ['HTTP+SSE', serveSse, {}],
    ['HTTP+SSE, if the definition says so', serveSse, { type: 'sse' }],
  ] as const;
  for (const [name, serveInner, definition] of kinds) {
    test(`is required in place of a sign-in, and starts the server (${name})`, async () => {
      const server = await locked(await serveInner());
      const { url } = server;
      const defined = httpServer(url, definition);
      await required(defined);
      assert.deepEqual([bed.asked, bed.browser.opened, server.admitted], [[], [], []]);
      await bed.of(defined).setToken(bearer);
      await bed.hosts.until(defined, 'running');
      assert.ok(server.admitted.length > 0);
      // Each request since then had it, the streams included.
      const since = server.headers.slice(server.headers.findIndex(({ authorization }) => authorization));
      assert.deepEqual([...new Set(since.map(({ authorization }) => authorization))], [`Bearer ${token}`]);
      assert.deepEqual(bed.asked, []);
    });
  }

  test('is sent with the request for the event stream of a legacy server', async () => {
    const server = await locked(await serveStreamableHttp());
    const definition = httpServer(server.url);
    await required(definition);
    await bed.of(definition).setToken(bearer);
    await bed.hosts.until(definition, 'running');
    await untilSeen(() => server.admitted.includes('GET /mcp'), 'the stream is open');
  });

  test('is the second choice where the server has metadata of a sign-in', async () => {
    const issuer = closing(await AuthorizationServer.start());
    const server = closing(await ProtectedServer.start(issuer));
    const definition = httpServer(server.url);
    bed.start(definition);
    await bed.question();
    assert.equal(bed.reason(definition)?.needs, undefined);
    assert.match(bed.reason(definition)?.message ?? '', /requires you to sign in/);
  });

  for (const challenge of ['Bearer', 'Basic realm="api"', 'ApiKey', 'Bearer error="invalid_token"']) {
    test(`is required where the challenge is ${challenge}`, async () => {
      const lock = { header: 'authorization', value: `Bearer ${token}`, challenge };
      const { url } = await locked(await serveStreamableHttp(), lock);
      await required(httpServer(url));
    });
  }

  test('leaves signing in as the second choice', async () => {
    const { url } = await locked(await serveStreamableHttp());
    const definition = httpServer(url);
    await required(definition);
    await assert.rejects(bed.hosts.host.start(definition.id), { code: 'signInRequired' });
    await needsToken(definition, 'token required');
    assert.deepEqual(bed.asked, [], 'starting it again asks nothing');
    bed.of(definition).askAgain(true);
    assert.equal(bed.asked.length, 1);
  });

  test('goes into the header that you name', async () => {
    const server = await locked(await serveStreamableHttp(), { header: 'x-api-key', value: token });
    const definition = httpServer(server.url);
    await required(definition);
    await bed.of(definition).setToken(sentHeader(' X-Api-Key ', ` ${token}\n`));
    await bed.hosts.until(definition, 'running');
    assert.ok(server.headers.every(({ authorization }) => authorization === undefined));
  });

  test('does not replace a header of the definition with the same name', async () => {
    const server = await locked(await serveStreamableHttp(), { header: 'x-api-key', value: 'right-key' });
    const wrong = httpServer(server.url, { headers: { 'x-API-key': 'from-definition' } });
    await required(wrong);
    await bed.of(wrong).setToken(sentHeader('X-Api-Key', 'right-key'));
    await needsToken(wrong, 'token refused');
    const { state } = bed.hosts.of(wrong);
    assert.match(
      state.kind === 'signInRequired' ? state.reason.message : '',
      /refuses the header 'X-Api-Key' of its definition, which is sent in place of the token/,
    );
    assert.ok(server.headers.every((headers) => headers['x-api-key'] !== 'right-key'));
  });

  test('is sent beside another header of the definition', async () => {
    const server = await locked(await serveStreamableHttp(), { header: 'x-api-key', value: token });
    const definition = httpServer(server.url, { headers: { Authorization: 'Bearer of-the-proxy' } });
    bed.hosts.configure([definition]);
    await bed.of(definition).setToken(sentHeader('X-Api-Key', token));
    bed.hosts.answerAll('allow');
    await bed.hosts.until(definition, 'running');
    assert.ok(server.headers.every(({ authorization }) => authorization === 'Bearer of-the-proxy'));
  });

  test('says once that the server refuses the token, sends it nowhere else, and lets you set another', async () => {
    const server = await locked(await serveStreamableHttp());
    const definition = httpServer(server.url);
    await required(definition);
    await bed.of(definition).setToken(sentHeader('', 'wrong-key-99'));
    await needsToken(definition, 'token refused');
    await until(
      () => bed.state(definition)?.kind === 'required',
      'the search ends',
      bed.hosts.host.onDidChangeServer,
    );
    const before = server.requests.length;
    await assert.rejects(bed.hosts.host.start(definition.id), (error: HostError) => {
      assert.match(error.message, /refuses the token that you set; set another one/);
      assert.deepEqual([error.code, error.needs], ['signInRequired', 'token']);
      return true;
    });
    assert.equal(server.requests.length, before + 1, 'one request for one start');
    assert.deepEqual([bed.asked, bed.browser.opened], [[], []]);
    await bed.of(definition).setToken(bearer);
    await bed.hosts.until(definition, 'running');
  });

  test('says at the next call that the token expired while the server runs', async () => {
    const server = await locked(await serveStreamableHttp());
    const definition = httpServer(server.url);
    await required(definition);
    await bed.of(definition).setToken(bearer);
    await bed.hosts.until(definition, 'running');
    server.lock.value = 'Bearer another';
    await assert.rejects(bed.call(definition, 'echo'), { code: 'signInRequired', needs: 'token' });
    assert.equal(bed.hosts.stateOf(definition), 'running');
    await bed.of(definition).setToken(sentHeader('', 'another'));
    assert.equal(bed.state(definition), undefined);
  });

  for (const status of [307, 308]) {
    test(`is not sent after a redirect (${status}) to another origin`, async () => {
      const elsewhere = closing(await serve('/mcp', (_request, response) => response.writeHead(200).end()));
      const server = closing(
        await serve('/mcp', ({ headers }, response) =>
          headers.authorization === undefined
            ? response.writeHead(401).end()
            : response.writeHead(status, { location: elsewhere.url }).end(),
        ),
      );
      const definition = httpServer(server.url);
      await required(definition);
      await bed.of(definition).setToken(bearer);
      await bed.hosts.until(definition, 'failed');
      assert.ok(server.headers.some(({ authorization }) => authorization === `Bearer ${token}`));
      assert.ok(elsewhere.headers.every(({ authorization }) => authorization === undefined));
    });
  }

  test('is not sent to another address of the same server', async () => {
    const server = await locked(await serveStreamableHttp());
    const definition = httpServer(server.url);
    await required(definition);
    await bed.of(definition).setToken(bearer);
    await bed.hosts.until(definition, 'running');
    const moved = closing(await serve('/mcp', (_request, response) => response.writeHead(401).end()));
    const elsewhere = { ...definition, url: moved.url };
    bed.hosts.configure([elsewhere]);
    await bed.hosts.until(elsewhere, 'awaitingApproval');
    bed.hosts.answerAll('allow');
    await needsToken(elsewhere, 'token required');
    assert.ok(moved.headers.every(({ authorization }) => authorization === undefined));
  });

  test('starts a server that has failed with 403 for lack of it', async () => {
    const lock = { header: 'x-api-key', value: token, status: 403 };
    const { url } = await locked(await serveStreamableHttp(), lock);
    const definition = httpServer(url);
    bed.start(definition);
    await bed.hosts.until(definition, 'failed');
    await bed.of(definition).setToken(sentHeader('X-Api-Key', token));
    await bed.hosts.until(definition, 'running');
  });

  test('is in no log, no failure, no file and no part of the launch', async () => {
    const server = await locked(await serveStreamableHttp());
    const definition = httpServer(server.url);
    await required(definition);
    const fingerprint = (): string | undefined => bed.hosts.host.runningLaunchOf(definition.id);
    await bed.of(definition).setToken(bearer);
    await bed.hosts.until(definition, 'running');
    const before = fingerprint();
    assert.notEqual(before, undefined);
    // The server repeats what it was sent in its refusal.
    server.lock.value = 'Bearer another';
    const failure = await bed.call(definition, 'echo').catch((error: unknown) => error);
    assert.ok(failure instanceof HostError);
    assert.ok(!`${failure.message} ${failure.detail ?? ''}`.includes(token));
    assert.ok(!bed.logged.includes(token), bed.logged);
    await bed.of(definition).setToken(sentHeader('', 'another'));
    assert.equal(fingerprint(), before, 'another token is not another launch');
    for (const folder of [machine.folder, path.join(machine.folder, 'accounts')]) {
      for (const entry of readdirSync(folder, { withFileTypes: true }).filter((one) => one.isFile())) {
        assert.ok(!readFileSync(path.join(folder, entry.name), 'utf8').includes('another'), entry.name);
      }
    }
    assert.deepEqual(
      bed.hosts.questions.questions.map(({ kind }) => kind),
      [],
    );
  });

  test('is used by all windows, and removed for all by Sign Out', async () => {
    const server = await locked(await serveStreamableHttp());
    const definition = httpServer(server.url);
    const other = open();
    await required(definition);
    await required(definition, other);
    await other.of(definition).setToken(bearer);
    await other.hosts.until(definition, 'running');
    await bed.hosts.until(definition, 'running');
    const shown = shownAccount((await bed.of(definition).account()) ?? assert.fail('no account'));
    assert.deepEqual([shown.kind, shown.kind === 'token' && shown.header], ['token', 'Authorization']);
    assert.ok(!JSON.stringify(shown).includes(token));
    assert.equal(await bed.of(definition).signOut(), 'forgotten');
    assert.deepEqual(await other.accounts.all(), []);
    await assert.rejects(other.call(definition, 'echo'), { code: 'signInRequired' });
  });

  test('goes with the server when that is renamed, and when it is removed', async () => {
    const definition = httpServer('https://api.example/mcp');
    bed.hosts.configure([definition]);
    await bed.of(definition).setToken(bearer);
    const kept = new ServerAccounts(bed.accounts);
    const successor = { id: 'user settings:user renamed', label: 'renamed', launches: [] };
    await kept.copy(definition.id, successor);
    await kept.forget(definition.id);
    const owner = { server: successor.id, url: definition.url };
    assert.partialDeepStrictEqual(await bed.accounts.get(owner), { ...owner, ...bearer });
    const restore = await kept.take(successor.id);
    assert.deepEqual(await bed.accounts.all(), []);
    await restore();
    assert.partialDeepStrictEqual(await bed.accounts.get(owner), bearer);
  });

  test('can be set before the first start, unless the address has variables', async () => {
    const server = await locked(await serveStreamableHttp());
    const definition = httpServer(server.url, { autoStart: false });
    bed.hosts.configure([definition]);
    await bed.of(definition).setToken(bearer);
    assert.deepEqual(server.requests, []);
    await bed.hosts.host.start(definition.id);
    bed.hosts.answerAll('allow');
    await bed.hosts.until(definition, 'running');
    const variable = httpServer('https://${input:host}/mcp', {
      id: 'user settings:user other',
      name: 'other',
      autoStart: false,
    });
    bed.hosts.configure([definition, variable]);
    await assert.rejects(bed.of(variable).setToken(bearer), { code: 'notOffered' });
  });
});
