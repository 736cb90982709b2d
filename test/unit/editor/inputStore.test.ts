import assert from 'node:assert/strict';
import { CancellationError } from '../../../src/base/lifetime/cancellation.ts';
import { InputStore, type AskForInput } from '../../../src/editor/inputs/inputStore.ts';
import type { DefinitionOrigin, InputDeclaration } from '../../../src/host/config/serverDefinition.ts';
import { ofUser } from '../support/definitions.ts';

const ofWorkspace: DefinitionOrigin = {
  scope: 'workspace',
  format: 'settings',
  place: 'file:///projects/shop.code-workspace',
};
const token: InputDeclaration = { type: 'promptString', id: 'github-token', password: true };
const user: InputDeclaration = { type: 'promptString', id: 'user', password: false };
const region: InputDeclaration = {
  type: 'pickString',
  id: 'region',
  options: [{ label: 'Europe', value: 'eu' }],
};
const always = new AbortController().signal;

/** A store in memory, and what was asked. */
function bed(ask: AskForInput) {
  const secrets = new Map<string, string>();
  const state = new Map<string, unknown>();
  const asked: string[] = [];
  const storage = {
    secrets: {
      get: (key: string) => Promise.resolve(secrets.get(key)),
      store: (key: string, value: string) => Promise.resolve(void secrets.set(key, value)),
      delete: (key: string) => Promise.resolve(void secrets.delete(key)),
      keys: () => Promise.resolve([...secrets.keys()]),
    },
    state: {
      get: (key: string) => state.get(key) as never,
      update: (key: string, value: unknown) =>
        Promise.resolve(void (value === undefined ? state.delete(key) : state.set(key, value))),
      keys: () => [...state.keys()],
    },
  };
  const store = new InputStore(storage, (declaration, origin, signal) => {
    asked.push(`${declaration.id} of ${origin.place}`);
    return ask(declaration, origin, signal);
  });
  return { store, secrets, state, asked };
}

suite('An input', () => {
  test('is asked for once, and then stored: passwords as secrets, others in the state', async () => {
    const { store, secrets, state, asked } = bed(({ id }) => Promise.resolve(`value of ${id}`));
    for (let round = 0; round < 2; round += 1) {
      assert.equal(await store.valueOf(token, ofUser, always), 'value of github-token');
      assert.equal(await store.valueOf(user, ofUser, always), 'value of user');
    }
    assert.deepEqual(asked, ['github-token of settings:user', 'user of settings:user']);
    assert.deepEqual([...secrets.values()], ['value of github-token']);
    assert.deepEqual([...state.values()], ['value of user']);
    assert.deepEqual(await store.list(), [
      { place: 'settings:user', id: 'github-token', isPassword: true, value: undefined },
      { place: 'settings:user', id: 'user', isPassword: false, value: 'value of user' },
    ]);
  });

  test("of a workspace never gets the value of the user's, whatever its id and its place look like", async () => {
    const { store, asked } = bed(() => Promise.resolve('other'));
    await store.store({ place: ofUser.place, id: token.id }, true, 'secret');
    const places = [ofWorkspace.place, 'settings:user"', '["settings:user","github-token"]', ''];
    for (const place of places) {
      assert.equal(await store.valueOf(token, { ...ofWorkspace, place }, always), 'other');
    }
    const strange = { ...token, id: '","github-token' };
    assert.equal(await store.valueOf(strange, { ...ofWorkspace, place: 'settings:user' }, always), 'other');
    assert.equal(asked.length, 5);
    assert.equal(await store.valueOf(token, ofUser, always), 'secret');
  });

  test('that is a password is not handed out where it is declared as plain text', async () => {
    const { store } = bed(() => Promise.resolve('typed again'));
    await store.store({ place: ofUser.place, id: token.id }, true, 'secret');
    assert.equal(await store.valueOf({ ...token, password: false }, ofUser, always), 'typed again');
  });

  test('that is removed can be restored as it was: a password as a secret', async () => {
    const { store, secrets, state } = bed(() => Promise.resolve(undefined));
    const [password, text] = [token, user].map(({ id }) => ({ place: ofUser.place, id }));
    assert.ok(password && text);
    await store.store(password, true, 'secret');
    await store.store(text, false, 'ada');
    const putBack = [await store.take(password), await store.take(text)];
    assert.deepEqual([secrets.size, state.size], [0, 0]);
    await Promise.all(putBack.map(async (one) => one?.()));
    assert.deepEqual([...secrets.values()], ['secret']);
    assert.deepEqual([...state.values()], ['ada']);
    assert.equal(await store.take({ place: ofUser.place, id: 'never stored' }), undefined);
  });

  test('without an answer leaves its server stopped, and is asked for again', async () => {
    const answers = [undefined, 'yes'];
    const { store, asked } = bed(() => Promise.resolve(answers.shift()));
    await assert.rejects(store.valueOf(token, ofUser, always), CancellationError);
    assert.deepEqual(await store.list(), []);
    assert.equal(await store.valueOf(token, ofUser, always), 'yes');
    assert.equal(asked.length, 2);
  });

  test('is one question for all servers that ask at the same time', async () => {
    const answer = Promise.withResolvers<string>();
    const { store, asked } = bed(() => answer.promise);
    const both = [store.valueOf(token, ofUser, always), store.valueOf(token, ofUser, always)];
    answer.resolve('shared');
    assert.deepEqual(await Promise.all(both), ['shared', 'shared']);
    assert.equal(asked.length, 1);
  });

  test('waits for the question before it', async () => {
    const first = Promise.withResolvers<string>();
    const { store, asked } = bed(({ id }) => (id === 'user' ? first.promise : Promise.resolve('second')));
    const one = store.valueOf(user, ofUser, always);
    const other = store.valueOf(token, ofUser, always);
    await new Promise(setImmediate);
    assert.deepEqual(asked, ['user of settings:user']);
    first.resolve('first');
    assert.deepEqual(await Promise.all([one, other]), ['first', 'second']);
  });

  test('is withdrawn when no server waits for it', async () => {
    const { store } = bed(
      (_, __, signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve('too late'))),
    );
    const [one, other] = [new AbortController(), new AbortController()];
    const waiting = [one, other].map(({ signal }) => store.valueOf(token, ofUser, signal));
    await new Promise(setImmediate);
    one.abort();
    await assert.rejects(waiting[0] ?? Promise.resolve(), CancellationError);
    other.abort();
    await assert.rejects(waiting[1] ?? Promise.resolve(), CancellationError);
    await new Promise(setImmediate);
    assert.deepEqual(await store.list(), []);
  });

  test('is asked for again when its option is no longer offered', async () => {
    const { store } = bed(() => Promise.resolve('eu'));
    await store.store({ place: ofUser.place, id: region.id }, false, 'us');
    assert.equal(await store.valueOf(region, ofUser, always), 'eu');
  });

  test('can be removed, and changes its storage with its type', async () => {
    const { store, secrets, state } = bed(() => Promise.resolve(undefined));
    const key = { place: ofUser.place, id: 'x' };
    await store.store(key, false, 'plain');
    await store.store(key, true, 'secret');
    assert.deepEqual([state.size, secrets.size], [0, 1]);
    await store.forget(key);
    assert.deepEqual([state.size, secrets.size], [0, 0]);
  });
});
