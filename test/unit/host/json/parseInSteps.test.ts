import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { atOnce } from '../../../../src/base/time/slices.ts';
import { messageBounds } from '../../../../src/host/json/bounds.ts';
import { TooMuch } from '../../../../src/host/json/jsonBytes.ts';
import { parseInSteps } from '../../../../src/host/json/parseInSteps.ts';
import { SMALL_BYTES } from '../../../../src/host/json/smallValue.ts';
import { skipInSteps } from '../../../../src/host/json/skipInSteps.ts';
import { runs } from '../../support/thoroughness.ts';

/** Units of work of one step: the loop may turn after each. */
const MOST_IN_A_STEP = 150_000;

function parsed(text: string): unknown {
  const bytes = Buffer.from(text);
  const { value, end } = atOnce(counted(parseInSteps(bytes, 0)));
  if (bytes.toString('utf8', end).trim() !== '') {
    throw new SyntaxError('More than one value');
  }
  return value;
}

function* counted<T>(work: Generator<number, T>): Generator<number, T> {
  for (;;) {
    const step = work.next();
    if (step.done) {
      return step.value;
    }
    assert.ok(step.value <= MOST_IN_A_STEP, `${step.value} units in one step`);
    yield step.value;
  }
}

/** What it is, or that it is no JSON. */
function outcome(parse: (text: string) => unknown, text: string): unknown {
  try {
    return { value: parse(text) };
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error));
    return 'no JSON';
  }
}

const long = 'x'.repeat(SMALL_BYTES);
/** A text is read at once when it is small, also within a large one, and value by value near the start of that. */
const around: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `[${text},"${long}"]`,
  (text) => `["${long}",${text}]`,
];

