import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { ReadyPage } from '../../../../src/host/review/readyPage.ts';

suite('A page of the editor', () => {
  let failures: number;
  setup(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    failures = 0;
    new ReadyPage(() => {}).ready(); // the last one before did not fail
  });
  teardown(() => mock.timers.reset());

  function opened(): ReadyPage {
    const page = new ReadyPage(() => (failures += 1));
    page.opened();
    return page;
  }

  test('has 15 seconds to be ready, and 5 after one has failed, until one is ready', () => {
    const page = opened();
    mock.timers.tick(14_999);
    page.ready();
    mock.timers.tick(60_000);
    assert.equal(failures, 0);
    opened();
    mock.timers.tick(15_000);
    assert.equal(failures, 1);
    const next = opened();
    mock.timers.tick(4_999);
    assert.equal(failures, 1);
    mock.timers.tick(1);
    assert.equal(failures, 2);
    next.ready();
    opened();
    mock.timers.tick(14_999);
    assert.equal(failures, 2);
  });

  test('is not waited for while it is out of sight', () => {
    const page = opened();
    page.hidden();
    mock.timers.tick(60_000);
    assert.equal(failures, 0);
    page.opened();
    mock.timers.tick(60_000);
    assert.equal(failures, 1);
  });
});
