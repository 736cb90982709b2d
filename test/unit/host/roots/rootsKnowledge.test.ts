import assert from 'node:assert/strict';
import { RootsKnowledge } from '../../../../src/host/roots/rootsKnowledge.ts';
import type { SharedRoot } from '../../../../src/host/folders/sharedRoot.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const api = { uri: 'file:///projects/api', name: 'api' };
const web = { uri: 'file:///projects/web', name: 'web' };

suite('What a server knows of its roots', () => {
  let clock: FakeClock;
  let current: readonly SharedRoot[];
  let knowledge: RootsKnowledge;
  let changes: number;
  setup(() => {
    clock = new FakeClock();
    current = [api, web];
    changes = 0;
    knowledge = new RootsKnowledge(() => current, clock.after);
    knowledge.onDidChange(() => (changes += 1));
  });
  teardown(() => {
    knowledge.dispose();
    assert.equal(clock.pending, 0);
  });

  const list = (): void => knowledge.listed(current);
  const change = (...roots: readonly SharedRoot[]): void => {
    current = roots;
    knowledge.changed();
  };
  const kept = (): string[] => knowledge.mayStillUse.map(({ name }) => name);

  test('is nothing before it has asked', async () => {
    change(api);
    change();
    await clock.tick(10_000);
    assert.equal(knowledge.hasAsked, false);
    assert.deepEqual(kept(), []);
    assert.equal(changes, 0);
  });

  test('is what is shared once it has asked', () => {
    list();
    assert.equal(knowledge.hasAsked, true);
    assert.deepEqual(kept(), []);
    assert.equal(changes, 1);
    list();
    assert.equal(changes, 1);
  });

  test('may be kept when a root is withdrawn and it does not list again within 5 s', async () => {
    list();
    change(api);
    await clock.tick(4_999);
    assert.deepEqual(kept(), []);
    await clock.tick(1);
    assert.deepEqual(kept(), ['web']);
    list();
    assert.deepEqual(kept(), []);
    assert.equal(changes, 3);
  });

  test('is forgotten when it lists again in time', async () => {
    list();
    change(api);
    await clock.tick(1_000);
    list();
    await clock.tick(10_000);
    assert.deepEqual(kept(), []);
    assert.deepEqual(knowledge.lastListed, [api]);
    assert.equal(changes, 2, 'one for each list that is another');
  });

  test('counts the 5 s from the first of several changes', async () => {
    list();
    change(api);
    await clock.tick(3_000);
    change(api, { uri: 'file:///projects/docs', name: 'docs' });
    await clock.tick(2_000);
    assert.deepEqual(kept(), ['web']);
  });

  test('may be kept when the last root is withdrawn, although it lists again', () => {
    list();
    change();
    assert.deepEqual(kept(), ['api', 'web']);
    list();
    assert.deepEqual(kept(), ['api', 'web']);
    change(api);
    assert.deepEqual(kept(), ['web'], 'what is shared again is no longer withdrawn');
    list();
    assert.deepEqual(kept(), []);
  });

  test('may be the last root only, when it has listed the others gone', () => {
    list();
    change(api);
    list();
    change();
    assert.deepEqual(kept(), ['api']);
  });

  test('is nothing if no folder was ever shared with it', () => {
    current = [];
    list();
    change();
    assert.deepEqual(kept(), []);
  });

  test('is not withdrawn by another name or order, or when it comes back in time', async () => {
    list();
    change(web, { ...api, name: 'backend' });
    change(web);
    change(api, web);
    await clock.tick(10_000);
    assert.deepEqual(kept(), []);
  });

  test('is gone with the process', async () => {
    list();
    change();
    knowledge.ended();
    assert.deepEqual(kept(), []);
    assert.equal(knowledge.hasAsked, false);
    knowledge.changed();
    await clock.tick(10_000);
    assert.deepEqual(kept(), []);
    assert.equal(changes, 3);
  });
});
