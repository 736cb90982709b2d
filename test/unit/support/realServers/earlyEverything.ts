import { installedScript } from '../program.ts';
import { deleted, httpWithSse, stdio, streamableHttp, type Call, type RealServer } from './realServer.ts';

const numbered = Array.from({ length: 100 }, (_, index) => `Resource ${index + 1}`);
const text1 = 'test://static/resource/1';
const blob2 = 'test://static/resource/2';
const earlyLists = {
  resources: numbered,
  templates: ['Static Resource'],
};
const earlyCalls: readonly Call[] = [
  { tool: 'echo', args: { message: 'Hello' }, gives: ['Echo: Hello'] },
  { tool: 'add', args: { a: 1, b: 2 }, gives: ['The sum of 1 and 2 is 3.'] },
  {
    tool: 'getTinyImage',
    gives: ['This is a tiny image:', 'image/png of 20 × 20', 'The image above is the MCP tiny image.'],
  },
];
const laterCalls: readonly Call[] = [
  {
    tool: 'annotatedMessage',
    args: { messageType: 'error', includeImage: true },
    gives: [
      'Error: Operation failed {"audience":["user","assistant"],"priority":1}',
      'image/png of 20 × 20 {"audience":["user"],"priority":0.5}',
    ],
  },
  {
    tool: 'getResourceReference',
    args: { resourceId: 2 },
    gives: [
      'Returning resource reference for Resource 2:',
      `${blob2} (application/octet-stream): bytes 'Resource 2: This is a base64 blob'`,
      `You can access this resource using the URI: ${blob2}`,
    ],
  },
];
const earlyReads: RealServer['reads'] = [
  { uri: text1, gives: `${text1} (text/plain): Resource 1: This is a plaintext resource` },
  { uri: blob2, gives: `${blob2} (application/octet-stream): bytes 'Resource 2: This is a base64 blob'` },
];
const earlyPrompts: RealServer['prompts'] = [
  { name: 'simple_prompt', args: {}, gives: ['user: This is a simple prompt without arguments.'] },
  {
    name: 'complex_prompt',
    args: { temperature: '0.5', style: 'formal' },
    gives: [
      'user: This is a complex prompt with arguments: temperature=0.5, style=formal',
      "assistant: I understand. You've provided a complex prompt with temperature and style arguments. How would you like me to proceed?",
      'user: image/png of 20 × 20',
    ],
  },
];
const laterPrompts: RealServer['prompts'] = [
  ...earlyPrompts,
  {
    name: 'resource_prompt',
    args: { resourceId: '1' },
    gives: [
      'user: This prompt includes Resource 1. Please analyze the following resource:',
      `user: ${text1} (text/plain): Resource 1: This is a plaintext resource`,
    ],
  },
];
const laterCompletions: RealServer['completions'] = [
  {
    params: { ref: { type: 'ref/prompt', name: 'complex_prompt' }, argument: { name: 'style', value: 'f' } },
    gives: ['formal', 'friendly'],
  },
  {
    params: {
      ref: { type: 'ref/resource', uri: 'test://static/resource/{id}' },
      argument: { name: 'id', value: '3' },
    },
    gives: ['3'],
  },
];
/** Steps come by the GET stream, and may be later than the answer, which comes by its own. */
const apart = { lastStep: 1 } as const;

export const everything2024: RealServer = {
  name: 'server-everything 0.6.2',
  era: 'legacy',
  revision: '2024-11-05',
  sdk: '@modelcontextprotocol/sdk 1.0.1',
  ways: [
    stdio([installedScript('everything-2024-11-05')], { clockUpdates: [text1] }),
    ...httpWithSse([installedScript('everything-2024-11-05', 'sse')], {
      left: ['exits'],
      clockUpdates: [text1],
    }),
  ],
  lists: {
    ...earlyLists,
    tools: ['echo', 'add', 'longRunningOperation', 'sampleLLM', 'getTinyImage'],
    prompts: ['simple_prompt', 'complex_prompt'],
  },
  calls: earlyCalls,
  slow: { tool: 'longRunningOperation', cancelled: { isSent: 'notifications/cancelled' } },
  sampling: {
    tool: 'sampleLLM',
    asks: 'Resource sampleLLM context: Say hello.',
    gives: 'LLM sampling result: [object Object]',
  },
  reads: earlyReads,
  prompts: earlyPrompts,
  completions: [],
  roots: [],
};

export const everything202503: RealServer = {
  ...everything2024,
  name: 'server-everything 2025.4.28',
  revision: '2025-03-26',
  sdk: '@modelcontextprotocol/sdk 1.11.5',
  ways: [
    stdio([installedScript('everything-2025-03-26')], { clockUpdates: [text1] }),
    streamableHttp([installedScript('everything-2025-03-26', 'streamableHttp')], {
      ...apart,
      left: [deleted],
      clockUpdates: [text1],
    }),
    ...httpWithSse([installedScript('everything-2025-03-26', 'sse')], {
      left: ['exits'],
      clockUpdates: [text1],
    }),
  ],
  lists: {
    ...earlyLists,
    tools: [
      'echo',
      'add',
      'printEnv',
      'longRunningOperation',
      'sampleLLM',
      'getTinyImage',
      'annotatedMessage',
      'getResourceReference',
    ],
    prompts: ['simple_prompt', 'complex_prompt', 'resource_prompt'],
  },
  calls: [...earlyCalls, ...laterCalls],
  sampling: { ...everything2024.sampling, gives: 'LLM sampling result: Hello.' },
  prompts: laterPrompts,
  completions: laterCompletions,
};

export const everything202506: RealServer = {
  ...everything202503,
  name: 'server-everything 2025.8.18',
  revision: '2025-06-18',
  sdk: '@modelcontextprotocol/sdk 1.17.5',
  ways: [
    stdio([installedScript('everything-2025-06-18'), 'stdio']),
    streamableHttp([installedScript('everything-2025-06-18'), 'streamableHttp'], {
      ...apart,
      left: [deleted],
    }),
    // Only over this transport it starts its clock.
    ...httpWithSse([installedScript('everything-2025-06-18'), 'sse'], {
      left: [{ prints: 'Client Disconnected' }],
      clockUpdates: [text1],
    }),
  ],
  lists: {
    ...everything202503.lists,
    tools: [
      'echo',
      'add',
      'longRunningOperation',
      'printEnv',
      'sampleLLM',
      'getTinyImage',
      'annotatedMessage',
      'getResourceReference',
      'startElicitation',
      'getResourceLinks',
      'structuredContent',
    ],
  },
  calls: [
    ...everything202503.calls,
    {
      tool: 'getResourceLinks',
      args: { count: 2 },
      gives: [
        'Here are 2 resource links to resources available in this server (see full output in tool response if your client does not support resource_link yet):',
        `link to ${text1}, Resource 1, text/plain`,
        `link to ${blob2}, Resource 2, application/octet-stream`,
      ],
    },
    {
      tool: 'structuredContent',
      args: { location: 'Berlin' },
      gives: ['{"temperature":22.5,"conditions":"Partly cloudy","humidity":65}'],
      structured: { temperature: 22.5, conditions: 'Partly cloudy', humidity: 65 },
    },
  ],
};
