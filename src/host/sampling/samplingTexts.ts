import type { ModelAnswer } from './samplingReview.ts';
import type { SamplingRequest, TextEdit } from './samplingRequest.ts';

/** The texts of a request that can be changed, by their places, with changes in them. */
export function requestTexts(
  { systemPrompt, messages }: SamplingRequest,
  edits: readonly TextEdit[],
): ReadonlyMap<string, string> {
  const texts = messages.flatMap(({ content }, message) =>
    content.flatMap((part, index) =>
      part.kind === 'text' ? [{ at: `${message}/${index}`, text: part.text }] : [],
    ),
  );
  return withEdits(
    systemPrompt === undefined ? texts : [{ at: 'system', text: systemPrompt }, ...texts],
    edits,
  );
}

/** The same of an answer. */
export function answerTexts({ parts }: ModelAnswer, edits: readonly TextEdit[]): ReadonlyMap<string, string> {
  const texts = parts.flatMap((part, index) =>
    part.kind === 'text' ? [{ at: String(index), text: part.text }] : [],
  );
  return withEdits(texts, edits);
}

function withEdits(texts: readonly TextEdit[], edits: readonly TextEdit[]): ReadonlyMap<string, string> {
  const edited = new Map(edits.map(({ at, text }) => [at, text]));
  return new Map(texts.map(({ at, text }) => [at, edited.get(at) ?? text]));
}
