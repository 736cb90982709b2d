import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { RootsAnnouncer } from '../../../../src/host/roots/rootsAnnouncer.ts';
import type { SharedRoot } from '../../../../src/host/folders/sharedRoot.ts';

const api = { uri: 'file:///projects/api', name: 'api' };
const web = { uri: 'file:///projects/web', name: 'web' };

suite('The announcer of roots', () => {
  let current: readonly SharedRoot[];
  let told: number;
  let announcer: RootsAnnouncer;
  setup(() => {
    // Whether something is not sent can only be seen once the time for it has passed.
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    current = [api];
    told = 0;
    announcer = new RootsAnnouncer(
      () => current,
      () => {
        told += 1;
      },
    );
  });
  teardown(() => {
    announcer.dispose();
    mock.timers.reset();
  });

  function change(to: readonly SharedRoot[]): void {
    current = to;
    announcer.changed();
  }

  const changes: [string, readonly SharedRoot[], readonly SharedRoot[], number][] = [
    ['an added folder', [api], [api, web], 1],
    ['a removed folder', [api, web], [api], 1],
    ['the last folder removed', [api], [], 1],
    ['a renamed folder', [api], [{ ...api, name: 'backend' }], 1],
    ['another order', [api, web], [web, api], 1],
    ['another folder of the same name', [api], [{ ...web, name: 'api' }], 1],
    ['the same folders', [api, web], [{ ...api }, { ...web }], 0],
    ['still no folder', [], [], 0],
  ];
  for (const hasAsked of [true, false]) {
    for (const [what, before, after, times] of changes) {
      test(`sends ${times === 1 ? 'one notification' : 'no notification'} for ${what} to a server that ${hasAsked ? 'has' : 'has not'} asked`, () => {
        current = before;
        announcer.initialized();
        if (hasAsked) {
          announcer.answer();
        }
        change(after);
        mock.timers.tick(1_000);
        assert.equal(told, times);
      });
    }
  }

  test('waits no longer because of an event that changes nothing', () => {
    announcer.initialized();
    change([api, web]);
    mock.timers.tick(40);
    change([{ ...api }, { ...web }]);
    mock.timers.tick(10);
    assert.equal(told, 1);
  });

  test('announces each of several changes although the server never asks', () => {
    announcer.initialized();
    for (const roots of [[api, web], [web], [web, api]]) {
      change(roots);
      mock.timers.tick(1_000);
    }
    assert.equal(told, 3);
  });

  test('does not announce a list that has changed back', () => {
    announcer.initialized();
    change([api, web]);
    change([api]);
    mock.timers.tick(1_000);
    assert.equal(told, 0);
  });

  test('announces nothing before the server is initialized, nor earlier changes afterwards', () => {
    change([api, web]);
    mock.timers.tick(1_000);
    announcer.initialized();
    mock.timers.tick(1_000);
    assert.equal(told, 0);
  });

  test('announces nothing if the server asked between the change and its announcement', () => {
    announcer.initialized();
    change([api, web]);
    assert.deepEqual(announcer.answer(), [api, web]);
    mock.timers.tick(1_000);
    assert.equal(told, 0);
  });

  test('announces a list that has changed back if the server has seen it in between', () => {
    announcer.initialized();
    change([api, web]);
    announcer.answer();
    change([api]);
    mock.timers.tick(1_000);
    assert.equal(told, 1);
  });

  test('answers a question before initialized, and compares with the list at initialized', () => {
    assert.deepEqual(announcer.answer(), [api]);
    current = [web];
    announcer.initialized();
    announcer.changed();
    mock.timers.tick(1_000);
    assert.equal(told, 0);
  });

  test('waits 50 ms after the last event', () => {
    announcer.initialized();
    change([api, web]);
    mock.timers.tick(49);
    assert.equal(told, 0);
    mock.timers.tick(1);
    assert.equal(told, 1);
  });

  test('announces 250 ms after the first of events that do not end', () => {
    announcer.initialized();
    change([api, web]);
    for (let elapsed = 0; elapsed < 240; elapsed += 40) {
      assert.equal(told, 0);
      mock.timers.tick(40);
      change([api, { ...web, name: `after ${elapsed} ms` }]);
    }
    mock.timers.tick(10);
    assert.equal(told, 1);
  });

  test('does not announce a change that a pending answer contains', async () => {
    announcer.initialized();
    const answered = announcer.whileAnswering(async () => {
      change([api, web]);
      mock.timers.tick(1_000);
      await Promise.resolve();
      return announcer.answer();
    });
    assert.deepEqual(await answered, [api, web]);
    mock.timers.tick(1_000);
    assert.equal(told, 0);
  });

  test('announces what changed during a request that was never answered', async () => {
    announcer.initialized();
    const first = Promise.withResolvers<void>();
    const answers = [announcer.whileAnswering(() => first.promise)];
    answers.push(announcer.whileAnswering(() => Promise.reject(new Error('cancelled'))));
    change([api, web]);
    mock.timers.tick(1_000);
    await assert.rejects(answers[1] ?? first.promise, /cancelled/);
    assert.equal(told, 0);
    first.resolve();
    await answers[0];
    assert.equal(told, 1);
    mock.timers.tick(1_000);
    assert.equal(told, 1);
  });

  test('announces nothing once disposed', () => {
    announcer.initialized();
    change([api, web]);
    announcer.dispose();
    announcer.changed();
    mock.timers.tick(1_000);
    assert.equal(told, 0);
  });
});
