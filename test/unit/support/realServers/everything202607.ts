import { fileURLToPath } from 'node:url';
import { stdio, streamableHttp, type RealServer } from './realServer.ts';

const modern = fileURLToPath(new URL('../../../fixtures/servers/everythingServer.ts', import.meta.url));
const tells = {
  updates: [{ uri: 'demo://static/text', tool: 'toggle-subscriber-updates' }],
} as const;
export const everything202607: RealServer = {
  name: 'our server on the SDK 2.4',
  era: 'modern',
  revision: '2026-07-28',
  sdk: '@modelcontextprotocol/server 2.4.0',
  ways: [
    stdio([modern], tells),
    // Without a session there is nothing to take leave of.
    streamableHttp([modern, 'streamableHttp'], tells),
  ],
  lists: {
    tools: [
      'echo',
      'get-sum',
      'get-tiny-image',
      'get-annotated-message',
      'get-resource-links',
      'get-structured-content',
      'trigger-long-running-operation',
      'toggle-simulated-logging',
      'toggle-subscriber-updates',
      'get-roots-list',
      'trigger-sampling-request',
    ],
    resources: ['text', 'image'],
    templates: ['dynamic'],
    prompts: ['completable-prompt'],
  },
  calls: [
    { tool: 'echo', args: { message: 'Hello' }, gives: ['Echo: Hello'] },
    { tool: 'get-sum', args: { a: 1, b: 2 }, gives: ['The sum of 1 and 2 is 3.'] },
    { tool: 'get-tiny-image', gives: ['image/png of 1 × 1'] },
    {
      tool: 'get-annotated-message',
      gives: ['Error: Operation failed {"audience":["user","assistant"],"priority":1}'],
    },
    { tool: 'get-resource-links', gives: ['link to demo://static/text, Text, text/plain'] },
    {
      tool: 'get-structured-content',
      gives: ['{"temperature":33,"conditions":"Cloudy"}'],
      structured: { temperature: 33, conditions: 'Cloudy' },
    },
  ],
  slow: { tool: 'trigger-long-running-operation', cancelled: { prints: 'The operation was cancelled' } },
  sampling: {
    tool: 'trigger-sampling-request',
    asks: 'Say hello.',
    gives:
      'LLM sampling result: {"role":"assistant","content":{"type":"text","text":"Hello."},"model":"Scripted","stopReason":"endTurn"}',
  },
  reads: [
    { uri: 'demo://static/text', gives: 'demo://static/text (text/plain): A text.' },
    { uri: 'demo://static/image', gives: 'demo://static/image (image/png): image/png of 1 × 1' },
    { uri: 'demo://dynamic/7', gives: 'demo://dynamic/7 (text/plain): Resource 7' },
  ],
  prompts: [
    {
      name: 'completable-prompt',
      args: { department: 'Sales', name: 'Eve' },
      gives: ['user: Please promote Eve to the head of the Sales team.'],
    },
  ],
  completions: [
    {
      params: {
        ref: { type: 'ref/prompt', name: 'completable-prompt' },
        argument: { name: 'name', value: '' },
        context: { arguments: { department: 'Sales' } },
      },
      gives: ['David', 'Eve'],
    },
    {
      params: {
        ref: { type: 'ref/resource', uri: 'demo://dynamic/{resourceId}' },
        argument: { name: 'resourceId', value: '1' },
      },
      gives: ['1', '12'],
    },
  ],
  // It gets no notification, and asks again with each call.
  roots: [{ tool: 'get-roots-list', logs: [] }],
};
