import { packageScript } from '../definitions.ts';
import { deleted, httpWithSse, stdio, streamableHttp, type RealServer } from './realServer.ts';

const everythingNow = packageScript('@modelcontextprotocol/server-everything');
const tells = {
  updates: [{ uri: 'demo://resource/dynamic/text/1', tool: 'toggle-subscriber-updates' }],
  logs: ['Roots updated: 1 root(s) received from client'],
} as const;
export const everything202511: RealServer = {
  name: 'server-everything 2026.8.31',
  era: 'legacy',
  revision: '2025-11-25',
  sdk: '@modelcontextprotocol/sdk 1.32.2',
  ways: [
    stdio([everythingNow, 'stdio'], tells),
    streamableHttp([everythingNow, 'streamableHttp'], { left: [deleted], ...tells }),
    ...httpWithSse([everythingNow, 'sse'], { left: [{ prints: 'Client Disconnected' }], ...tells }),
  ],
  lists: {
    tools: [
      'echo',
      'get-annotated-message',
      'get-env',
      'get-resource-links',
      'get-resource-reference',
      'get-structured-content',
      'get-sum',
      'get-tiny-image',
      'gzip-file-as-resource',
      'toggle-simulated-logging',
      'toggle-subscriber-updates',
      'trigger-long-running-operation',
      'get-roots-list',
      'trigger-sampling-request',
      'simulate-research-query',
    ],
    resources: [
      'architecture.md',
      'extension.md',
      'features.md',
      'how-it-works.md',
      'instructions.md',
      'startup.md',
      'structure.md',
    ],
    templates: ['Dynamic Text Resource', 'Dynamic Blob Resource'],
    prompts: ['simple-prompt', 'args-prompt', 'completable-prompt', 'resource-prompt'],
  },
  calls: [
    { tool: 'echo', args: { message: 'Hello' }, gives: ['Echo: Hello'] },
    { tool: 'get-sum', args: { a: 1, b: 2 }, gives: ['The sum of 1 and 2 is 3.'] },
    {
      tool: 'get-tiny-image',
      gives: ["Here's the image you requested:", 'image/png of 20 × 20', 'The image above is the MCP logo.'],
    },
    {
      tool: 'get-annotated-message',
      args: { messageType: 'error', includeImage: true },
      gives: [
        'Error: Operation failed {"audience":["user","assistant"],"priority":1}',
        'image/png of 20 × 20 {"audience":["user"],"priority":0.5}',
      ],
    },
    {
      tool: 'get-resource-reference',
      args: { resourceType: 'Blob', resourceId: 1 },
      gives: [
        'Returning resource reference for Resource 1:',
        "demo://resource/dynamic/blob/1 (text/plain): bytes 'Resource 1: This is a base64 blob created at <time>'",
        'You can access this resource using the URI: demo://resource/dynamic/blob/1',
      ],
    },
    {
      tool: 'get-resource-links',
      args: { count: 2 },
      gives: [
        'Here are 2 resource links to resources available in this server:',
        'link to demo://resource/dynamic/blob/1, Blob Resource 1, text/plain',
        'link to demo://resource/dynamic/text/2, Text Resource 2, text/plain',
      ],
    },
    {
      tool: 'get-structured-content',
      args: { location: 'New York' },
      gives: ['{"temperature":33,"conditions":"Cloudy","humidity":82}'],
      structured: { temperature: 33, conditions: 'Cloudy', humidity: 82 },
    },
  ],
  slow: { tool: 'trigger-long-running-operation', cancelled: { isSent: 'notifications/cancelled' } },
  sampling: {
    tool: 'trigger-sampling-request',
    asks: 'Resource trigger-sampling-request context: Say hello.',
    gives:
      'LLM sampling result: \n{\n  "model": "Scripted",\n  "stopReason": "endTurn",\n  "role": "assistant",\n  "content": {\n    "type": "text",\n    "text": "Hello."\n  }\n}',
  },
  reads: [
    {
      uri: 'demo://resource/dynamic/text/7',
      gives:
        'demo://resource/dynamic/text/7 (text/plain): Resource 7: This is a plaintext resource created at <time>',
    },
    {
      uri: 'demo://resource/dynamic/blob/7',
      gives:
        "demo://resource/dynamic/blob/7 (text/plain): bytes 'Resource 7: This is a base64 blob created at <time>'",
    },
  ],
  prompts: [
    { name: 'simple-prompt', args: {}, gives: ['user: This is a simple prompt without arguments.'] },
    {
      name: 'args-prompt',
      args: { city: 'Berlin' },
      gives: ["user: What's weather in Berlin?"],
    },
    {
      name: 'resource-prompt',
      args: { resourceType: 'Text', resourceId: '1' },
      gives: [
        'user: This prompt includes the Text resource with id: 1. Please analyze the following resource:',
        'user: demo://resource/dynamic/text/1 (text/plain): Resource 1: This is a plaintext resource created at <time>',
      ],
    },
  ],
  completions: [
    {
      params: {
        ref: { type: 'ref/prompt', name: 'completable-prompt' },
        argument: { name: 'name', value: '' },
        context: { arguments: { department: 'Sales' } },
      },
      gives: ['David', 'Eve', 'Frank'],
    },
    {
      params: {
        ref: { type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' },
        argument: { name: 'resourceId', value: '3' },
      },
      gives: ['3'],
    },
  ],
  roots: [
    {
      tool: 'get-roots-list',
      logs: ['Roots updated: 2 root(s) received from client'],
    },
  ],
};
