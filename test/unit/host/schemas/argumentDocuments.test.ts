import assert from 'node:assert/strict';
import { parse } from 'jsonc-parser';
import { argumentSteps, type JsonStep, type ListStep } from '../../../../src/host/schemas/argumentSteps.ts';
import { prepareCheck, type ArgumentCheck } from '../../../../src/host/schemas/checkArguments.ts';
import { commentedSkeleton } from '../../../../src/host/schemas/commentedSkeleton.ts';
import { problemsInJson } from '../../../../src/host/schemas/jsonProblems.ts';
import { RecordingLogger } from '../../support/recordingLogger.ts';
import { schemaChecks } from '../../support/schemaChecks.ts';
import { readItems } from '../../../../src/host/schemas/typedValue.ts';

const schema = {
  type: 'object',
  properties: {
    filter: {
      type: 'object',
      description: 'What to look for.\nAll of it.',
      required: ['query', 'kind', 'range'],
      properties: {
        limit: { type: 'integer', minimum: 1, maximum: 10, description: 'How many at most' },
        query: { type: 'string', title: 'Query', minLength: 1 },
        kind: { enum: ['file', 'folder'] },
        range: { $ref: '#/$defs/range' },
      },
    },
    edits: {
      type: 'array',
      items: { type: 'object', required: ['old'], properties: { old: { type: 'string' } } },
    },
  },
  required: ['filter', 'edits'],
  $defs: {
    range: { type: 'object', properties: { from: { type: 'number' } }, required: ['from'] },
  },
};

function jsonStep(argument: string): JsonStep {
  const step = argumentSteps(schema).find((one) => one.argument === argument);
  assert.ok(step?.kind === 'json');
  return step;
}

async function check(): Promise<ArgumentCheck> {
  return prepareCheck(schemaChecks.of('any'), schema, 'search', new RecordingLogger());
}

suite('The document of an argument', () => {
  test('begins with what is required, what is optional in comments, each explained', () => {
    assert.equal(
      commentedSkeleton(jsonStep('filter'), schema),
      [
        '// What to look for. All of it.',
        '// Required: a JSON object',
        '{',
        '  // Query',
        '  // Required: text, at least 1 character',
        '  "query": "",',
        '  // Required: one of file, folder',
        '  "kind": "file",',
        '  // Required: a JSON object',
        '  "range": {',
        '    // Required: a number',
        '    "from": 0',
        '  }',
        '  // How many at most',
        '  // Optional: an integer from 1 to 10',
        '  // "limit": 1',
        '}',
        '',
      ].join('\n'),
    );
  });

  test('begins a list of objects with one of them', () => {
    const text = commentedSkeleton(jsonStep('edits'), schema);
    assert.deepEqual(parse(text), [{ old: '' }]);
    assert.match(text, /^\/\/ Required: a JSON array\n\[\n {2}\{\n {4}\/\/ Required: text\n/);
  });

  test('is JSON whatever the schema says, and bounded', () => {
    const recursive = {
      type: 'object',
      properties: { child: { $ref: '#' }, text: { type: 'string', description: 'a\u2028*/\u202E"' } },
      required: ['child', 'text'],
    };
    const [whole] = argumentSteps({ ...recursive, additionalProperties: { type: 'string' } });
    assert.ok(whole?.kind === 'json');
    const text = commentedSkeleton(whole, recursive);
    const errors: [] = [];
    parse(text, errors);
    assert.deepEqual(errors, []);
    assert.ok(text.length < 20_000);
    assert.ok(!/[\u2028\u202E]/.test(text), 'invisible characters are written out');
  });

  const at = async (text: string, argument = 'filter'): Promise<unknown> =>
    (await problemsInJson(jsonStep(argument), text, await check())).map(({ offset, length, message }) => [
      text.slice(offset, offset + length),
      message,
    ]);

  test('has its problems where they are', async () => {
    assert.deepEqual(await at('{ "query": "x", "kind": 5, "range": { "from": "a" } }'), [
      ['5', "The argument 'filter' at /kind must be equal to one of the allowed values."],
      ['"a"', "The argument 'filter' at /range/from must be a number."],
    ]);
    assert.deepEqual(await at('[{"old":"a"}, {}]', 'edits'), [
      ['{', "The argument 'edits' at /1 must have required property 'old'."],
    ]);
    assert.deepEqual(await at('[1]'), [['[1]', 'This is not a JSON object.']]);
    assert.deepEqual(await at('{ "query" "x" }'), [['"x"', 'This is not JSON: a colon is missing.']]);
    assert.deepEqual(await at('// c\n{"query":"x","kind":"file","range":{"from":1,},}'), []);
  });

  test('may not be empty where it is required', async () => {
    assert.deepEqual(await at(' \n'), [[' \n', 'This argument is required: a JSON object.']]);
    assert.deepEqual(await at('// nothing'), [['', 'This is not JSON: a value is missing.']]);
  });
});

suite('A list that is asked for item by item', () => {
  const steps = argumentSteps({
    type: 'object',
    properties: {
      paths: { type: 'array', items: { type: 'string', minLength: 2 }, maxItems: 3 },
      sizes: { type: 'array', items: { type: 'integer' } },
      flags: { type: 'array', items: { type: 'boolean' } },
      secrets: { type: 'array', items: { type: 'string', format: 'password' } },
      maybe: { type: 'array', items: { type: ['string', 'null'] } },
      any: { type: 'array' },
    },
  });
  const list = (argument: string): ListStep => {
    const step = steps.find((one) => one.argument === argument);
    assert.ok(step?.kind === 'list');
    return step;
  };

  test('is one of texts or of numbers', () => {
    assert.deepEqual(
      steps.map(({ argument, kind }) => [argument, kind]),
      [
        ['paths', 'list'],
        ['sizes', 'list'],
        ['flags', 'json'],
        ['secrets', 'json'],
        ['maybe', 'json'],
        ['any', 'json'],
      ],
    );
    assert.equal(list('paths').maxItems, 3);
    assert.equal(list('sizes').maxItems, Infinity);
  });

  const table: readonly (readonly [argument: string, typed: string, read: object])[] = [
    ['paths', 'a, b', { kind: 'items', values: ['a, b'] }],
    ['paths', ' ab ', { kind: 'items', values: [' ab '] }],
    ['paths', '["ab", "cd",]', { kind: 'list', values: ['ab', 'cd'] }],
    ['paths', '[draft]', { kind: 'items', values: ['[draft]'] }],
    [
      'paths',
      'a',
      { kind: 'problem', message: 'This is 1 character: expected is text, at least 2 characters.' },
    ],
    ['sizes', '1, 2 3;4', { kind: 'items', values: [1, 2, 3, 4] }],
    ['sizes', '1 x', { kind: 'problem', message: "'x' is not an integer." }],
    ['sizes', '[1,2]', { kind: 'list', values: [1, 2] }],
  ];
  for (const [argument, typed, read] of table) {
    test(`reads '${typed}' for ${argument}`, () => {
      assert.deepEqual(readItems(list(argument), typed), read);
    });
  }
});
