import assert from 'node:assert/strict';
import { argumentHeaders, postHeaders } from '../../../../../src/host/transport/http/requestHeaders.ts';

const revision = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

function headersOf(method: string, params: object, more?: Readonly<Record<string, string>>) {
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: revision } } as const;
  return postHeaders(new Headers({ 'mcp-session-id': 'one', accept: 'text/plain' }), message, more);
}

suite('The headers of a posted message', () => {
  for (const [method, params, name] of [
    ['tools/call', { name: 'echo' }, 'echo'],
    ['resources/read', { uri: 'note:1' }, 'note:1'],
    ['tasks/get', { taskId: 'a b' }, 'a b'],
    ['tools/call', { name: 'größe' }, '=?base64?Z3LDtsOfZQ==?='],
    ['tools/call', { name: ' echo' }, '=?base64?IGVjaG8=?='],
    ['tools/call', { name: 'two\nlines' }, '=?base64?dHdvCmxpbmVz?='],
    ['tools/call', { name: '=?base64?eA==?=' }, '=?base64?PT9iYXNlNjQ/ZUE9PT89?='],
    ['tools/call', { name: '' }, '=?base64??='],
    ['tools/list', { name: 'echo' }, null],
    ['tools/call', { name: 5 }, null],
  ] as const) {
    test(`repeat ${JSON.stringify(params)} of ${method} as ${String(name)}`, () => {
      const headers = headersOf(method, params);
      assert.equal(headers.get('mcp-name'), name);
      assert.equal(headers.get('mcp-method'), method);
      assert.equal(headers.get('mcp-protocol-version'), '2026-07-28');
    });
  }

  test('say nothing about a message of an earlier revision', () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo' } } as const;
    const headers = postHeaders(new Headers({ 'mcp-protocol-version': '2025-11-25' }), message);
    assert.deepEqual(
      ['mcp-method', 'mcp-name', 'mcp-protocol-version'].map((name) => headers.get(name)),
      [null, null, '2025-11-25'],
    );
  });

  test('can be more for one message, but not other ones', () => {
    const headers = headersOf(
      'tools/call',
      { name: 'echo' },
      { 'Mcp-Param-Region': 'eu', 'Mcp-Session-Id': 'two', Authorization: 'Bearer x' },
    );
    assert.deepEqual(
      ['mcp-param-region', 'mcp-session-id', 'authorization'].map((name) => headers.get(name)),
      ['eu', 'one', null],
    );
  });

  test('accept JSON and events, besides what the definition accepts', () => {
    assert.equal(headersOf('ping', {}).get('accept'), 'text/plain, application/json, text/event-stream');
  });
});

suite('The headers with arguments of a call', () => {
  const named = (type: string, header: string) => ({ type, 'x-mcp-header': header });
  const schema = {
    type: 'object',
    properties: {
      region: named('string', 'Region'),
      count: named('integer', 'Count'),
      dry: named('boolean', 'Dry-Run'),
      other: { type: 'string' },
      inner: { type: 'object', properties: { city: named('string', 'City') } },
      constructor: named('string', 'Constructor'),
    },
  };

  for (const [args, headers] of [
    [
      { region: 'eu', count: 2, dry: false, other: 'x', inner: { city: 'Köln' } },
      {
        'Mcp-Param-Region': 'eu',
        'Mcp-Param-Count': '2',
        'Mcp-Param-Dry-Run': 'false',
        'Mcp-Param-City': '=?base64?S8O2bG4=?=',
      },
    ],
    [{ region: '' }, { 'Mcp-Param-Region': '=?base64??=' }],
    [{ count: 1.5 }, { 'Mcp-Param-Count': '1.5' }],
    [{ count: 2 ** 60, region: null, dry: ['x'], inner: 'x' }, {}],
    [{}, {}],
    [undefined, {}],
  ] as const) {
    test(`repeat ${JSON.stringify(args)} as ${JSON.stringify(headers)}`, () => {
      assert.deepEqual(argumentHeaders(schema, args), headers);
    });
  }

  test('are none without a schema', () => {
    assert.deepEqual(argumentHeaders(undefined, { region: 'eu' }), {});
  });
});
