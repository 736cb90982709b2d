import { tokensOfText } from '../tools/tokenEstimate.ts';
import type { ChatTool } from './chatIndex.ts';

/**
 * Found tools as a model gets them: the first with their schemas, as many as `count` and as fit in about `maxTokens`
 * tokens; of the others the names.
 */
export function foundToolsText(found: readonly ChatTool[], count: number, maxTokens: number): string {
  const whole: string[] = [];
  const named: string[] = [];
  let left = maxTokens;
  for (const one of found) {
    const text = JSON.stringify(descriptionOf(one));
    const tokens = tokensOfText(text);
    if (whole.length < count && tokens <= left) {
      whole.push(text);
      left -= tokens;
    } else {
      named.push(JSON.stringify({ server: one.server, tool: one.name }));
    }
  }
  return [
    ...(whole.length > 0 ? ['Call one of these with mcpHost_callTool:', ...whole] : []),
    ...(named.length > 0
      ? ['Also found; search for one by its server and its name to get its schema:', ...named]
      : []),
  ].join('\n');
}

/** The nearest tools in a sentence, for a model that has named one that isn't there. */
export function nearestToolsText(found: readonly ChatTool[]): string {
  const names = found.map(({ server, name }) => JSON.stringify({ server, tool: name }));
  return names.length === 0
    ? 'Find tools with mcpHost_findTools.'
    : `The nearest tools: ${names.join(', ')}. Find others with mcpHost_findTools.`;
}

function descriptionOf({ server, tool: { offered } }: ChatTool): unknown {
  const { name, title, description, inputSchema, annotations } = offered;
  return {
    server,
    tool: name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema,
    ...(annotations && { annotations }),
  };
}
