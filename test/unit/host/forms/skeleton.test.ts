import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { parse, type ParseError } from 'jsonc-parser';
import { commentedSkeleton } from '../../../../src/host/forms/skeleton.ts';

const open = { type: 'string' };

suite('JSON to start from', () => {
  test('begins with what is required, what is optional in comments, each explained', () => {
    const schema = {
      type: 'object',
      properties: {
        limit: { type: 'integer', minimum: 1, maximum: 10, description: 'How many\nat most' },
        query: { type: 'string', title: 'Query', minLength: 1 },
        kind: { enum: ['file', 'folder'] },
        day: { type: 'string', format: 'date' },
        range: { $ref: '#/$defs/range' },
        edits: {
          type: 'array',
          items: { type: 'object', required: ['old'], properties: { old: { type: 'string' } } },
        },
      },
      required: ['query', 'kind', 'range', 'edits'],
      additionalProperties: open,
      $defs: {
        range: {
          type: 'object',
          properties: { from: { type: 'number' } },
          required: ['from'],
          minProperties: 1,
        },
      },
    };
    assert.equal(
      commentedSkeleton(schema),
      `{
  // Query
  // Required: text, at least 1 character
  "query": "",
  // Required: one of file, folder
  "kind": "file",
  // Required: a JSON object
  "range": {
    // Required: a number
    "from": 0
  },
  // Required: a list, each item a JSON object
  "edits": [
    {
      // Required: text
      "old": ""
    }
  ]
  // How many at most
  // Optional: a whole number, 1 to 10
  // "limit": 1
  // Optional: a date, such as 2026-03-14
  // "day": ""
}
`,
    );
  });

  test('has defaults, and of alternatives the first', () => {
    const schema = {
      type: 'object',
      oneOf: [
        { type: 'object', properties: { retries: { type: 'integer', default: 3 }, on: { const: true } } },
        { type: 'object', properties: { never: { type: 'string' } } },
      ],
    };
    const text = commentedSkeleton(schema);
    assert.match(text, /\/\/ "retries": 3\n/);
    assert.match(text, /\/\/ Optional: true\n/);
    assert.doesNotMatch(text, /never/);
  });

  test('is an empty object if the schema says nothing of properties', () => {
    for (const schema of [
      { type: 'object', additionalProperties: open },
      5,
      { $ref: 'https://example.com/' },
    ]) {
      assert.equal(commentedSkeleton(schema), '{}\n');
    }
  });

  test('has nothing invisible in it', () => {
    const schema = {
      type: 'object',
      properties: { text: { type: 'string', description: 'a\u2028*/\u202E"' } },
      minProperties: 1,
    };
    assert.match(commentedSkeleton(schema), /\/\/ a\\u\{2028\}\*\/\\u\{202E\}"\n/);
  });

  test('stays small however a schema refers to itself', () => {
    const names = Array.from({ length: 50 }, (_, index) => `n${index}`);
    const node = {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { $ref: '#/$defs/node' }])),
      required: names,
    };
    assert.ok(commentedSkeleton({ ...node, $defs: { node } }).length < 100_000);
  });

  test('is JSON whatever the schema says', () => {
    const schemas = fc.dictionary(
      fc.string(),
      fc.oneof(
        fc.jsonValue(),
        fc.record({ type: fc.constantFrom('string', 'array', 'object', 'number'), default: fc.jsonValue() }),
      ),
    );
    fc.assert(
      fc.property(schemas, fc.boolean(), (properties, isRequired) => {
        const required = isRequired ? Object.keys(properties) : [];
        const errors: ParseError[] = [];
        parse(commentedSkeleton({ type: 'object', properties, required, minProperties: 1 }), errors);
        assert.deepEqual(errors, []);
      }),
    );
  });
});
