import assert from 'node:assert/strict';
import { once } from 'node:events';
import { getHeapStatistics } from 'node:v8';
import type { Worker } from 'node:worker_threads';
import { SchemaChecks } from '../../../../src/host/schemas/schemaCheck.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { schemaScript } from '../../support/schemaChecks.ts';

const hostile = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
const stuck = { a: `${'a'.repeat(50)}!` };
/** Only a thread checks it, and at once. */
const patterned = { type: 'object', properties: { a: { type: 'string', pattern: '^a$' } } };
const plain = { type: 'object', properties: { a: { type: 'string', format: 'email' } } };

/** Units of work double with each level. */
function doubling(levels: number): unknown {
  const names = Array.from({ length: levels }, (_, level) => `#/$defs/${level + 1}`);
  return {
    $ref: '#/$defs/0',
    $defs: Object.fromEntries([
      ...names.map(($ref, level) => [level, { allOf: [{ $ref }, { $ref }] }]),
      [levels, { type: 'object' }],
    ]),
  };
}

/** The same, with references to anchors. */
function doublingAnchors(levels: number): unknown {
  const names = Array.from({ length: levels }, (_, level) => `#a${level + 1}`);
  return {
    $ref: '#a0',
    $defs: Object.fromEntries([
      ...names.map(($ref, level) => [level, { $anchor: `a${level}`, allOf: [{ $ref }, { $ref }] }]),
      [levels, { $anchor: `a${levels}`, type: 'object' }],
    ]),
  };
}

/** As deep as it is: a schema that refers to itself twice takes 2^levels steps for it. */
function nested(levels: number): unknown {
  return levels === 0 ? 1 : { a: nested(levels - 1) };
}

/** A schema that refers twice to the schema of `a`, or to itself, by a reference that seems to lead to `beside`. */
function twice($ref: string, beside: object): unknown {
  return { type: 'object', properties: { a: { allOf: [{ $ref }, { $ref }] } }, ...beside };
}

