import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { argumentSteps, type ArgumentStep } from '../../../../src/host/schemas/argumentSteps.ts';
import { skeletonOf } from '../../../../src/host/schemas/skeleton.ts';

/** A step in short: kind, argument, and what matters of the rest. */
function inShort(step: ArgumentStep): string {
  const detail =
    step.kind === 'choice'
      ? ` ${step.isMany ? 'many ' : ''}${step.choices.map(({ label }) => label).join('|')}`
      : step.kind === 'json'
        ? ` ${step.accepts}`
        : step.kind === 'number' && step.isInteger
          ? ' integer'
          : '';
  const initial = step.initial === undefined ? '' : ` = ${JSON.stringify(step.initial)}`;
  return `${step.kind}${detail} ${step.argument ?? '*'} ${step.whenEmpty}${initial}`;
}

const object = (properties: Record<string, unknown>, required: string[] = []): unknown => ({
  type: 'object',
  properties,
  required,
});

suite('argumentSteps', () => {
  const table: readonly (readonly [title: string, schema: unknown, steps: readonly string[]])[] = [
    ['no arguments', { type: 'object' }, []],
    ['no arguments, said outright', { type: 'object', properties: {}, additionalProperties: false }, []],
    ['a text', object({ a: { type: 'string' } }, ['a']), ['text a refuse']],
    [
      'an optional text with a default',
      object({ a: { type: 'string', default: 'x' } }),
      ['text a omit = "x"'],
    ],
    ['a default of null, which is none', object({ a: { type: 'string', default: null } }), ['text a omit']],
    [
      'the required ones first',
      object({ a: { type: 'number' }, b: { type: 'integer' }, c: { type: 'boolean' } }, ['c', 'b']),
      ['number integer b refuse', 'boolean c refuse', 'number a omit'],
    ],
    ['an enum', object({ a: { enum: ['x', 2, null] } }, ['a']), ['choice x|2|null a refuse']],
    [
      'an enum with names',
      object({ a: { type: 'string', enum: ['x', 'y'], enumNames: ['Ex'] } }, ['a']),
      ['choice Ex|y a refuse'],
    ],
    [
      'alternatives with titles',
      object({ a: { oneOf: [{ const: 1, title: 'One' }, { const: 2 }] } }, ['a']),
      ['choice One|2 a refuse'],
    ],
    [
      'several of an enum',
      object({ a: { type: 'array', items: { enum: ['x', 'y'] } } }),
      ['choice many x|y a omit'],
    ],
    ['a constant', object({ a: { const: 'x' } }, ['a']), ['choice x a refuse']],
    ['a list of texts', object({ a: { type: 'array', items: { type: 'string' } } }), ['list a omit']],
    [
      'an array of objects',
      object({ a: { type: 'array', items: { type: 'object' } } }),
      ['json array a omit'],
    ],
    ['an object', object({ a: { properties: { b: {} } } }, ['a']), ['json object a refuse']],
    ['anything', object({ a: {}, b: true }, ['b']), ['json any b refuse', 'json any a omit']],
    ['required but not described', object({}, ['a']), ['json any a refuse']],
    [
      'an optional field as generators write it',
      object({ a: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, title: 'A' } }),
      ['text a omit'],
    ],
    [
      'required, but null will do',
      object({ a: { type: ['integer', 'null'] } }, ['a']),
      ['number integer a null'],
    ],
    [
      'a local reference',
      { ...(object({ a: { $ref: '#/$defs/e' } }) as object), $defs: { e: { enum: ['x'] } } },
      ['choice x a omit'],
    ],
    ['a reference to elsewhere', object({ a: { $ref: 'https://example.com/s.json' } }), ['json any a omit']],
    [
      'a reference in circles',
      { ...(object({ a: { $ref: '#/$defs/e' } }) as object), $defs: { e: { $ref: '#/$defs/e' } } },
      ['json any a omit'],
    ],
    [
      'names that are free',
      { type: 'object', additionalProperties: { type: 'string' } },
      ['json object * refuse'],
    ],
    [
      'alternatives for the whole',
      { type: 'object', oneOf: [object({ a: {} }), object({ b: {} })] },
      ['json object * refuse'],
    ],
    [
      'alternatives of what is required',
      { ...(object({ a: { type: 'string' } }) as object), anyOf: [{ required: ['a'] }] },
      ['text a omit'],
    ],
    ['no schema at all', 5, ['json object * refuse']],
    [
      'names of the prototype',
      object({ constructor: { type: 'string' } }, ['toString']),
      ['json any toString refuse', 'text constructor omit'],
    ],
  ];
  for (const [title, schema, steps] of table) {
    test(`makes steps of ${title}`, () => {
      assert.deepEqual(argumentSteps(schema).map(inShort), steps);
    });
  }

  test('asks for very many arguments as one object', () => {
    const names = Array.from({ length: 100 }, (_, index) => `a${index}`);
    const schema = object(Object.fromEntries(names.map((name) => [name, { type: 'string' }])));
    assert.deepEqual(argumentSteps(schema).map(inShort), ['json object * refuse']);
  });

  test('hides passwords', () => {
    const [step] = argumentSteps(object({ a: { type: 'string', format: 'password' } }));
    assert.ok(step?.kind === 'text' && step.isSecret);
  });

  test('takes any JSON for a schema', () => {
    fc.assert(fc.property(fc.jsonValue(), (schema) => void argumentSteps(schema)));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (properties) => {
        argumentSteps({ type: 'object', properties, required: Object.keys(properties) });
      }),
    );
  });
});

suite('skeletonOf', () => {
  test('fills in defaults and what is required', () => {
    const schema = {
      type: 'object',
      properties: {
        url: { type: 'string' },
        retries: { type: 'integer', default: 3 },
        note: { type: 'string' },
        tags: { type: 'array', items: { type: 'string' }, minItems: 1 },
        level: { enum: ['low', 'high'] },
      },
      required: ['url', 'tags', 'level'],
    };
    assert.deepEqual(skeletonOf(schema, schema), { url: '', retries: 3, tags: [''], level: 'low' });
  });

  test('stays small however a schema refers to itself', () => {
    const names = Array.from({ length: 50 }, (_, index) => `n${index}`);
    const node = {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { $ref: '#/$defs/node' }])),
      required: names,
    };
    const skeleton = skeletonOf(node, { $defs: { node } });
    assert.ok(JSON.stringify(skeleton).length < 200_000);
  });
});
