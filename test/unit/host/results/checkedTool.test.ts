import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { checkedTool } from '../../../../src/host/results/checkedTool.ts';
import { checkedAs } from '../../../../src/host/results/faults.ts';
import * as sdk from '../../../../src/host/sdk/sdk.ts';

const numbers = fc.constantFrom('1e400', '-1e400', '0', '1.5');
const names = fc.constantFrom('a', 'b', '__proto__', 'properties', 'constructor');
/** The text of a value, because no value has a number that is too large as JSON writes it. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(numbers, fc.constantFrom('null', 'true', '"text"', '{}', '[]')),
    fc.array(tie('json'), { maxLength: 3 }).map((items) => `[${items.join()}]`),
    fc
      .array(fc.tuple(names, tie('json')), { maxLength: 3 })
      .map((fields) => `{${fields.map(([name, value]) => `"${name}":${value}`).join()}}`),
  ),
}));
const toolText = fc
  .record({
    name: fc.constantFrom('"read"', '1'),
    type: fc.constantFrom('"object"', '"array"', undefined),
    properties: fc.oneof(json, fc.constant(undefined)),
    required: fc.constantFrom('["a"]', '[1]', undefined),
    other: fc.oneof(json, fc.constant(undefined)),
  })
  .map(({ name, type, properties, required, other }) => {
    const members = Object.entries({ type, properties, required, $defs: other })
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `"${key}":${value}`);
    return `{"name":${name},"inputSchema":{${members.join()}},"unknown":1}`;
  });

suite('A tool of a list', () => {
  test('is checked, and given, as the SDK does it', () => {
    fc.assert(
      fc.property(fc.oneof(toolText, json), (text) => {
        const tool: unknown = JSON.parse(text);
        assert.deepEqual(checkedTool(sdk, tool), checkedAs(sdk, 'Tool', JSON.parse(text)));
        assert.deepEqual(tool, JSON.parse(text));
      }),
      { numRuns: 2_000 },
    );
  });

  for (const properties of ['{"a":{"maximum":1e400}}', '{"a":{"__proto__":{"b":1}}}', '{"__proto__":1}']) {
    test(`has no properties that the SDK refuses or leaves out: ${properties}`, () => {
      const parsed = (): unknown =>
        JSON.parse(`{"name":"read","inputSchema":{"type":"object","properties":${properties}}}`);
      assert.deepEqual(checkedTool(sdk, parsed()), checkedAs(sdk, 'Tool', parsed()));
      assert.notDeepEqual(checkedTool(sdk, parsed()), { value: parsed() });
    });
  }
});