suite('SchemaChecks', () => {
  let checks: SchemaChecks;
  let workers: Worker[];
  const started = (worker: Worker): void => void workers.push(worker);

  setup(() => {
    checks = new SchemaChecks(schemaScript);
    workers = [];
    process.on('worker', started);
  });

  teardown(() => {
    checks.dispose();
    process.off('worker', started);
  });

  const check = async (server: string, schema: unknown, value: unknown): Promise<string | undefined> => {
    const prepared = await checks.of(server).prepare(schema);
    return prepared.kind === 'ready' ? prepared.check(value) : prepared.reason;
  };

  test('checks what is simple at once, without a thread or a context of its own', async () => {
    await check('one', plain, {});
    const before = getHeapStatistics().number_of_native_contexts;
    for (let time = 0; time < 50; time += 1) {
      assert.equal(await check('one', plain, { a: 'a@example.com' }), undefined);
      assert.equal(await check('one', plain, { a: 'x' }), 'data/a must match format "email"');
    }
    assert.equal(getHeapStatistics().number_of_native_contexts, before);
    assert.deepEqual(workers, []);
  });

  test('compiles a schema once, and forgets the ones that were used longest ago', async () => {
    const one = checks.of('one');
    const first = await one.prepare(plain);
    assert.equal(await one.prepare(plain), first);
    for (let other = 0; other < 50; other += 1) {
      await one.prepare({ type: 'object' });
    }
    assert.notEqual(await one.prepare(plain), first);
  });

  const elsewhere: readonly (readonly [what: string, schema: unknown, value: unknown, problem?: RegExp])[] = [
    ['a pattern', patterned, { a: 'b' }, /must match pattern "\^a\$"/],
    [
      'a pattern for names',
      { patternProperties: { '^a': { type: 'number' } } },
      { ab: '' },
      /must be number/,
    ],
    ['a format that takes long', { properties: { a: { format: 'url' } } }, { a: 'x' }, /format "url"/],
    ['a reference to an anchor', { $ref: '#a', $defs: { a: { $anchor: 'a', type: 'array' } } }, {}, /array/],
    ['a circle', { properties: { a: { $ref: '#' } }, required: ['b'] }, { a: {}, b: 1 }, /property 'b'/],
    [
      'a large schema',
      { allOf: Array.from({ length: 260 }, () => ({ minProperties: 1 })) },
      {},
      /fewer than 1/,
    ],
    ['a large value', { items: { type: 'number' } }, Array.from({ length: 20_000 }, () => 1)],
    ['many items to compare', { uniqueItems: true }, Array.from({ length: 500 }, (_, index) => ({ index }))],
  ];
  for (const [what, schema, value, problem] of elsewhere) {
    test(`has ${what} checked by a thread`, async () => {
      const found = await check('one', schema, value);
      assert.ok(problem ? problem.test(found ?? '') : found === undefined, found);
      assert.equal(workers.length, 1);
    });
  }

  test('takes a property for no keyword, and few items to be quickly compared', async () => {
    const schema = {
      properties: { pattern: { type: 'string' }, format: { enum: ['a'] }, b: { uniqueItems: true } },
    };
    assert.equal(await check('one', schema, { pattern: '(', format: 'a', b: [1, 2] }), undefined);
    assert.match((await check('one', schema, { b: [1, 1] })) ?? '', /duplicate/);
    assert.deepEqual(workers, []);
  });

  for (const [what, schema, value] of [
    ['a pattern', hostile, stuck],
    ['references that double at each level', doubling(60), {}],
    ['references to anchors that double at each level', doublingAnchors(60), {}],
    ['references to "#/" that double at each level', twice('#/', { '': {} }), nested(60)],
    ['references to a name of the whole', twice('#/x', { $id: 'https://a/#/x', x: {} }), nested(60)],
    [
      'references with another # that double at each level',
      { properties: { a: twice('#/properties/a#', {}), 'a#': {} } },
      nested(60),
    ],
  ] as const) {
    test(`ends ${what} that runs forever, while this thread goes on and others are checked`, async () => {
      let turns = 0;
      const turning = setInterval(() => {
        turns += 1;
      }, 1);
      try {
        const hostileOnes = checks.of('hostile');
        const [one, another] = await Promise.all([
          hostileOnes.prepare(schema),
          hostileOnes.prepare(structuredClone(schema)),
        ]);
        assert.ok(one.kind === 'ready' && another.kind === 'ready');
        const order: string[] = [];
        const ended = async (name: string, checking: Promise<unknown>): Promise<void> => {
          await assert.rejects(checking, /^Error: the check took more than 1000 ms$/);
          order.push(name);
        };
        const other = await checks.of('other').prepare(patterned);
        assert.ok(other.kind === 'ready');
        turns = 0;
        const ends = Promise.all([
          ended('one', one.check(value)),
          ended('one again', one.check(value)),
          ended('another', another.check(value)),
        ]);
        assert.match((await other.check({ a: 'b' })) ?? '', /must match pattern/);
        order.push('other');
        assert.ok(turns > 10, `${turns} turns`);
        await ends;
        assert.deepEqual(order, ['one', 'one again', 'other', 'another'], 'servers take turns');
        await assert.rejects(one.check(value), /more than 1000 ms/);
        assert.equal(workers.length, 2, 'what ran forever is not tried again');
      } finally {
        clearInterval(turning);
      }
    });
  }

  test('leaves values alone that are too large to cross', async () => {
    const prepared = await checks.of('one').prepare(patterned);
    assert.ok(prepared.kind === 'ready');
    const large = Array.from({ length: 200_001 }, () => 0);
    await assert.rejects(prepared.check({ large }), /^Error: it has more than 200,000 values$/);
    assert.equal(await prepared.check({ a: 'a' }), undefined, 'others are checked');
  });

  test('says why a schema cannot be used, wherever it is compiled', async () => {
    const broken = { type: 'object', properties: { a: { type: 'string', pattern: '(' } } };
    assert.match((await check('one', broken, {})) ?? '', /Invalid regular expression/);
    assert.match((await check('one', { type: 'nonsense' }, {})) ?? '', /nonsense/);
    assert.match((await check('one', 5, {})) ?? '', /./);
  });

  test('ends its thread when it is disposed, with what waits', async () => {
    const prepared = await checks.of('one').prepare(hostile);
    assert.ok(prepared.kind === 'ready');
    const [worker] = workers;
    assert.ok(worker);
    const exited = once(worker, 'exit');
    const stopped = Promise.allSettled([prepared.check(stuck), check('two', { ...patterned }, {})]);
    checks.dispose();
    await exited;
    const [running, waiting] = await stopped;
    assert.match(String(running?.status === 'rejected' && running.reason), /checks have ended$/);
    assert.equal(waiting?.status === 'fulfilled' && waiting.value, 'checks have ended');
    assert.equal(workers.length, 1);
  });

  test('ends its thread after a while without a check, and starts another one', async () => {
    const clock = new FakeClock();
    checks.dispose();
    checks = new SchemaChecks(schemaScript, clock.after);
    assert.equal(await check('one', patterned, { a: 'a' }), undefined);
    const [worker] = workers;
    assert.ok(worker);
    const exited = once(worker, 'exit');
    await clock.tick(30_000);
    await exited;
    assert.equal(await check('one', patterned, { a: 'a' }), undefined);
    assert.equal(workers.length, 2);
  });

  test('goes on with another thread after one that failed', async () => {
    checks.dispose();
    checks = new SchemaChecks('/nowhere/schemaWorker.ts');
    assert.match((await check('one', patterned, {})) ?? '', /nowhere/);
    assert.match((await check('one', { ...patterned }, {})) ?? '', /nowhere/);
    assert.equal(await check('one', plain, {}), undefined);
  });
});
