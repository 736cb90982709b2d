import type { SamplingRequest, TextEdit } from './samplingRequest.ts';
import type { ModelAnswer } from './samplingReview.ts';

/** A text that the person can edit, and its place, as `TextEdit` says it. */
export interface PlacedText {
  readonly at: string;
  readonly text: string;
}

const SYSTEM = 'system';

/** The texts of a request, in the order in which a model gets them: those of text parts, and the system prompt. */
export function textsOf({ systemPrompt, messages }: SamplingRequest): readonly PlacedText[] {
  return [
    ...(systemPrompt === undefined ? [] : [{ at: SYSTEM, text: systemPrompt }]),
    ...messages.flatMap(({ content }, message) =>
      content.flatMap((part, index) =>
        part.kind === 'text' ? [{ at: placeOf(message, index), text: part.text }] : [],
      ),
    ),
  ];
}

/**
 * The request with the person's texts in it; the same object when they change nothing.
 *
 * @throws RangeError when there is no text at one of the places.
 */
export function withEdits(request: SamplingRequest, edits: readonly TextEdit[]): SamplingRequest {
  const changed = changesOf(textsOf(request), edits);
  if (changed.size === 0) {
    return request;
  }
  const systemPrompt = changed.get(SYSTEM) ?? request.systemPrompt;
  const messages = request.messages.map((message, index) => {
    const content = withTexts(message.content, (part) => changed.get(placeOf(index, part)));
    return content === message.content ? message : Object.freeze({ ...message, content });
  });
  return Object.freeze({
    ...request,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    messages: Object.freeze(messages),
  });
}

/**
 * The answer with the person's texts in it; the same object when they change nothing.
 *
 * @throws RangeError when there is no text at one of the places.
 */
export function answerWithEdits(answer: ModelAnswer, edits: readonly TextEdit[]): ModelAnswer {
  const texts = answer.parts.flatMap((part, index) =>
    part.kind === 'text' ? [{ at: String(index), text: part.text }] : [],
  );
  const changed = changesOf(texts, edits);
  if (changed.size === 0) {
    return answer;
  }
  return Object.freeze({ ...answer, parts: withTexts(answer.parts, (part) => changed.get(String(part))) });
}

/** By its place, each text that is another than before. */
function changesOf(texts: readonly PlacedText[], edits: readonly TextEdit[]): ReadonlyMap<string, string> {
  const before = new Map(texts.map(({ at, text }) => [at, text]));
  const after = new Map<string, string>();
  for (const { at, text } of edits) {
    if (!before.has(at)) {
      throw new RangeError(`There is no text at '${at}'.`);
    }
    after.set(at, text);
  }
  return new Map([...after].filter(([at, text]) => before.get(at) !== text));
}

function withTexts<P extends { readonly kind: string }>(
  parts: readonly P[],
  textAt: (index: number) => string | undefined,
): readonly P[] {
  const changed = parts.map((part, index) => {
    const text = textAt(index);
    return text === undefined ? part : Object.freeze({ ...part, text });
  });
  return changed.every((part, index) => part === parts[index]) ? parts : Object.freeze(changed);
}

function placeOf(message: number, part: number): string {
  return `${message}/${part}`;
}
