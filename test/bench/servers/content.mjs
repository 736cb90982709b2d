// What the server of the benchmarks lists, also for those who compare with JSON.parse of the same page.

/** The tools from one number to another, each with a schema of some size. */
export function toolsOf(/** @type {number} */ from, /** @type {number} */ to) {
  return Array.from({ length: to - from }, (_, index) => ({
    name: `tool_${from + index}`,
    description: `Does what number ${from + index} does, and says how it went. ${'More. '.repeat(20)}`,
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Where to look for it' },
        query: { type: 'string', description: 'What to look for, in a few words' },
        limit: { type: 'number', description: 'How much of it' },
      },
      required: ['path'],
    },
    annotations: { readOnlyHint: true },
  }));
}

/** The tools that do something. */
export const workingTools = ['echo', 'large', 'flood', 'told'].map((name) => ({
  name,
  description: name,
  inputSchema: { type: 'object', properties: { text: { type: 'string' }, size: { type: 'number' } } },
  annotations: { readOnlyHint: true },
}));

/** The resources from one number to another, in folders of a hundred. */
export function resourcesOf(/** @type {number} */ from, /** @type {number} */ to) {
  return Array.from({ length: to - from }, (_, index) => {
    const number = from + index;
    return {
      uri: `bench://archive/part-${Math.floor(number / 10_000)}/part-${Math.floor(number / 100)}/item-${number}.txt`,
      name: `item-${number}.txt`,
      mimeType: 'text/plain',
    };
  });
}
