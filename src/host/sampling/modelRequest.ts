import type { ModelRequest } from './languageModels.ts';
import type { SamplingRequest } from './samplingRequest.ts';

/**
 * What the editor's models get of a request (2025-11-25 client/sampling, tool choice modes). The editor can require
 * a tool only where there is one alone: with several, the answer is looked at afterwards. `justification` is told
 * to the person when the editor asks for its own consent.
 */
export function modelRequestOf(request: SamplingRequest, justification: string): ModelRequest {
  const { messages, systemPrompt, temperature, maxTokens, toolChoice } = request;
  const tools = toolChoice === 'none' ? [] : request.tools;
  return {
    messages,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(temperature === undefined ? {} : { temperature }),
    maxTokens,
    tools,
    toolMode: toolChoice === 'required' && tools.length === 1 ? 'required' : 'auto',
    justification,
  };
}
