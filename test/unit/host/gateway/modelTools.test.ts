import assert from 'node:assert/strict';
import type { Tool } from '@modelcontextprotocol/client';
import { offeredTools } from '../../../../src/host/gateway/modelTools.ts';
import type { HostTools } from '../../../../src/host/gate/hostTools.ts';
import type { HostTool } from '../../../../src/host/tools/hostTool.ts';

const header = { 'x-mcp-header': 'Region' };
const text = { type: 'string' };

/** The schema of a tool as a model gets it. */
function withoutHeaders(inputSchema: object): object {
  const tool = { name: 'read', inputSchema } as Tool;
  const listed: HostTool = {
    serverId: 'server',
    tool,
    offered: tool,
    standing: { kind: 'known' },
    isExposed: true,
  };
  const tools: Pick<HostTools, 'of'> = { of: () => [listed] };
  return offeredTools(tools, 'server', () => false)[0]?.inputSchema ?? assert.fail('no tool is offered');
}

suite('A schema without its header annotations', () => {
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
