import assert from 'node:assert/strict';
import type { FetchLike } from '@modelcontextprotocol/client';
import type { SentHeader } from '../../../../src/host/config/tokenText.ts';
import { HostError } from '../../../../src/host/errors/hostError.ts';
import { authorizedFetch } from '../../../../src/host/transport/http/authorizedFetch.ts';
import type {
  AuthorizationRefusal,
  RequestAuthorization,
} from '../../../../src/host/transport/http/requestAuthorization.ts';

const origin = 'https://api.example';
const url = `${origin}/mcp`;

const bearer = (token: string): SentHeader => ({ header: 'Authorization', value: `Bearer ${token}` });

suite('A request with authorization', () => {
  /** What the server got, in its order. */
  let sent: (string | null)[];
  let refusals: AuthorizationRefusal[];
  let accepted: (string | undefined)[];
  let tokens: string[];
  let answers: Response[];
  let proofs: boolean;
  let streams: 'needed' | 'optional';
  let nonces: string[];

  setup(() => {
    [sent, refusals, accepted, tokens, answers] = [[], [], [], ['one'], []];
    [proofs, nonces, streams] = [false, [], 'optional'];
  });

  const server: FetchLike = (_url, init = {}) => {
    sent.push(new Headers(init.headers).get('authorization'));
    return Promise.resolve(answers.shift() ?? new Response('done'));
  };

  function authorization(
    handle: (refusal: AuthorizationRefusal) => 'again' | undefined,
  ): RequestAuthorization {
    return {
      fetch: server,
      header: () => Promise.resolve(tokens[0] === undefined ? undefined : bearer(tokens[0])),
      proof: ({ value }) => Promise.resolve(proofs ? `proof of ${value}` : undefined),
      nonce: (_url, nonce) => nonces.push(nonce),
      accepted: (one) => accepted.push(one?.value),
      refused: async (refusal) => {
        refusals.push(refusal);
        tokens.shift();
        return handle(refusal);
      },
    };
  }

  function ask(init: RequestInit = {}, to = url, handle = (): 'again' => 'again'): Promise<Response> {
    return authorizedFetch(
      authorization(handle),
      origin,
      streams,
    )(to, { method: 'POST', body: '{}', ...init });
  }

  test('carries the token, and reports that it was accepted', async () => {
    assert.equal(await (await ask()).text(), 'done');
    assert.deepEqual([sent, accepted, refusals], [['Bearer one'], ['Bearer one'], []]);
  });

  test('carries none to another origin, whose refusals change nothing', async () => {
    answers = [new Response(null, { status: 401 })];
    const response = await ask({}, 'https://other.example/mcp');
    assert.equal(response.status, 401);
    assert.deepEqual([sent, refusals], [[null], []]);
  });

  test('is sent again with another token after 401', async () => {
    tokens = ['one', 'two'];
    answers = [new Response('no', { status: 401, headers: { 'www-authenticate': 'Bearer' } })];
    assert.equal(await (await ask()).text(), 'done');
    assert.deepEqual(sent, ['Bearer one', 'Bearer two']);
    assert.deepEqual(refusals, [{ status: 401, challenge: 'Bearer', sent: bearer('one') }]);
  });

  test('is sent four times at most', async () => {
    tokens = ['one', 'two', 'three', 'four'];
    answers = Array.from({ length: 9 }, () => new Response(null, { status: 401 }));
    assert.equal((await ask()).status, 401);
    assert.equal(sent.length, 4);
  });

  test('is handed on as it is when signing in would not help', async () => {
    answers = [new Response('no', { status: 401 })];
    const response = await ask({}, url, (() => undefined) as unknown as () => 'again');
    assert.equal(await response.text(), 'no');
  });

  test('fails with the reason why you have to sign in', async () => {
    answers = [new Response('no', { status: 401 })];
    const required = new HostError('signInRequired', 'sign in');
    await assert.rejects(
      ask({}, url, () => {
        throw required;
      }),
      required,
    );
  });

  test('handles 403 only for lack of a scope', async () => {
    answers = [
      new Response(null, { status: 403, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }),
    ];
    assert.equal((await ask()).status, 403);
    assert.equal(refusals.length, 0);
    answers = [
      new Response(null, {
        status: 403,
        headers: { 'www-authenticate': 'Bearer scope="a", error="insufficient_scope"' },
      }),
    ];
    assert.equal((await ask()).status, 200);
    assert.equal(refusals[0]?.status, 403);
  });

  test('is no reason to sign in at the end of a session', async () => {
    answers = [new Response(null, { status: 401 })];
    assert.equal((await ask({ method: 'DELETE', body: null })).status, 401);
    assert.deepEqual(refusals, []);
  });

  test('has a proof if the token is bound to a key, and reports the nonce of a response', async () => {
    proofs = true;
    const seen: (string | null)[] = [];
    const fetch: FetchLike = (_url, init = {}) => {
      seen.push(new Headers(init.headers).get('dpop'));
      return Promise.resolve(new Response('done', { headers: { 'dpop-nonce': 'next' } }));
    };
    const proving = { ...authorization(() => undefined), fetch };
    await authorizedFetch(proving, origin, streams)(url, { method: 'POST', body: '{}' });
    assert.deepEqual([seen, nonces], [['proof of Bearer one'], ['next']]);
  });

  test('is no reason to sign in for a stream that a server need not have, unless you are signed in', async () => {
    const asked = { method: 'GET', body: null };
    tokens = [];
    answers = [new Response(null, { status: 401 }), new Response(null, { status: 401 })];
    assert.equal((await ask(asked)).status, 401);
    assert.equal(refusals.length, 0);
    streams = 'needed';
    assert.equal((await ask(asked)).status, 200);
    assert.equal(refusals.length, 1);
    [streams, tokens, answers] = ['optional', ['one', 'two'], [new Response(null, { status: 401 })]];
    assert.equal((await ask(asked)).status, 200);
    assert.equal(refusals.length, 2);
  });
});
