import assert from 'node:assert/strict';
import type { Tool } from '@modelcontextprotocol/client';
import type { Logger } from '../../../../src/base/logging/logger.ts';
import type { UnknownRecord } from '../../../../src/base/values/record.ts';
import {
  argumentProblems,
  prepareLenient,
  type ArgumentProblem,
} from '../../../../src/host/schemas/checkArguments.ts';
import { schemaChecks } from '../../support/schemaChecks.ts';

const schemas = schemaChecks.of('any');

function createLogger(): Logger & { readonly lines: readonly string[] } {
  const lines: string[] = [];
  return { isTracing: false, lines, log: (_, message) => void lines.push(message) };
}

/** The check of the arguments of a tool. */
async function checkOf(
  inputSchema: unknown,
  logger: Logger,
): Promise<(args: UnknownRecord) => Promise<readonly ArgumentProblem[]>> {
  const tool = { name: 'tool', inputSchema: inputSchema as Tool['inputSchema'] };
  const prepared = await prepareLenient(schemas, tool, logger);
  return (args: UnknownRecord) => argumentProblems(prepared, inputSchema, args);
}

suite('The check of your arguments', () => {
  const schema = {
    type: 'object',
    properties: {
      count: { type: 'integer', minimum: 1 },
      'a/b c': { type: 'string', format: 'email' },
      list: { type: 'array', items: { type: 'string' } },
      either: { type: ['boolean', 'null'] },
      some: { type: 'array', minItems: 1 },
      few: { type: 'object', maxProperties: 1 },
      short: { type: 'string', maxLength: 3 },
      even: { type: 'number', multipleOf: 2 },
    },
    required: ['count'],
    additionalProperties: false,
  };
  const table: readonly (readonly [args: Record<string, unknown>, problems: readonly string[]])[] = [
    [{ count: 1 }, []],
    [{}, ["count: The argument 'count' is missing."]],
    [{ count: 0 }, ["count: The argument 'count' must be at least 1."]],
    [{ count: 1, 'a/b c': 'x' }, [`a/b c: The argument 'a/b c' must match format "email".`]],
    [{ count: 1, list: ['x', 2] }, ["list: The argument 'list' at /1 must be a string."]],
    [{ count: 1, either: 2 }, ["either: The argument 'either' must be true or false or null."]],
    [{ count: 1, some: [] }, ["some: The argument 'some' must have at least 1 item."]],
    [{ count: 1, few: { a: 1, b: 2 } }, ["few: The argument 'few' must have at most 1 property."]],
    [{ count: 1, short: 'long' }, ["short: The argument 'short' must have at most 3 characters."]],
    [{ count: 1, even: 3 }, ["even: The argument 'even' must be a multiple of 2."]],
    [{ count: 1, other: 2 }, ['-: There is an argument that the tool does not take.']],
    [
      { count: 'x', list: 5 },
      ["count: The argument 'count' must be a whole number.", "list: The argument 'list' must be an array."],
    ],
  ];
  for (const [args, problems] of table) {
    test(`checks ${JSON.stringify(args)}`, async () => {
      const logger = createLogger();
      const check = await checkOf(schema, logger);
      assert.deepEqual(
        (await check(args)).map(({ argument, message }) => `${argument ?? '-'}: ${message}`),
        problems,
      );
      assert.deepEqual(logger.lines, []);
    });
  }

  for (const broken of [
    5,
    { type: 'object', properties: { a: { $ref: 'https://example.com/s.json' } } },
    { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' },
    { type: 'object', properties: { a: { type: 'nonsense' } } },
  ]) {
    test(`blocks nothing for a schema that cannot be compiled: ${JSON.stringify(broken)}`, async () => {
      const logger = createLogger();
      const check = await checkOf(broken, logger);
      assert.deepEqual(await check({ a: 1 }), []);
      assert.match(logger.lines.join(), /^The arguments of 'tool' are not checked: /);
    });
  }

  test('gives up on a pattern that runs for ever', async () => {
    const logger = createLogger();
    const check = await checkOf(
      { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
      logger,
    );
    assert.deepEqual(await check({ a: `${'a'.repeat(50)}!` }), []);
    assert.deepEqual(await check({ a: `${'a'.repeat(50)}!` }), []);
    assert.deepEqual(logger.lines, [
      "The arguments of 'tool' are not checked: the check took more than 1000 ms",
    ]);
  });

  test('does not mix up two schemas of the same $id', async () => {
    const logger = createLogger();
    const text = { $id: 'https://example.com/s.json', type: 'object', properties: { a: { type: 'string' } } };
    const number = { ...text, properties: { a: { type: 'number' } } };
    assert.equal((await (await checkOf(text, logger))({ a: 'x' })).length, 0);
    assert.equal((await (await checkOf(number, logger))({ a: 'x' })).length, 1);
  });
});
