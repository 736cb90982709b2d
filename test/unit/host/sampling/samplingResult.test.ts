import assert from 'node:assert/strict';
import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
  type CreateMessageRequestParams,
} from '@modelcontextprotocol/client';
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ModelPart } from '../../../../src/host/sampling/request/languageModels.ts';
import { readSamplingRequest } from '../../../../src/host/sampling/request/readSamplingRequest.ts';
import { samplingResult, type GeneratedAnswer } from '../../../../src/host/sampling/request/generation.ts';
import { aTool, params } from './request/requestBed.ts';

const use: ModelPart = { kind: 'toolUse', id: '1', name: 'add', input: { a: 1 } };
const sentUse = { type: 'tool_use', id: '1', name: 'add', input: { a: 1 } };
const said = (text: string): ModelPart => ({ kind: 'text', text });
const sent = (text: string): object => ({ type: 'text', text });

const rows: readonly (readonly [
  what: string,
  fields: object,
  parts: readonly ModelPart[],
  stopReason: GeneratedAnswer['stopReason'],
  content: unknown,
])[] = [
  ['one text', {}, [said('Hello')], 'endTurn', sent('Hello')],
  ['several texts as one', {}, [said('a'), said('b')], 'maxTokens', sent('ab')],
  ['a text where no tool is in the list', { tools: [] }, [said('a')], 'stopSequence', sent('a')],
  ['a text where tools may be used', { tools: [aTool] }, [said('a')], 'endTurn', [sent('a')]],
  ['the use of a tool', { tools: [aTool] }, [use], 'toolUse', [sentUse]],
  ['both', { tools: [aTool] }, [said('a'), use, said('b')], 'toolUse', [sent('a'), sentUse, sent('b')]],
  [
    'a text where no tool may be used',
    { tools: [aTool], toolChoice: { mode: 'none' } },
    [said('a')],
    'endTurn',
    [sent('a')],
  ],
];

/** A client that answers with these parts, over the SDK's own checks. */
function clientWith(parts: readonly ModelPart[], stopReason: GeneratedAnswer['stopReason']): Client {
  const client = new Client(
    { name: 'host', version: '1.0.0' },
    { capabilities: { sampling: { tools: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  client.setRequestHandler('sampling/createMessage', (request) =>
    samplingResult({ parts, stopReason, model: 'Large' }, readSamplingRequest(request.params, '2025-11-25')),
  );
  return client;
}

suite('The result of a request for a model', () => {
  for (const [what, fields, parts, stopReason, content] of rows) {
    const result = { role: 'assistant', model: 'Large', stopReason, content };
    const asked = params(fields) as unknown as CreateMessageRequestParams;

    test(`brings ${what} to a server that asks in a request of its own`, async () => {
      const client = clientWith(parts, stopReason);
      const server = new McpServer({ name: 'legacy', version: '1.0.0' });
      const [here, there] = InMemoryTransport.createLinkedPair();
      await server.connect(there);
      await client.connect(here, { prior: { kind: 'legacy' } });
      try {
        assert.deepEqual(await server.server.createMessage(asked), result);
      } finally {
        await client.close();
      }
    });

    test(`brings ${what} to a call that requires it`, async () => {
      const client = clientWith(parts, stopReason);
      let received: unknown;
      const handler = createMcpHandler(() => {
        const server = new McpServer({ name: 'modern', version: '1.0.0' });
        server.registerTool('ask', { inputSchema: z.object({}) }, (_args, { mcpReq }) => {
          received = mcpReq.inputResponses?.['answer'];
          return received === undefined
            ? inputRequired({ inputRequests: { answer: inputRequired.createMessage(asked) } })
            : { content: [] };
        });
        return server;
      });
      const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
        fetch: (url, init) => handler.fetch(new Request(url, init)),
      });
      await client.connect(transport);
      try {
        assert.equal(client.getProtocolEra(), 'modern');
        await client.callTool({ name: 'ask', arguments: {} });
        assert.deepEqual(received, result);
      } finally {
        await client.close();
        await handler.close();
      }
    });
  }
});
