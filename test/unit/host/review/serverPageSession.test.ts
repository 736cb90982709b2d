import assert from 'node:assert/strict';
import { ServerPageSession, type ServerPageAct } from '../../../../src/host/review/serverPageSession.ts';

suite('The page of a server in the host', () => {
  test('takes exactly what its page can send, and nothing before it is shown', async () => {
    const acts: ServerPageAct[] = [];
    let posted = 0;
    const session = new ServerPageSession({
      post: () => (posted += 1),
      view: () => ({
        type: 'show',
        title: '',
        state: '',
        buttons: [],
        rows: [],
        activity: [],
        decisions: [],
        sees: [],
      }),
      act: (act) => {
        acts.push(act);
        return Promise.resolve();
      },
      failed: () => assert.fail('the page is not ready'),
    });
    session.changed();
    assert.equal(posted, 0);
    await session.receive({ type: 'ready' });
    assert.equal(posted, 1);
    const good: readonly ServerPageAct[] = [
      { type: 'press', id: 'a' },
      { type: 'press', id: 'a', action: 'b' },
      { type: 'press', action: 'b' },
      { type: 'check', id: 'a', isChecked: false },
    ];
    const bad = [
      undefined,
      'press',
      {},
      { type: 'press' },
      { type: 'press', id: 1 },
      { type: 'press', id: 'a', action: 1 },
      { type: 'check', id: 'a' },
      { type: 'check', isChecked: true },
      { type: 'check', id: 'a', isChecked: 'yes' },
      { type: 'run', id: 'a' },
    ];
    for (const message of [...bad, ...good]) {
      await session.receive(message);
    }
    assert.deepEqual(acts, good);
    session.dispose();
    await session.receive(good[0]);
    assert.equal(acts.length, good.length);
  });
});
