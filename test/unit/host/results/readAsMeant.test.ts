import assert from 'node:assert/strict';
import { readAsMeant } from '../../../../src/host/results/readAsMeant.ts';

const object = { type: 'object' };
const text = { type: 'string' };
const noType = 'In its input schema, `type` is missing and treated as `object`.';

/** What a server writes, what is read, and what the row says of it. */
const meant: readonly (readonly [written: unknown, read: object, note: string])[] = [
  [{}, object, noType],
  [{ $schema: 'http://json-schema.org/draft-07/schema#' }, {}, noType],
  [
    { type: null, properties: { a: text }, required: ['a'] },
    { properties: { a: text }, required: ['a'] },
    noType,
  ],
  [{ title: 'Args', additionalProperties: false, 'x-order': 1 }, {}, noType],
  [{ anyOf: [{ type: 'object', required: ['a'] }, { type: 'object' }] }, {}, noType],
  [{ $ref: '#/definitions/Args', definitions: { Args: object } }, {}, noType],
  [
    { ...object, required: null },
    object,
    'In its input schema, `required` is `null` and treated as missing.',
  ],
  [
    { ...object, properties: null },
    object,
    'In its input schema, `properties` is `null` and treated as missing.',
  ],
  [
    { ...object, properties: [] },
    { properties: {} },
    'In its input schema, `properties` is an empty list and treated as missing.',
  ],
  [{ ...object, $schema: null }, object, 'In its input schema, `$schema` is `null` and treated as missing.'],
  [[], object, 'In its input schema, an empty list is treated as an object without properties.'],
  [
    { properties: null, required: null },
    object,
    'In its input schema, `properties` is `null` and treated as missing, and `required` is `null` and treated as missing, and `type` is missing and treated as `object`.',
  ],
];

const doubtful: readonly unknown[] = [
  undefined,
  null,
  'object',
  true,
  [object],
  { type: 'string' },
  { type: 'Object' },
  { type: ['object', 'null'] },
  { query: text },
  { parameters: { a: text } },
  { enum: ['a'] },
  { items: text },
  { anyOf: [text, object] },
  { $ref: '#/definitions/Args' },
  { $ref: 'https://example.com/schema' },
  { $ref: '#/definitions/Args', definitions: { Args: text } },
  object,
];

suite('A tool with an invalid input schema', () => {
  for (const [written, read, note] of meant) {
    test(`is corrected if its meaning is clear: ${JSON.stringify(written)}`, () => {
      const found = readAsMeant({ name: 'a', inputSchema: written });
      assert.equal(found?.note, note);
      assert.equal(found.tool['name'], 'a');
      const schema = found.tool['inputSchema'] as Readonly<Record<string, unknown>>;
      assert.equal(schema['type'], 'object');
      for (const [name, value] of Object.entries(read)) {
        assert.deepEqual(schema[name], value);
      }
      assert.ok(Object.values(schema).every((value) => value !== null));
    });
  }

  for (const written of doubtful) {
    test(`is left as it is if its meaning is unclear: ${JSON.stringify(written)}`, () => {
      assert.equal(readAsMeant({ name: 'a', inputSchema: written }), undefined);
    });
  }

  test('is not changed itself', () => {
    const tool = Object.freeze({ name: 'a', inputSchema: Object.freeze({ required: null }) });
    assert.ok(readAsMeant(tool));
    assert.deepEqual(tool, { name: 'a', inputSchema: { required: null } });
  });
});
