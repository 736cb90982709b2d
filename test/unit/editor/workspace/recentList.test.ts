import assert from 'node:assert/strict';
import { recentTools, RecentList } from '../../../../src/editor/workspace/recentList.ts';

suite('What was used last', () => {
  const memento = (kept: unknown) => {
    let value = kept;
    return {
      get: (): never => value as never,
      update: (_key: string, changed: unknown): Promise<void> => {
        value = changed;
        return Promise.resolve();
      },
    };
  };
  const tool = (serverId: string, name: string) => ({ serverId, name });

  test('comes first, once, and replaces the oldest', () => {
    const state = memento(undefined);
    const list = new RecentList(state, { ...recentTools, maxKept: 2 });
    list.add(tool('git', 'log'));
    list.add(tool('git', 'diff'));
    list.add(tool('git', 'log'));
    assert.deepEqual(list.all, [tool('git', 'log'), tool('git', 'diff')]);
    list.add(tool('web', 'log'));
    assert.deepEqual(new RecentList(state, recentTools).all, [tool('web', 'log'), tool('git', 'log')]);
  });

  test('continues under the new name of a server, and no other', async () => {
    const list = new RecentList(memento([tool('git', 'log'), tool('web', 'log')]), recentTools);
    await list.copy('git', { id: 'vcs', label: 'vcs', launches: [] });
    list.forget();
    assert.deepEqual(list.all, [tool('vcs', 'log'), tool('web', 'log')]);
  });

  test('is read whatever was kept', () => {
    for (const kept of [undefined, null, 'git', {}, [null, 1, { serverId: 'git' }, { name: 'log' }]]) {
      assert.deepEqual(new RecentList(memento(kept), recentTools).all, []);
    }
  });
});
