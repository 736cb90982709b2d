import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { keptFields, withKeptFields } from '../../../../src/form/keptFields.ts';
import { formOf } from '../../../../src/host/forms/formOf.ts';
import { argumentsText, enteredArguments } from '../../../../src/host/requestForms/argumentsText.ts';
import { readKeptPage } from '../../../../src/host/requestForms/requestFormProtocol.ts';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    count: { type: 'integer' },
    isOn: { type: 'boolean' },
    color: { enum: ['red', 'green'] },
    several: { type: 'array', items: { enum: ['a', 'b'] } },
    list: { type: 'array', items: { type: 'object', properties: { x: { type: 'number' } } } },
    either: {
      oneOf: [
        { type: 'string', title: 'Text' },
        { type: 'number', title: 'Number' },
      ],
    },
    any: {},
    place: {
      type: 'object',
      properties: { city: { type: 'string' }, zone: { type: 'integer', default: 1 } },
    },
    login: { type: 'object', properties: { user: { type: 'string' }, password: { type: 'string' } } },
  },
};
const form = formOf(schema);
const entered = [
  'Jo',
  '4x',
  'yes',
  '1',
  ['0', '1'],
  [['1.5'], ['']],
  ['1', '2'],
  '{',
  ['', '7'],
  ['ada', 'hunter2'],
];

suite('What is kept of a form', () => {
  test('comes back as it was, without any field that has a secret in it', () => {
    const kept = keptFields(form, entered);
    assert.deepEqual(Object.keys(kept), [
      'name',
      'count',
      'isOn',
      'color',
      'several',
      'list',
      'either',
      'any',
      'place',
    ]);
    assert.ok(!JSON.stringify(kept).includes('hunter2'));
    assert.deepEqual(withKeptFields(form, kept), [...entered.slice(0, -1), '']);
  });

  test('is taken by name, as far as it fits a form that has changed', () => {
    const { name, isOn, list } = schema.properties;
    const changed = formOf({
      type: 'object',
      properties: { isOn, count: list, name, color: { enum: ['red'] } },
    });
    assert.deepEqual(withKeptFields(changed, keptFields(form, entered)), ['yes', [], 'Jo', '']);
  });

  test('never makes a form that its fields cannot show', () => {
    const anything = fc.letrec((tie) => ({
      entered: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('', 'yes', '0', '1', '7', 'x'),
        fc.array(tie('entered'), { maxLength: 3 }),
      ),
    })).entered;
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(schema.properties)), anything), (kept) => {
        const made = withKeptFields(form, kept as never);
        assert.deepEqual(withKeptFields(form, keptFields(form, made)).slice(0, -1), made.slice(0, -1));
      }),
    );
  });

  test('is read only as it was written', () => {
    const page = { server: 'id', kind: 'prompt' as const, name: 'name', fields: { a: ['x', ['1']] } };
    assert.deepEqual(readKeptPage({ ...page, more: 1 }), page);
    for (const wrong of [
      undefined,
      {},
      { ...page, fields: { a: 1 } },
      { ...page, json: 4 },
      { ...page, name: 1 },
      { ...page, kind: 'resource' },
    ]) {
      assert.equal(readKeptPage(wrong), undefined);
    }
  });
});

suite('The JSON of a form', () => {
  test('keeps what is not valid as it is typed, and comes back', () => {
    assert.ok(form.kind === 'object');
    const text = argumentsText(form, entered);
    assert.deepEqual(JSON.parse(text), {
      name: 'Jo',
      count: '4x',
      isOn: true,
      color: 'green',
      several: ['a', 'b'],
      list: [{ x: 1.5 }, {}],
      either: 2,
      any: '{',
      place: { zone: 7 },
    });
    const back = enteredArguments(form, JSON.parse(text) as Record<string, unknown>, entered);
    const wanted = entered.with(7, '"{"');
    assert.deepEqual(back, { entered: wanted });
  });

  test('distinguishes an absent object from an empty one', () => {
    assert.ok(form.kind === 'object');
    for (const [place, wanted] of [
      ['', '{}'],
      [['', ''], '{"place":{}}'],
    ] as const) {
      const fields = { place };
      assert.deepEqual(keptFields(form, withKeptFields(form, fields))['place'], place);
      const text = argumentsText(form, withKeptFields(form, fields));
      assert.equal(JSON.stringify(JSON.parse(text)), wanted);
      const back = enteredArguments(form, JSON.parse(text) as Record<string, unknown>, entered);
      assert.deepEqual('entered' in back && back.entered.at(-2), place);
    }
  });

  test('is refused where no field can show it', () => {
    assert.ok(form.kind === 'object');
    assert.deepEqual(enteredArguments(form, { name: 1, color: 'blue', other: 1 }, entered), {
      unfit: ['name', 'color', 'other'],
    });
  });
});
