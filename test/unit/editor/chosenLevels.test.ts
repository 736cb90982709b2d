import assert from 'node:assert/strict';
import { ChosenLevels } from '../../../src/editor/servers/chosenLevels.ts';

suite('The log levels that you choose', () => {
  const memento = () => {
    const kept = new Map<string, unknown>();
    return {
      keys: (): readonly string[] => [...kept.keys()],
      get: (key: string): never => kept.get(key) as never,
      update: (key: string, value: unknown): Promise<void> => {
        kept.set(key, value);
        return Promise.resolve();
      },
    };
  };

  test('are kept after a reload, for each server, until you take one back', async () => {
    const state = memento();
    const levels = new ChosenLevels(state);
    assert.equal(levels.of('git'), undefined);
    await levels.choose('git', 'debug');
    await levels.choose('web', 'off');
    const again = new ChosenLevels(state);
    assert.deepEqual([again.of('git'), again.of('web')], ['debug', 'off']);
    await again.choose('git', undefined);
    assert.equal(new ChosenLevels(state).of('git'), undefined);
  });

  test('continue under the new name of a server', async () => {
    const levels = new ChosenLevels(memento());
    await levels.choose('git', 'error');
    await levels.copy('git', { id: 'vcs', label: 'vcs', launches: [] });
    await levels.forget('git');
    assert.deepEqual([levels.of('git'), levels.of('vcs')], [undefined, 'error']);
  });

  test('ignore stored values of another kind', async () => {
    const state = memento();
    for (const kept of [null, 1, 'loud', {}]) {
      await state.update('mcpHost.logLevel git', kept);
      assert.equal(new ChosenLevels(state).of('git'), undefined);
    }
  });
});
