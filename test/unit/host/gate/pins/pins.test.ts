import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { canonicalJson } from '../../../../../src/base/values/canonicalJson.ts';
import {
  canVary,
  isAsPinned,
  hasNoPins,
  noPins,
  renamesIn,
  withNew,
  type Listing,
  type Pins,
  type ItemPin,
} from '../../../../../src/host/gate/pins/pins.ts';
import { listedItem, type ListedItem } from '../../../../../src/host/gate/pins/itemFingerprint.ts';

interface Fields {
  readonly description?: string;
  /** One property of the input schema, so that tools have schemas of their own. */
  readonly input?: string;
}

function listing(tools: Readonly<Record<string, Fields>>, instructions = 'Do.'): Listing {
  const all = Object.entries(tools).map(([name, { description, input = name }]) => {
    const inputSchema = { type: 'object' as const, properties: { [input]: {} } };
    const one = listedItem('tools', { name, inputSchema, ...(description !== undefined && { description }) });
    return [name, one ?? assert.fail('nothing to compare')] as const;
  });
  return { tools: new Map(all), instructions };
}

/** The tool of a list that has nothing else. */
function toolOf(fields: Fields): ListedItem {
  return listing({ one: fields }).tools?.get('one') ?? assert.fail('one is not listed');
}

function pinOf(pins: Pins, name = 'one'): ItemPin {
  return pins.tools?.get(name) ?? assert.fail(`${name} is not pinned`);
}

function newOnes({ tools }: Pins): readonly string[] {
  return [...(tools ?? [])].filter(([, { isNew }]) => isNew).map(([name]) => name);
}

function renames(before: Readonly<Record<string, Fields>>, now: Readonly<Record<string, Fields>>): unknown {
  const pins = withNew(noPins, listing(before));
  const found = renamesIn(listing(now).tools ?? new Map(), pins);
  return Object.fromEntries([...found].map(([name, { item }]) => [name, item.name]));
}

suite('Canonical JSON', () => {
  test('is equal exactly when the values are, whatever the order of their fields', () => {
    const shuffled = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) {
        return value;
      }
      return Array.isArray(value)
        ? value.map(shuffled)
        : Object.fromEntries(
            Object.entries(value)
              .toReversed()
              .map(([key, one]) => [key, shuffled(one)]),
          );
    };
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.equal(canonicalJson(shuffled(value)), canonicalJson(value));
        assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('distinguishes fields with odd names from missing ones', () => {
    const odd = JSON.parse('{"__proto__":{"a":1}}') as unknown;
    assert.notEqual(canonicalJson(odd), canonicalJson({}));
    assert.equal(canonicalJson({ a: undefined }), '{}');
  });

  test('ends at a maximum depth', () => {
    let deep: unknown = null;
    for (let depth = 0; depth < 100_000; depth += 1) {
      deep = [deep];
    }
    assert.throws(() => canonicalJson(deep), RangeError);
    const tool = { name: 'deep', inputSchema: { type: 'object' as const, properties: { deep } } };
    assert.equal(listedItem('tools', tool as Parameters<typeof listedItem<'tools'>>[1]), undefined);
  });
});

suite('A pinned tool', () => {
  const before = { description: 'Before.', input: 'x' };
  const pin = pinOf(withNew(noPins, listing({ one: before })));

  test('is held back for any change, until you let its texts vary', () => {
    assert.deepEqual([pin.varies, pin.textChanges, pin.isNew], [false, 0, false]);
    assert.ok(isAsPinned(toolOf(before), pin));
    assert.ok(!isAsPinned(toolOf({ ...before, description: 'Now.' }), pin));
    assert.ok(!isAsPinned(toolOf({ ...before, input: 'y' }), pin));
  });

  test('is held back for a change of its parameters, also when its texts may vary', () => {
    const varying = { ...pin, varies: true };
    assert.ok(isAsPinned(toolOf({ ...before, description: 'Now.' }), varying));
    assert.ok(!isAsPinned(toolOf({ ...before, input: 'y' }), varying));
    assert.ok(!isAsPinned(toolOf({ description: 'Now.', input: 'y' }), varying));
  });

  test('can be let vary from the second change of its texts, and not with other parameters', () => {
    const changed = { ...pin, textChanges: 1 };
    assert.ok(!canVary(toolOf({ ...before, description: 'Now.' }), pin));
    assert.ok(canVary(toolOf({ ...before, description: 'Now.' }), changed));
    assert.ok(!canVary(toolOf({ ...before, input: 'y' }), changed));
  });
});

suite('Nothing is pinned', () => {
  test('before the first list and the first instructions, and where nothing is lost', () => {
    assert.ok(hasNoPins(noPins));
    assert.ok(!hasNoPins({ ...noPins, isLost: true }));
    assert.ok(!hasNoPins(withNew(noPins, { tools: undefined, instructions: 'Do.' })));
    assert.ok(!hasNoPins({ ...noPins, tools: new Map() }));
  });
});

