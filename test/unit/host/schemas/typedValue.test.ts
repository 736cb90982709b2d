import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { argumentSteps, type ArgumentStep } from '../../../../src/host/schemas/argumentSteps.ts';
import { expectation, readPicked, readTyped, typedText } from '../../../../src/host/schemas/typedValue.ts';

function stepOf(schema: unknown, isRequired = true): ArgumentStep {
  const [step] = argumentSteps({
    type: 'object',
    properties: { a: schema },
    required: isRequired ? ['a'] : [],
  });
  assert.ok(step);
  return step;
}

function read(schema: unknown, typed: string, isRequired = true): unknown {
  const step = stepOf(schema, isRequired);
  assert.ok(step.kind !== 'boolean' && step.kind !== 'choice' && step.kind !== 'list');
  const answer = readTyped(step, typed);
  switch (answer.kind) {
    case 'value':
      return answer.value;
    case 'omitted':
      return undefined;
    case 'problem':
      return answer.message;
  }
}

suite('readTyped', () => {
  const integer = { type: 'integer', minimum: 1, maximum: 10 };
  const table: readonly (readonly [schema: unknown, typed: string, expected: unknown])[] = [
    [{ type: 'string' }, ' x ', ' x '],
    [{ type: 'string' }, '', 'This argument is required. Type "" for an empty text.'],
    [{ type: 'string' }, '""', ''],
    [
      { type: 'string', minLength: 3 },
      'ab',
      'This is 2 characters: expected is text, at least 3 characters.',
    ],
    [{ type: 'string', maxLength: 1 }, '𝒳', '𝒳'],
    [{ type: 'string', minLength: 1 }, '', 'This argument is required: text, at least 1 character.'],
    [integer, ' 7 ', 7],
    [integer, '7.5', "'7.5' is not an integer from 1 to 10."],
    [integer, '11', '11 is out of range: expected is an integer from 1 to 10.'],
    [integer, '', 'This argument is required: an integer from 1 to 10.'],
    [integer, '0x7', "'0x7' is not an integer from 1 to 10."],
    [{ type: 'integer' }, '9007199254740993', '9007199254740993 is too large to be sent exactly.'],
    [{ type: 'number' }, '-1.5e3', -1500],
    [{ type: 'number' }, '1e999', "'1e999' is not a number."],
    [{ type: 'number', minimum: 0 }, '-1', '-1 is out of range: expected is a number of at least 0.'],
    [{ type: 'array' }, '["x", ]', ['x']],
    [{ type: 'array' }, '{}', 'This is not a JSON array.'],
    [{ type: 'array' }, '["x"', 'This is not JSON: a closing ] is missing, at line 1, column 5.'],
    [{ type: 'object' }, '{ "b": 1 } // so', { b: 1 }],
    [{}, '"x"', 'x'],
    [{ type: ['string', 'null'] }, '', null],
  ];
  for (const [schema, typed, expected] of table) {
    test(`reads ${JSON.stringify(typed)} for ${JSON.stringify(schema)}`, () => {
      assert.deepEqual(read(schema, typed), expected);
    });
  }

  test('leaves out an optional argument for which nothing is typed', () => {
    assert.equal(read({ type: 'string' }, '', false), undefined);
    assert.equal(read({ type: 'array' }, ' ', false), undefined);
  });

  test('reads back what it writes', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(text !== '""');
        assert.equal(read({ type: 'string' }, typedText(stepOf({ type: 'string' }), text)), text);
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(value !== null);
        const json: unknown = JSON.parse(JSON.stringify(value));
        assert.deepEqual(read({}, typedText(stepOf({}), json)), json);
      }),
    );
  });

  test('never throws', () => {
    for (const schema of [{ type: 'string' }, integer, { type: 'array' }, {}]) {
      fc.assert(fc.property(fc.string(), (typed) => void read(schema, typed)));
    }
  });
});

suite('readPicked', () => {
  test('takes the value that was picked, or all of them', () => {
    const one = stepOf({ enum: [1, 2] });
    const many = stepOf({ type: 'array', items: { enum: [1, 2] } });
    assert.ok(one.kind === 'choice' && many.kind === 'choice');
    assert.deepEqual(readPicked(one, [2]), { kind: 'value', value: 2 });
    assert.deepEqual(readPicked(many, [1, 2]), { kind: 'value', value: [1, 2] });
    assert.deepEqual(readPicked(many, []), { kind: 'value', value: [] });
  });

  test('leaves out an optional argument of which nothing was picked', () => {
    const many = stepOf({ type: 'array', items: { enum: [1, 2] } }, false);
    assert.ok(many.kind === 'choice');
    assert.deepEqual(readPicked(many, []), { kind: 'omitted' });
  });
});

suite('expectation', () => {
  test('says what is expected', () => {
    assert.equal(
      expectation(stepOf({ type: 'string', format: 'date' })),
      'text of the format date, such as 2026-03-14',
    );
    assert.equal(
      expectation(stepOf({ type: 'string', minLength: 1, maxLength: 5 })),
      'text, 1 to 5 characters',
    );
    assert.equal(expectation(stepOf({ type: 'object' })), 'a JSON object');
  });
});
