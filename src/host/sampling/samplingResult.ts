import type { SamplingRequest } from './samplingRequest.ts';
import type { ModelAnswer } from './samplingReview.ts';
import type { SamplingResult } from '../connection/samplingSource.ts';

/**
 * An answer as the server gets it (client/sampling, `CreateMessageResult`): a list with uses of tools only where
 * tools were asked for, one text otherwise.
 */
export function samplingResult(
  { parts, stopReason, model }: ModelAnswer,
  { tools }: SamplingRequest,
): SamplingResult {
  const head = { role: 'assistant', model, stopReason } as const;
  if (tools.length === 0) {
    const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
    return { ...head, content: { type: 'text', text } };
  }
  return {
    ...head,
    content: parts.map((part) =>
      part.kind === 'text'
        ? { type: 'text', text: part.text }
        : { type: 'tool_use', id: part.id, name: part.name, input: { ...part.input } },
    ),
  };
}