suite('What is pinned of a list', () => {
  test('the first list is known, an empty one too', () => {
    assert.deepEqual(newOnes(withNew(noPins, listing({ one: {}, two: {} }))), []);
    const empty = withNew(noPins, listing({}));
    assert.deepEqual(newOnes(withNew(empty, listing({ one: {} }))), ['one']);
  });

  test('instructions alone are no list', () => {
    const pins = withNew(noPins, { tools: undefined, instructions: 'Do.' });
    assert.deepEqual(pins.instructions, { text: 'Do.', textChanges: 0, varies: false });
    assert.deepEqual(newOnes(withNew(pins, listing({ one: {} }))), []);
  });

  test('everything is new where something was lost', () => {
    const lost = withNew({ ...noPins, isLost: true }, { tools: undefined, instructions: 'Do.' });
    assert.deepEqual(newOnes(withNew(lost, listing({ one: {} }))), ['one']);
    assert.equal(lost.instructions?.text, undefined);
  });

  test('nothing more is pinned of what is pinned', () => {
    const pins = withNew(noPins, listing({ one: {}, two: {} }));
    assert.equal(withNew(pins, listing({ two: { description: 'Other.' } }, 'Other.')), pins);
    assert.equal(withNew(pins, { tools: undefined, instructions: 'Other.' }), pins);
  });

  test('forgets what came and went unapproved, when there is much of it', () => {
    let pins = withNew(noPins, listing({ kept: {} }));
    for (let round = 0; round < 5; round += 1) {
      const names = Array.from({ length: 500 }, (_, index) => [`tool ${round} ${index}`, {}]);
      pins = withNew(pins, listing(Object.fromEntries(names) as Record<string, Fields>));
    }
    assert.equal(pins.tools?.size, 1 + 1_000 + 500);
    assert.ok(pins.tools.has('kept'));
    assert.ok(pins.tools.has('tool 4 0') && pins.tools.has('tool 2 0') && !pins.tools.has('tool 1 499'));
  });

  test('what differs from another revision has changed or is new, and its instructions are those that were approved', () => {
    const other = withNew(noPins, listing({ one: {}, two: { description: 'Before.' } }, 'Before.'));
    const now = listing({ one: {}, two: { description: 'Now.' }, three: {} }, 'Now.');
    const pins = withNew(noPins, now, [other]);
    assert.deepEqual(newOnes(pins), ['three']);
    assert.equal(pins.tools?.get('two')?.item.description, 'Before.');
    assert.equal(pins.instructions?.text, 'Before.');
  });

  test('what you have not reviewed in another revision is not known in this one either', () => {
    const other = withNew(withNew(noPins, listing({ one: {} })), listing({ one: {}, later: {} }));
    const pins = withNew(noPins, listing({ one: {}, later: {} }), [other]);
    assert.deepEqual(newOnes(pins), ['later']);
    const lost = withNew({ ...noPins, isLost: true }, listing({ one: {} }));
    const next = withNew(noPins, listing({ one: {} }), [lost]);
    assert.deepEqual(newOnes(next), ['one']);
    assert.equal(next.instructions?.text, undefined);
  });

  test('another revision that shows the same changes nothing', () => {
    const same = listing({ one: {} });
    const pins = withNew(noPins, same, [
      withNew(noPins, listing({ one: { input: 'x' } }, 'No.')),
      withNew(noPins, same),
    ]);
    assert.deepEqual(newOnes(pins), []);
    assert.ok(isAsPinned(same.tools?.get('one') ?? assert.fail('one is not listed'), pinOf(pins)));
    assert.equal(pins.instructions?.text, 'Do.');
  });

  test('another revision in which nothing is pinned changes nothing', () => {
    const pins = withNew(noPins, listing({ one: {} }), [noPins]);
    assert.deepEqual(pins, withNew(noPins, listing({ one: {} })));
  });

  test('what was approved in one other revision is known, although it is new in a third', () => {
    const now = listing({ one: {}, later: {} });
    const unseen = withNew(withNew(noPins, listing({ one: {} })), now);
    assert.deepEqual(newOnes(unseen), ['later']);
    assert.deepEqual(newOnes(withNew(noPins, now, [unseen, withNew(noPins, now)])), []);
  });
});

suite('Renamed tools', () => {
  test('are those that take what one took that is gone', () => {
    assert.deepEqual(renames({ a: { input: 'x' } }, { b: { input: 'x' } }), { b: 'a' });
    assert.deepEqual(renames({ a: { input: 'x' } }, { b: { input: 'y' } }), {});
    assert.deepEqual(renames({ a: { input: 'x' } }, { a: { input: 'x' }, b: { input: 'x' } }), {});
    assert.deepEqual(renames({ a: { input: 'x' } }, {}), {});
    assert.deepEqual(renames({}, { a: { input: 'x' } }), {});
    const { tools } = listing({ a: { input: 'x' } });
    assert.equal(renamesIn(tools ?? new Map(), noPins).size, 0, 'nothing is pinned before the first list');
    assert.deepEqual(
      renames({ a: { input: 'x' }, b: { input: 'x' } }, { b: { input: 'x' } }),
      {},
      'what is listed under its own name is no other tool',
    );
  });

  test('take the place of one each, first of those with the same texts', () => {
    const before = { a: { input: 'x', description: 'A' }, b: { input: 'x', description: 'B' } };
    const [a, b] = [
      { input: 'x', description: 'A' },
      { input: 'x', description: 'B' },
    ];
    assert.deepEqual(renames(before, { c: b, d: a }), { c: 'b', d: 'a' });
    assert.deepEqual(renames(before, { c: { input: 'x', description: 'C' }, d: a }), { c: 'b', d: 'a' });
    assert.deepEqual(Object.keys(renames({ a }, { c: a, d: a }) as object), ['c']);
  });
});
