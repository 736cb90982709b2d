import { errorCodes, RpcError, type Json } from './peer.ts';

/** What the prompt can explain, in the order of the suggestions. */
const topics: Readonly<Record<string, string>> = {
  roots: 'roots: the folders that a user shares with a server',
  tools: 'tools: what a server can do for a language model or a user',
  resources: 'resources: what a server offers to read',
  prompts: 'prompts: texts that a server prepares for a language model',
  sampling: "sampling: how a server asks for the user's language model",
};

export const prompts: readonly Json[] = [
  {
    name: 'explain',
    title: 'Explain MCP',
    description: 'Asks a language model to explain one part of the Model Context Protocol to a newcomer.',
    arguments: [
      {
        name: 'topic',
        title: 'Topic',
        description: 'What to explain: roots, tools, resources, prompts or sampling.',
        required: true,
      },
    ],
  },
];

/** @throws RpcError for another prompt, and without a topic (server/prompts: -32602). */
export function samplePrompt(name: unknown, { topic }: Json): Json {
  if (name !== 'explain') {
    throw new RpcError(errorCodes.invalidParams, `There is no prompt '${String(name)}'.`);
  }
  if (typeof topic !== 'string' || topic.trim() === '') {
    throw new RpcError(errorCodes.invalidParams, "The prompt 'explain' needs the argument 'topic'.");
  }
  const what = Object.hasOwn(topics, topic) ? topics[topic] : topic;
  const text = [
    `In the Model Context Protocol (MCP), there is ${what}.`,
    'Explain it in three short sentences to someone who has never heard of it. Give one example.',
  ].join('\n');
  return {
    description: `Explains ${topic}`,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

/** The topics that begin with what is typed. */
export function topicsFor(typed: string): readonly string[] {
  return Object.keys(topics).filter((topic) => topic.startsWith(typed.toLowerCase()));
}
