import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { PageSession } from '../../../../src/host/review/pageSession.ts';

interface Word {
  readonly type: string;
}

/** Shows `all`, and sends each word of its page back. */
class Echo extends PageSession<string, Word> {
  protected override read(received: unknown): Word | undefined {
    return typeof received === 'string' ? { type: received } : undefined;
  }

  protected override show(): void {
    this.post('all');
  }

  protected override take({ type }: Word): void {
    this.post(type);
  }
}

suite('A page of the editor', () => {
  let failures: number;
  let posted: string[];
  setup(async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    failures = 0;
    posted = [];
    await opened().receive('ready'); // the last one before did not fail
    posted = [];
  });
  teardown(() => mock.timers.reset());

  function opened(): Echo {
    const session = new Echo({ post: (message) => posted.push(message), failed: () => (failures += 1) });
    session.opened();
    return session;
  }

  test('has 30 seconds to be ready, and 10 after one has failed, until one is ready', async () => {
    const session = opened();
    mock.timers.tick(29_999);
    await session.receive('ready');
    mock.timers.tick(60_000);
    assert.equal(failures, 0);
    opened();
    mock.timers.tick(30_000);
    assert.equal(failures, 1);
    const next = opened();
    mock.timers.tick(9_999);
    assert.equal(failures, 1);
    mock.timers.tick(1);
    assert.equal(failures, 2);
    await next.receive('ready');
    opened();
    mock.timers.tick(29_999);
    assert.equal(failures, 2);
  });

  test('is not waited for while it is out of sight', () => {
    const session = opened();
    session.hidden();
    mock.timers.tick(60_000);
    assert.equal(failures, 0);
    session.opened();
    mock.timers.tick(60_000);
    assert.equal(failures, 1);
  });

  test('gets everything when it is ready, nothing out of sight, and everything when it is ready again', async () => {
    const session = opened();
    await session.receive('one');
    assert.deepEqual(posted, []);
    await session.receive('ready');
    await session.receive('two');
    await session.receive({ type: 'three' });
    session.hidden();
    await session.receive('four');
    await session.receive('ready');
    session.dispose();
    await session.receive('ready');
    assert.deepEqual(posted, ['all', 'two', 'all']);
  });
});
