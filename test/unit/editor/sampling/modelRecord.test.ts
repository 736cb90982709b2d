import assert from 'node:assert/strict';
import { KeptModelRecord } from '../../../../src/editor/sampling/modelRecord.ts';
import type { LanguageModel } from '../../../../src/host/sampling/request/languageModels.ts';

const model = (id: string, vendor: string): LanguageModel => ({
  id,
  vendor,
  name: `${vendor}'s ${id}`,
  family: 'family',
  version: '1',
  maxInputTokens: 1_000,
});

/** A record over a state in memory, and the models that are there. */
function bed(...models: readonly LanguageModel[]) {
  const state = new Map<string, unknown>();
  const there = [...models];
  const memento = {
    get: (key: string) => state.get(key) as never,
    update: (key: string, value: unknown) =>
      Promise.resolve(void (value === undefined ? state.delete(key) : state.set(key, value))),
  };
  const open = () =>
    new KeptModelRecord(
      memento,
      (id) => there.find((one) => one.id === id),
      () => 7,
    );
  return { state, there, record: open(), open };
}

suite('The record of models that you have used', () => {
  test('is kept, each model once and with its name', () => {
    const { record, open, state } = bed(model('one', 'acme'), model('two', 'acme'));
    record.add('one');
    record.add('one');
    assert.deepEqual(
      ['one', 'two'].map((id) => open().has(id)),
      [true, false],
    );
    assert.deepEqual(open().all, [{ key: 'acme one', name: "acme's one", at: 7 }]);
    assert.deepEqual([...state.keys()], ['sampling.models']);
  });

  test('ignores a model with the same id from another provider', () => {
    const { record, there } = bed(model('one', 'acme'));
    record.add('one');
    there.splice(0, 1, model('one', 'other'));
    assert.equal(record.has('one'), false);
    there.splice(0, 1, model('one', 'acme'));
    assert.equal(record.has('one'), true);
  });

  test('neither has nor accepts a model that is not there', () => {
    const { record, there } = bed(model('one', 'acme'));
    record.add('one');
    there.splice(0);
    record.add('two');
    assert.equal(record.has('one'), false);
    assert.equal(record.all.length, 1);
  });

  test('forgets one, and all', async () => {
    const { record, state } = bed(model('one', 'acme'), model('two', 'acme'), model('three', 'acme'));
    ['one', 'two', 'three'].forEach((id) => record.add(id));
    record.remove('one');
    record.remove('four');
    await record.forget('acme two');
    assert.deepEqual(
      record.all.map(({ name }) => name),
      ["acme's three"],
    );
    await record.forget();
    assert.equal(record.has('three'), false);
    assert.equal(state.size, 0);
  });

  test('is empty if what was stored cannot be read', () => {
    for (const kept of ['one', { one: true }, [null, 'acme one', { key: 'acme one' }]]) {
      const { record, state } = bed(model('one', 'acme'));
      state.set('sampling.models', kept);
      assert.equal(record.has('one'), false);
    }
  });
});
