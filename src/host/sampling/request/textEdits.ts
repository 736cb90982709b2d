import type { GeneratedAnswer } from './generation.ts';
import type { SamplingRequest, TextEdit } from './samplingRequest.ts';

const SYSTEM = 'system';

/** The texts of a request that you can edit, in the order in which a model gets them. */
export function requestTexts({ systemPrompt, messages }: SamplingRequest): readonly TextEdit[] {
  return [
    ...(systemPrompt === undefined ? [] : [{ at: SYSTEM, text: systemPrompt }]),
    ...messages.flatMap(({ content }, message) =>
      content.flatMap((part, index) =>
        part.kind === 'text' ? [{ at: placeOf(message, index), text: part.text }] : [],
      ),
    ),
  ];
}

/** The texts of an answer that you can edit. */
export function answerTexts({ parts }: GeneratedAnswer): readonly TextEdit[] {
  return parts.flatMap((part, index) =>
    part.kind === 'text' ? [{ at: String(index), text: part.text }] : [],
  );
}

/** Whether each edit is of one of these texts. */
export function areEditsOf(texts: readonly TextEdit[], edits: readonly TextEdit[]): boolean {
  const places = new Set(texts.map(({ at }) => at));
  return edits.every(({ at }) => places.has(at));
}

/**
 * The request with your edits in it; the same object if they change nothing.
 *
 * @throws RangeError when there is no text at one of the places.
 */
export function requestWithEdits(request: SamplingRequest, edits: readonly TextEdit[]): SamplingRequest {
  const changed = changesOf(requestTexts(request), edits);
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
 * The answer with your edits in it; the same object if they change nothing.
 *
 * @throws RangeError when there is no text at one of the places.
 */
export function answerWithEdits(answer: GeneratedAnswer, edits: readonly TextEdit[]): GeneratedAnswer {
  const changed = changesOf(answerTexts(answer), edits);
  return changed.size === 0
    ? answer
    : Object.freeze({ ...answer, parts: withTexts(answer.parts, (part) => changed.get(String(part))) });
}

/** Each text that differs from the one before, by its place. */
function changesOf(texts: readonly TextEdit[], edits: readonly TextEdit[]): ReadonlyMap<string, string> {
  const before = new Map(texts.map(({ at, text }) => [at, text]));
  const missing = edits.find(({ at }) => !before.has(at));
  if (missing) {
    throw new RangeError(`There is no text at '${missing.at}'.`);
  }
  const after = new Map(edits.map(({ at, text }) => [at, text]));
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
