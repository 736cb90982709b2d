import assert from 'node:assert/strict';
import { schemaBeyondBounds } from '../../../../src/host/schemas/subschemas.ts';

/** A schema with this many others within each other, below properties. */
function deep(levels: number): object {
  let schema: object = {};
  for (let level = 1; level < levels; level += 1) {
    schema = { properties: { a: schema } };
  }
  return schema;
}

/** Arrays in arrays, as no schema has them. */
function nested(levels: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < levels; level += 1) {
    value = [value];
  }
  return value;
}

suite('The bounds of a schema', () => {
  const within: readonly (readonly [string, unknown])[] = [
    ['none', undefined],
    ['what every tool has', { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }],
    ['as deep as allowed', deep(64)],
    ['a reference in itself', { $defs: { a: {} }, properties: { b: { $ref: '#/$defs/a' } } }],
    ['an argument of the name $ref', { properties: { $ref: { type: 'string' }, enum: { type: 'string' } } }],
    ['data that looks like a reference', { enum: [{ $ref: 'https://example.com/' }], default: deep(100) }],
  ];
  for (const [what, schema] of within) {
    test(`hold ${what}`, () => assert.equal(schemaBeyondBounds(schema), undefined));
  }

  const beyond: readonly (readonly [string, unknown, RegExp])[] = [
    ['one level too many', deep(65), /more than 64 levels deep/],
    ['100,000 levels', deep(100_000), /more than 64 levels deep/],
    ['100,000 arrays', { allOf: nested(100_000) }, /more than 64 levels deep/],
    ['too many parts', { oneOf: Array.from({ length: 20_001 }, () => ({})) }, /more than 20000 parts/],
    ['another file', { items: { $ref: 'file:///projects/s.json' } }, /file:\/\/\/projects\/s\.json$/],
    ['another document by its name', { $ref: 's.json#/a' }, /is not fetched/],
    ['a dynamic reference', { $dynamicRef: 'https://example.com/#a' }, /is not fetched/],
    ['one behind an unknown keyword', { own: { $ref: 'https://example.com/' } }, /is not fetched/],
    ['one behind a property called default', { properties: { default: { $ref: 'x' } } }, /is not fetched/],
    ['one below a map', { dependentSchemas: { a: { not: { $ref: 'x' } } } }, /is not fetched/],
    ['what is checked later', { properties: { a: { $async: true } } }, /\$async/],
  ];
  for (const [what, schema, reason] of beyond) {
    test(`do not hold ${what}`, () => assert.match(schemaBeyondBounds(schema) ?? '', reason));
  }
});