suite('JSON parsed in steps', () => {
  const plain = (text: string): unknown => JSON.parse(text) as unknown;
  const texts = fc.string({ unit: 'binary', maxLength: 20 });

  test('is parsed as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), fc.constantFrom(undefined, 2, '\t'), (text, space) => {
        for (const put of around) {
          const spaced = put(JSON.stringify(plain(text), undefined, space));
          assert.deepEqual(parsed(spaced), plain(spaced));
          assert.equal(JSON.stringify(parsed(spaced)), JSON.stringify(plain(spaced)));
        }
      }),
    );
  });

  test('is valid exactly when JSON.parse accepts it, wherever it was damaged', () => {
    const damage = fc.constantFrom(
      '',
      ',',
      '"',
      '\\',
      '}',
      ']',
      '{',
      '[',
      ':',
      '0',
      '-',
      'e',
      '.',
      'u',
      '\n',
      '\t',
      ' ',
    );
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.nat(3), damage, (text, place, removed, put) => {
        const at = place % (text.length + 1);
        for (const wrap of around) {
          const damaged = wrap(text.slice(0, at) + put + text.slice(at + removed));
          assert.deepEqual(outcome(parsed, damaged), outcome(plain, damaged));
        }
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('has complete long strings, wherever a step ends: in characters, escapes and pairs', () => {
    const part = fc.oneof(texts, fc.constantFrom('\\', '"', '\n', '\u0000', '👍', '\ud800', '漢'));
    fc.assert(
      fc.property(part, fc.nat(70), (one, before) => {
        const value = ['x'.repeat(before) + one.repeat(Math.ceil(200_000 / Math.max(1, one.length)))];
        const escaped = JSON.stringify(value).replaceAll(
          /[^\0-~]/g,
          (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
        assert.deepEqual(parsed(escaped), plain(escaped));
        assert.deepEqual(parsed(JSON.stringify(value)), value);
      }),
      { numRuns: runs(30) },
    );
  });

  for (const text of [
    '{"__proto__":{"a":1},"a":2,"a":3,"1":4}',
    '[1,2,]',
    '{"a":1,}',
    '[',
    '',
    '01',
    '-',
    '1.',
    '"',
    '"\\u12"',
    'nul',
    '1e400',
    '-0',
  ]) {
    test(`is parsed as JSON.parse does: ${text}`, () => {
      for (const put of around) {
        assert.deepEqual(outcome(parsed, put(text)), outcome(plain, put(text)));
      }
    });
  }

  test('is read as UTF-8 in the same way, wherever it is', () => {
    const bytes = fc.uint8Array({ maxLength: 8 }).filter((some) => some.every((one) => one > 0x7f));
    fc.assert(
      fc.property(bytes, (odd) => {
        for (const put of around) {
          const [before = '', after = ''] = put('["@"]').split('@');
          const text = Buffer.concat([Buffer.from(before), odd, Buffer.from(after)]);
          assert.deepEqual(atOnce(parseInSteps(text, 0)).value, plain(text.toString()));
        }
      }),
    );
  });

  test('has as many values as JSON.parse finds, whether or not it is small', () => {
    const countOf = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce((sum: number, part) => sum + countOf(part), 1)
        : 1;
    const one = fc.jsonValue().map((value) => [value]);
    fc.assert(
      fc.property(one, fc.constantFrom(undefined, 1), (value, space) => {
        for (const put of around) {
          const text = put(JSON.stringify(value, undefined, space));
          const bounds = { ...messageBounds, values: countOf(plain(text)) };
          assert.doesNotThrow(() => atOnce(parseInSteps(Buffer.from(text), 0, bounds)));
          const fewer = { ...bounds, values: bounds.values - 1 };
          assert.throws(() => atOnce(parseInSteps(Buffer.from(text), 0, fewer)), TooMuch);
        }
      }),
    );
  });

  test('never exceeds its bounds', () => {
    const bounds = { depth: 3, values: 10, nameBytes: 6, numberBytes: 4 };
    const taken = ['[[[1]]]', '[1,2,3,4,5,6,7,8,9]', '{"abcd":1}', '[1234]'];
    const refused = ['[[[[1]]]]', '[1,2,3,4,5,6,7,8,9,10]', '{"abcde":1}', '[12345]'];
    for (const text of taken) {
      assert.deepEqual(atOnce(parseInSteps(Buffer.from(text), 0, bounds)).value, plain(text));
    }
    const wider = { depth: 4, values: 12, nameBytes: 2 * SMALL_BYTES, numberBytes: 4 };
    for (const text of refused) {
      assert.throws(() => atOnce(parseInSteps(Buffer.from(text), 0, bounds)), TooMuch);
      for (const put of around.slice(1)) {
        const some = { ...wider, ...(text.startsWith('{') && { nameBytes: 6 }) };
        assert.throws(() => atOnce(parseInSteps(Buffer.from(put(text)), 0, some)), TooMuch);
      }
    }
    assert.ok(messageBounds.depth <= 1_000);
  });

  for (const [what, unit] of [
    ['a text', 'x'],
    ['backslashes', '\\\\'],
    ['escaped quotes', '\\"'],
    ['escapes', '\\u6f22'],
    ['characters of three bytes', '漢'],
    ['what is no UTF-8', Buffer.from([0xff])],
  ] as const) {
    test(`takes no long step for 4 MiB of ${what}`, () => {
      const bytes = Buffer.alloc(4 * 1024 * 1024 - ((4 * 1024 * 1024) % Buffer.byteLength(unit)), unit);
      const text = Buffer.concat([Buffer.from('["'), bytes, Buffer.from('"]')]);
      const { value } = atOnce(counted(parseInSteps(text, 0)));
      assert.ok(Array.isArray(value) && value.length === 1);
      assert.equal(atOnce(counted(skipInSteps(text, 0))).end, text.length);
    });
  }

  for (const unit of ['1,', '[],', '{},', '"",', '{"a":1},', '  ', '\n,']) {
    test(`takes no long step for 1 MiB of ${JSON.stringify(unit)}`, () => {
      const text = Buffer.from(`[${unit.repeat(2 ** 20 / unit.length)}1]`);
      outcome(() => atOnce(counted(parseInSteps(text, 0))), '');
      assert.equal(atOnce(counted(skipInSteps(text, 0))).end, text.length);
    });
  }

  test('finds the id of a response that it skips', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), texts), fc.json(), fc.json(), fc.nat(2), (id, one, two, place) => {
        const members = [`"result":${one}`, `"more":{"id":9,"method":"x","y":${two}}`];
        members.splice(place, 0, `"id" : ${JSON.stringify(id)}`);
        const text = Buffer.from(`{${members.join(',')}} ,`);
        const { end, answers } = atOnce(skipInSteps(text, 0));
        assert.equal(text.toString('utf8', end), ' ,');
        const isPlain = typeof id === 'number' || /^[ -!#-[\]-~]*$/.test(id);
        assert.equal(isPlain ? answers : id, id);
      }),
    );
  });
});
