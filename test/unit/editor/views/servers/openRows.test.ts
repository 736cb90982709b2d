import assert from 'node:assert/strict';
import { BELOW, OpenRows } from '../../../../../src/editor/views/servers/openRows.ts';

suite('The rows that are open', () => {
  const memento = () => {
    const kept = new Map<string, unknown>();
    return {
      kept,
      get: (key: string): never => kept.get(key) as never,
      update: (key: string, value: unknown): Promise<void> => {
        kept.set(key, value);
        return Promise.resolve();
      },
    };
  };

  test('are none at first, and are remembered after a reload', () => {
    const state = memento();
    const rows = new OpenRows(state, 'rows');
    assert.equal(rows.has('git'), false);
    rows.set('git', true);
    rows.set('web', true);
    rows.set('web', false);
    const again = new OpenRows(state, 'rows');
    assert.equal(again.has('git'), true);
    assert.equal(again.has('web'), false);
  });

  test('continue under the new name of a server, and no other', () => {
    const state = memento();
    const rows = new OpenRows(state, 'rows');
    ['git', `git${BELOW}tools`, 'git 2'].forEach((id) => rows.set(id, true));
    rows.copy('git', { id: 'github', label: 'github', launches: [] });
    rows.forget('git');
    assert.deepEqual(state.kept.get('rows'), ['git 2', 'github', `github${BELOW}tools`]);
  });

  test('are bounded: those that were opened first are forgotten', () => {
    const rows = new OpenRows(memento(), 'rows');
    for (let count = 0; count < 250; count += 1) {
      rows.set(`server ${count}`, true);
    }
    assert.equal(rows.has('server 0'), false);
    assert.equal(rows.has('server 249'), true);
  });

  test('are none if what was kept cannot be read', () => {
    const state = memento();
    state.kept.set('rows', { git: true });
    assert.equal(new OpenRows(state, 'rows').has('git'), false);
  });
});
