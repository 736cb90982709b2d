import assert from 'node:assert/strict';
import { activityRow, requestLabel } from '../../../../../src/editor/views/activity/activityRows.ts';

suite('A request in a row', () => {
  const asked = { method: 'sampling/createMessage', target: 'no model' } as const;
  const figures = { inputTokens: 0, outputTokens: 0, isEdited: false };

  test('is named after what it asks for, or after the model that answered', () => {
    assert.equal(requestLabel({ method: 'tools/call', target: 'echo' }), 'echo');
    assert.equal(requestLabel(asked), 'Language model');
    assert.equal(requestLabel({ ...asked, sampling: figures }), 'Language model');
    assert.equal(requestLabel({ ...asked, target: 'One', sampling: { ...figures, model: 'One' } }), 'One');
  });

  const request = {
    id: '1',
    at: new Date(2026, 2, 14, 14, 3, 22).getTime(),
    caller: { kind: 'person' },
    serverId: 'user git',
    server: 'git',
    method: 'tools/call',
    target: 'work',
  } as const;
  const running = { ...request, isSent: true, isCancelling: false, cancel: () => {} };
  for (const [status, words, icon] of [
    ['working', 'running…', 'loading~spin'],
    ['input_required', 'needs an answer…', 'loading~spin'],
    ['waiting', 'waiting for its server…', 'watch'],
  ] as const) {
    test(`says that a task is ${status}, and since when`, () => {
      const node = { kind: 'running', id: '1', request: { ...running, task: { status } } } as const;
      const row = activityRow(node, '');
      assert.equal(row.description, `git · you · task · ${words} · since 2026-03-14 14:03:22`);
      assert.deepEqual([row.icon, row.context], [{ name: icon }, 'running']);
    });
  }

  test('has what the server says about its task in its tooltip', () => {
    const task = { status: 'working', message: 'Reading\u202e' } as const;
    const row = activityRow({ kind: 'running', id: '1', request: { ...running, task } }, '');
    assert.match(row.tooltip ?? '', /^The server says: Reading\\u\{202E\}$/m);
    assert.match(row.tooltip ?? '', /^Since: 2026-03-14 14:03:22$/m);
  });

  for (const [what, end, words, context] of [
    ['has a result', { outcome: 'done', task: 'ended' }, 'done', 'entry taskResult'],
    ['has failed', { outcome: 'failed', task: 'ended' }, 'failed', 'entry'],
    ['is gone', { outcome: 'failed', task: 'gone' }, 'gone', 'entry'],
  ] as const) {
    test(`says that a task ${what}`, () => {
      const figuresOfEntry = { durationMs: 1, sentBytes: 1, receivedBytes: 1, workspace: '' };
      const entry = { ...request, ...figuresOfEntry, ...end, decision: 'person' } as const;
      const row = activityRow({ kind: 'entry', id: '1', entry }, '');
      assert.equal(row.description, `git · you · task · ${words} · 2026-03-14 14:03:22`);
      assert.equal(row.context, context);
    });
  }
});
