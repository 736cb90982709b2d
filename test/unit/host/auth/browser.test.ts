import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '../../../fixtures/servers/serve.ts';
import { text } from 'node:stream/consumers';
import type { HttpServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import { HostError } from '../../../../src/host/errors/hostError.ts';
import { AuthorizationServer } from '../../support/authorizationServer.ts';
import { httpServer } from '../../support/definitions.ts';
import { ProtectedServer } from '../../support/protectedServer.ts';
import { shownOf } from '../../support/questions.ts';
import { SignInBed } from '../../support/signInBed.ts';
import { until, untilSeen } from '../../support/until.ts';

suite('signing in with the browser', () => {
  let issuer: AuthorizationServer;
  let server: ProtectedServer;
  let bed: SignInBed;
  let definition: HttpServerDefinition;

  setup(async () => {
    issuer = await AuthorizationServer.start();
    server = await ProtectedServer.start(issuer);
    bed = new SignInBed();
    definition = httpServer(server.url);
  });

  teardown(async () => {
    await bed.close();
    await Promise.all([server.close(), issuer.close()]);
  });

  /** The redirect that the issuer got. */
  function redirect(): URL {
    return new URL(issuer.authorizations.at(-1)?.get('redirect_uri') ?? '');
  }

  /** Answers the question, with a browser that ends without reaching this machine. */
  async function endedElsewhere(): Promise<URL> {
    bed.browser.reachesHost = false;
    bed.start(definition);
    await bed.answer('signIn');
    await bed.address(definition);
    await until(() => bed.browser.ended !== undefined, 'the browser has ended', bed.browser.onDidVisit);
    return new URL(bed.browser.ended ?? '');
  }

  async function isListening({ port }: URL): Promise<boolean> {
    const socket = connect(Number(port), '127.0.0.1');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    return isOpen;
  }

  for (const answer of ['wrongState', 'emptyState', 'noState', 'twoStates'] as const) {
    test(`ignores an answer with ${answer}, and goes on waiting`, async () => {
      issuer.options.answer = answer;
      bed.start(definition);
      await bed.answer('signIn');
      await until(() => bed.browser.page !== undefined, 'the browser has ended', bed.browser.onDidVisit);
      assert.deepEqual(bed.browser.page, { status: 404, body: '' });
      assert.equal(bed.state(definition)?.kind, 'inBrowser');
      assert.equal(bed.hosts.stateOf(definition), 'authorizing');
      assert.equal(issuer.count('POST /token'), 0);
    });
  }

  test('uses no code of an answer with a wrong issuer, and shows nothing that it says', async () => {
    issuer.options.iss = 'https://evil.example';
    bed.start(definition);
    await bed.answer('signIn');
    const failure = await bed.failure(definition);
    assert.match(failure, /does not come from 127\.0\.0\.1/);
    assert.equal(issuer.count('POST /token'), 0);
    await until(() => bed.browser.page !== undefined, 'the browser has ended', bed.browser.onDidVisit);
    const { body = '' } = bed.browser.page ?? {};
    assert.match(body, /You are not signed in to server/);
    assert.ok(![failure, body, bed.logged].some((one) => one.includes('evil')));
  });

  test('uses no code of an answer whose issuer is empty', async () => {
    issuer.options.iss = '';
    issuer.options.answers = { metadata: { authorization_response_iss_parameter_supported: null } };
    bed.start(definition);
    await bed.answer('signIn');
    assert.match(await bed.failure(definition), /does not come from 127\.0\.0\.1/);
    assert.equal(issuer.count('POST /token'), 0);
  });

  test('shows no error description of a wrong issuer', async () => {
    issuer.options.iss = 'https://evil.example';
    issuer.options.answer = 'denied';
    bed.start(definition);
    await bed.answer('signIn');
    assert.doesNotMatch(await bed.failure(definition), /denied|pressed/);
  });

  test('uses no code without the issuer that it announced', async () => {
    issuer.options.iss = true;
    bed.browser.visit = async (url) => {
      const answer = await fetch(url, { redirect: 'manual' });
      const back = new URL(answer.headers.get('location') ?? '');
      back.searchParams.delete('iss');
      await fetch(back);
    };
    bed.start(definition);
    await bed.answer('signIn');
    assert.match(await bed.failure(definition), /does not come from/);
    assert.equal(issuer.count('POST /token'), 0);
  });

  test('accepts the issuer that it announced', async () => {
    issuer.options.iss = true;
    await bed.signInTo(definition);
  });

  test('says that you denied access, and lets you try again', async () => {
    issuer.options.answer = 'denied';
    bed.start(definition);
    await bed.answer('signIn');
    assert.match(await bed.failure(definition), /access was denied at 127\.0\.0\.1/);
    assert.equal(bed.hosts.stateOf(definition), 'signInRequired');
    await until(() => bed.browser.page !== undefined, 'the browser has ended', bed.browser.onDidVisit);
    assert.match(bed.browser.page?.body ?? '', /The reason: access was denied/);
    issuer.options.answer = 'code';
    await bed.of(definition).signIn();
    await bed.hosts.until(definition, 'running');
  });

  test('cancels, closes the listener, and can be started again', async () => {
    issuer.options.answer = 'nothing';
    bed.start(definition);
    await bed.answer('signIn');
    await bed.address(definition);
    await until(() => issuer.authorizations.length === 1, 'the browser is there', bed.browser.onDidVisit);
    assert.equal(await isListening(redirect()), true);
    bed.of(definition).cancel();
    assert.equal(await bed.failure(definition), 'the server requires you to sign in');
    // That would show a message.
    assert.equal(bed.reason(definition)?.cause, undefined);
    await untilSeen(async () => !(await isListening(redirect())), 'the listener is closed');
    assert.equal(bed.hosts.stateOf(definition), 'signInRequired');
    issuer.options.answer = 'code';
    await bed.of(definition).signIn();
    await bed.hosts.until(definition, 'running');
  });

  test('waits ten minutes for the browser, then closes the listener and says what to do', async () => {
    issuer.options.answer = 'nothing';
    bed.start(definition);
    await bed.answer('signIn');
    await bed.address(definition);
    await until(() => issuer.authorizations.length === 1, 'the browser is there', bed.browser.onDidVisit);
    await bed.timers.tick(599_999);
    assert.equal(bed.state(definition)?.kind, 'inBrowser');
    assert.equal(await isListening(redirect()), true);
    await bed.timers.tick(1);
    assert.match(
      await bed.failure(definition),
      /did not come back from 127\.0\.0\.1:\d+ within 10 minutes; sign in again, .* paste the address/,
    );
    await untilSeen(async () => !(await isListening(redirect())), 'the listener is closed');
    assert.equal(bed.hosts.stateOf(definition), 'signInRequired');
    issuer.options.answer = 'code';
    await bed.of(definition).signIn();
    await bed.hosts.until(definition, 'running');
    assert.equal(bed.timers.pending, 0);
  });

  test('closes the listener when the server is stopped', async () => {
    issuer.options.answer = 'nothing';
    bed.start(definition);
    await bed.answer('signIn');
    await until(() => issuer.authorizations.length === 1, 'the browser is there', bed.browser.onDidVisit);
    await bed.hosts.host.stop(definition.id);
    await untilSeen(async () => !(await isListening(redirect())), 'the listener is closed');
    assert.equal(bed.hosts.stateOf(definition), 'stopped');
    assert.equal(bed.state(definition), undefined);
  });

  test('takes one answer, after which nothing listens', async () => {
    await bed.signInTo(definition);
    await until(() => bed.browser.page !== undefined, 'the browser has ended', bed.browser.onDidVisit);
    await untilSeen(async () => !(await isListening(redirect())), 'the listener is closed');
    assert.equal(issuer.count('POST /token'), 1);
  });

  test('takes an answer only once, also while it is being handled', async () => {
    let again: number | undefined;
    bed.browser.visit = async (url) => {
      const answer = await fetch(url, { redirect: 'manual' });
      const location = answer.headers.get('location') ?? '';
      const [first, second] = await Promise.all([fetch(location), fetch(location)]);
      again = [first.status, second.status].toSorted((a, b) => a - b)[1];
    };
    await bed.signInTo(definition);
    await until(() => again !== undefined, 'the browser has ended', bed.browser.onDidVisit);
    assert.equal(again, 404);
    assert.equal(issuer.count('POST /token'), 1);
  });

  test('answers nothing but a GET of its path, for its own host, without an origin', async () => {
    issuer.options.answer = 'nothing';
    bed.start(definition);
    await bed.answer('signIn');
    const address = await bed.address(definition);
    await until(() => issuer.authorizations.length === 1, 'the browser is there', bed.browser.onDidVisit);
    const state = address.searchParams.get('state') ?? '';
    const { port, origin } = redirect();
    const query = `state=${encodeURIComponent(state)}&code=stolen`;
    const answers = [
      await fetch(`${origin}/?${query}`),
      await fetch(`${origin}/callback/?${query}`),
      await fetch(`${origin}/callback?${query}`, { method: 'POST' }),
      await fetch(`${origin}/callback?${query}`, { headers: { origin: 'https://evil.example' } }),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404, 404, 404],
    );
    const rebound = get({ port, path: `/callback?${query}`, headers: { host: `evil.example:${port}` } });
    const [response] = (await once(rebound, 'response')) as [import('node:http').IncomingMessage];
    assert.equal(response.statusCode, 404);
    assert.equal(await text(response), '');
    assert.equal(issuer.count('POST /token'), 0);
  });

  suite('while others hold 1,000 connections', () => {
    let ended: URL;
    const sockets: Socket[] = [];
    setup(async () => {
      ended = await endedElsewhere();
      for (let count = 0; count < 1_000; count += 1) {
        const socket = connect(Number(ended.port), '127.0.0.1').resume();
        socket.on('error', () => {});
        sockets.push(socket);
      }
      await Promise.all(
        sockets.slice(0, 20).map(async (socket) => socket.connecting && once(socket, 'connect')),
      );
      sockets.forEach((socket) => socket.write('GET /callback?state=guess HTTP/1.1\r\n'));
    });
    teardown(() => sockets.splice(0).forEach((socket) => socket.destroy()));

    test('takes a pasted answer', async () => {
      assert.equal(bed.state(definition)?.kind, 'inBrowser');
      bed.of(definition).paste(ended.href);
      await bed.hosts.until(definition, 'running');
    });

    test('ends all but 32 at once, and those that send no whole request a few seconds later', async () => {
      const isOpen = (socket: Socket): boolean => !socket.destroyed;
      await untilSeen(() => sockets.filter(isOpen).length <= 32, 'the others have ended');
      assert.ok(sockets.some(isOpen), 'some go on');
      await untilSeen(() => !sockets.some(isOpen), 'all have ended');
    });

    test('takes the answer of the browser, and shows it the last page', async () => {
      const response = await fetch(ended);
      assert.equal(response.status, 200);
      assert.match(await response.text(), /signed in/i);
      await bed.hosts.until(definition, 'running');
    });
  });

  test('takes only the whole address that the browser ended at', async () => {
    const ended = await endedElsewhere();
    const wrong = new URL(ended);
    wrong.searchParams.set('state', 'guess');
    const signIn = bed.of(definition);
    for (const pasted of [
      ended.searchParams.get('code') ?? '',
      ended.search,
      `https://evil.example/callback${ended.search}`,
      `${ended.origin}/other${ended.search}`,
      wrong.href,
      '',
    ]) {
      assert.throws(
        () => signIn.paste(pasted),
        (error) => error instanceof HostError && error.code === 'invalidArguments',
        pasted,
      );
    }
    assert.equal(issuer.count('POST /token'), 0);
    signIn.paste(` ${ended.href}\n`);
    await bed.hosts.until(definition, 'running');
  });

  test('is not signed in by a code that was used before', async () => {
    const first = await endedElsewhere();
    bed.of(definition).paste(first.href);
    await bed.hosts.until(definition, 'running');
    await bed.of(definition).signOut();
    await assert.rejects(bed.call(definition));
    bed.browser.ended = undefined;
    await bed.answer('signIn');
    await until(() => bed.browser.ended !== undefined, 'the browser has ended', bed.browser.onDidVisit);
    const replayed = new URL(bed.browser.ended ?? '');
    replayed.searchParams.set('code', first.searchParams.get('code') ?? '');
    bed.of(definition).paste(replayed.href);
    assert.match(await bed.failure(definition), /refused.*invalid_grant/);
    assert.equal(await bed.of(definition).account(), undefined);
  });

  test('registers the address under which the browser reaches this machine, as a web client', async () => {
    bed.browser.external = (uri) => `https://editor.example/proxy/${new URL(uri).port}/callback`;
    let page: string | undefined;
    bed.browser.visit = async (url) => {
      const answer = await fetch(url, { redirect: 'manual' });
      const location = new URL(answer.headers.get('location') ?? '');
      const port = location.pathname.split('/')[2] ?? '';
      // What a proxy of the editor does.
      const request = get({ port, path: `/callback${location.search}`, headers: { host: location.host } });
      const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage];
      page = await text(response);
    };
    await bed.signInTo(definition);
    const [oauthClient] = issuer.clients.values();
    assert.equal(oauthClient?.applicationType, 'web');
    assert.match(oauthClient.redirects[0] ?? '', /^https:\/\/editor\.example\/proxy\/\d+\/callback$/);
    await until(() => page !== undefined, 'the browser has ended', bed.browser.onDidVisit);
    assert.match(page ?? '', /You are signed in/);
  });

  test('uses the port of an earlier registration again', async () => {
    await bed.signInTo(definition);
    const { port } = redirect();
    await bed.of(definition).signOut();
    await assert.rejects(bed.call(definition));
    await bed.answer('signIn');
    await untilSeen(() => bed.state(definition) === undefined, 'you are signed in');
    assert.equal(redirect().port, port);
    assert.equal(issuer.count('POST /register'), 1);
  });

  test('registers once, however often you try', async () => {
    issuer.options.answer = 'denied';
    bed.start(definition);
    await bed.answer('signIn');
    await bed.failure(definition);
    const first = redirect().href;
    for (let again = 1; again <= 3; again += 1) {
      await assert.rejects(bed.of(definition).signIn());
    }
    assert.equal(issuer.count('POST /register'), 1);
    assert.equal(redirect().href, first);
    bed.of(definition).askAgain();
    assert.match(shownOf(await bed.question()).text, /is registered at .* since an earlier sign-in/);
    issuer.options.answer = 'code';
    await bed.answer('signIn');
    await bed.hosts.until(definition, 'running');
    assert.equal(issuer.count('POST /register'), 1);
  });

  test('registers once more when the issuer has rejected the registration', async () => {
    issuer.options.token = 'invalidClient';
    bed.start(definition);
    await bed.answer('signIn');
    assert.match(await bed.failure(definition), /does not know MCP Host/);
    delete issuer.options.token;
    await bed.of(definition).signIn();
    await bed.hosts.until(definition, 'running');
    assert.equal(issuer.count('POST /register'), 2);
  });

  test('registers again when the port of its registration is taken', async () => {
    await bed.signInTo(definition);
    const { port } = redirect();
    await bed.of(definition).signOut();
    await assert.rejects(bed.call(definition));
    await untilSeen(async () => !(await isListening(redirect())), 'the listener is closed');
    const other = createServer().listen(Number(port), '127.0.0.1');
    await once(other, 'listening');
    await bed.answer('signIn');
    await untilSeen(() => bed.state(definition) === undefined, 'you are signed in');
    other.close();
    assert.notEqual(redirect().port, port);
    assert.equal(issuer.count('POST /register'), 2);
  });

  test('says what to do when the port of a fixed redirect is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : 0;
    definition = httpServer(server.url, {
      oauth: { clientId: 'own', redirectUri: `http://127.0.0.1:${port}/back` },
    });
    bed.start(definition);
    await bed.answer('signIn');
    assert.match(await bed.failure(definition), /the port can't be used \(EADDRINUSE\)/);
    other.close();
  });

  /** Something that listens there; undefined if this machine has no such address. */
  async function listenerAt(
    host: string,
  ): Promise<{ readonly port: number; close(): Promise<void> } | undefined> {
    const listener = createServer().listen(0, host);
    try {
      await once(listener, 'listening');
    } catch {
      return undefined;
    }
    const address = listener.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    return {
      port,
      close: async () => {
        listener.close();
        await once(listener, 'close');
      },
    };
  }

  for (const [host, address] of [
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.2', '127.0.0.2'],
    ['[::1]', '::1'],
    ['localhost', '127.0.0.1'],
    ['localhost', '::1'],
    ['mcp.localhost', '127.0.0.1'],
  ] as const) {
    test(`takes the answer of a browser that finds ${host} at ${address}`, async function () {
      const port = await freePort(address).catch(() => undefined);
      if (port === undefined) {
        return this.skip();
      }
      const redirectUri = `http://${host}:${port}/back`;
      issuer.clients.set('own', {
        id: 'own',
        secret: 'x',
        redirects: [redirectUri],
        applicationType: undefined,
      });
      definition = httpServer(server.url, { oauth: { clientId: 'own', clientSecret: 'x', redirectUri } });
      let status: number | undefined;
      bed.browser.visit = async (url) => {
        const answer = await fetch(url, { redirect: 'manual' });
        const back = new URL(answer.headers.get('location') ?? '');
        const request = get({
          host: address,
          port,
          path: `/back${back.search}`,
          headers: { host: `${host}:${port}` },
        });
        const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage];
        await text(response);
        status = response.statusCode;
      };
      await bed.signInTo(definition);
      await until(() => status !== undefined, 'the browser has ended', bed.browser.onDidVisit);
      assert.equal(status, 200);
      for (const one of [address, '127.0.0.1']) {
        const again = connect(port, one);
        const [error] = (await once(again, 'error')) as [Error & { code?: string }];
        assert.equal(error.code, 'ECONNREFUSED');
      }
    });
  }

  test('does not share a name of this machine with another program', async function () {
    const other = await listenerAt('::1');
    if (!other) {
      return this.skip();
    }
    const redirectUri = `http://localhost:${other.port}/back`;
    definition = httpServer(server.url, { oauth: { clientId: 'own', redirectUri } });
    bed.start(definition);
    await bed.answer('signIn');
    assert.match(await bed.failure(definition), /the port can't be used \(EADDRINUSE\)/);
    const socket = connect(other.port, '127.0.0.1');
    const [error] = (await once(socket, 'error')) as [Error & { code?: string }];
    assert.equal(error.code, 'ECONNREFUSED');
    assert.deepEqual(bed.browser.opened, []);
    await other.close();
  });

  test('listens at a fixed redirect of a client that is registered already', async () => {
    const redirectUri = `http://localhost:${await freePort()}/back`;
    issuer.clients.set('own', {
      id: 'own',
      secret: 'own-secret',
      redirects: [redirectUri],
      applicationType: undefined,
    });
    definition = httpServer(server.url, {
      oauth: { clientId: 'own', clientSecret: 'own-secret', redirectUri },
    });
    await bed.signInTo(definition);
    assert.equal(issuer.count('POST /register'), 0);
    assert.equal(redirect().href, redirectUri);
  });

  test('does not follow the token endpoint elsewhere', async () => {
    issuer.options.token = 'redirect';
    bed.start(definition);
    await bed.answer('signIn');
    await bed.failure(definition);
    assert.equal(issuer.count('POST /elsewhere'), 0);
    assert.equal(await bed.of(definition).account(), undefined);
  });

  test('says that the issuer is gone', async () => {
    bed.start(definition);
    const question = await bed.question();
    await issuer.close();
    bed.questions.answer(question, 'signIn');
    assert.match(await bed.failure(definition), /could not be reached/);
    assert.deepEqual(bed.browser.opened, []);
  });

  test('refuses an issuer without PKCE, unless you assume it', async () => {
    issuer.options.pkce = [];
    bed.start(definition);
    assert.match(await bed.failure(definition), /PKCE.*"assumePkce"/);
    assert.deepEqual(bed.asked, []);
    definition = httpServer(server.url, { oauth: { assumePkce: true } });
    bed.hosts.configure([definition]);
    await bed.hosts.until(definition, 'awaitingApproval');
    bed.hosts.answerAll('allow');
    assert.match(shownOf(await bed.question()).text, /does not say that it supports PKCE/);
    await bed.answer('signIn');
    await bed.hosts.until(definition, 'running');
    assert.equal(issuer.authorizations[0]?.get('code_challenge_method'), 'S256');
  });

  for (const endpoint of [
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,hello',
    'vscode://publisher.extension/path',
    'http://issuer.example/authorize',
    '-x',
    '$(touch /tmp/x)',
  ]) {
    test(`opens no address such as ${endpoint}`, async () => {
      issuer.options.authorizationEndpoint = endpoint;
      bed.start(definition);
      await bed.failure(definition);
      assert.deepEqual(bed.asked, []);
      assert.deepEqual(bed.browser.opened, []);
    });
  }

  test('says what to do at an issuer that registers no clients', async () => {
    issuer.options.registers = false;
    bed.start(definition);
    assert.match(await bed.failure(definition), /does not register clients; add the client ID/);
  });

  test('names the document that an issuer takes which refuses to register clients', async () => {
    issuer.options = {
      refusesClients: true,
      answers: { metadata: { client_id_metadata_document_supported: true } },
    };
    bed.start(definition);
    await bed.answer('signIn');
    assert.match(await bed.failure(definition), /did not register .* takes a client metadata document/);
  });

  suite('with the document of the publisher', () => {
    const document = 'https://mcp-host.example/client.json';

    setup(async () => {
      await bed.close();
      bed = new SignInBed({ clientDocument: document });
      issuer.options.answers = { metadata: { client_id_metadata_document_supported: true } };
    });

    test('registers where the browser returns to another place, if the issuer registers clients', async () => {
      bed.browser.reachesHost = false;
      bed.browser.external = () => 'https://editor.example/proxy/4000/callback';
      bed.start(definition);
      await bed.answer('signIn');
      await bed.address(definition);
      await until(() => issuer.authorizations.length === 1, 'the browser is there', bed.browser.onDidVisit);
      assert.equal(issuer.count('POST /register'), 1);
      assert.equal(redirect().host, 'editor.example');
    });

    test('says what to do at an issuer that compares ports', async () => {
      issuer.clients.set(document, {
        id: document,
        secret: undefined,
        redirects: ['http://127.0.0.1/callback'],
        applicationType: 'native',
      });
      bed.start(definition);
      await bed.answer('signIn');
      await bed.address(definition);
      await until(() => issuer.authorizations.length === 1, 'the browser is there', bed.browser.onDidVisit);
      await bed.timers.tick(600_000);
      assert.match(
        await bed.failure(definition),
        /error about the redirect, .* compares ports: host a document/,
      );
    });
  });

  test('sends no resource if you say so, and warns of that', async () => {
    definition = httpServer(server.url, { oauth: { omitResource: true } });
    bed.start(definition);
    assert.match(shownOf(await bed.question()).text, /does not learn which server the token is for/);
    await bed.answer('signIn');
    await bed.hosts.until(definition, 'running');
    assert.equal(issuer.authorizations[0]?.has('resource'), false);
    assert.equal(issuer.tokenRequests[0]?.has('resource'), false);
  });

  test('signs in to five servers of one issuer, once each', async () => {
    const definitions = Array.from({ length: 5 }, (_, index) => {
      const name = `server${index}`;
      return httpServer(server.url, { name });
    });
    bed.hosts.configure(definitions);
    bed.hosts.answerAll('allow');
    await until(() => bed.asked.length === 5, 'each asks', bed.questions.onDidChange);
    bed.asked.forEach((question) => bed.questions.answer(question, 'signIn'));
    await Promise.all(definitions.map((one) => bed.hosts.until(one, 'running')));
    assert.equal(bed.browser.opened.length, 5);
    assert.equal((await bed.accounts.all()).length, 5);
  });
});
