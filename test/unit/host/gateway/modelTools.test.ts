import assert from 'node:assert/strict';
import { withoutHeaders } from '../../../../src/host/gateway/modelTools.ts';

const header = { 'x-mcp-header': 'Region' };
const text = { type: 'string' };

suite('A schema without its wish for headers', () => {
  test('has all else, at every depth', () => {
    assert.deepEqual(
      withoutHeaders({
        type: 'object',
        properties: { region: { ...text, ...header }, at: { properties: { it: { ...text, ...header } } } },
        $defs: { one: { ...text, ...header } },
        items: { ...text, ...header },
        anyOf: [{ ...text, 'x-mcp-header': 1 }, true],
        required: ['region'],
      }),
      {
        type: 'object',
        properties: { region: text, at: { properties: { it: text } } },
        $defs: { one: text },
        items: text,
        anyOf: [text, true],
        required: ['region'],
      },
    );
  });

  test('can be had of one of any depth', () => {
    let deep: object = text;
    for (let level = 0; level < 100_000; level += 1) {
      deep = { not: deep };
    }
    assert.deepEqual(Object.keys(withoutHeaders({ ...header, not: deep })), ['not']);
  });

  test('keeps a parameter and data of that name', () => {
    const schema = { properties: { 'x-mcp-header': text, other: { default: header, enum: [header] } } };
    assert.deepEqual(withoutHeaders(schema), schema);
  });
});
