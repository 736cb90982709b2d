import { isRecord } from '../../../base/values/record.ts';
import { visibleText } from '../../../base/text/visibleText.ts';
import { secretIn } from '../../../base/text/secretShapes.ts';
import type { SamplingPart, SamplingRequest } from '../request/samplingRequest.ts';

/** Names of tools that are listed one by one. */
const MAX_NAMES = 8;

/**
 * What is unusual in a request for a model, a sentence each. A warning forbids nothing, and repeats nothing that looks
 * like a secret.
 */
export function requestWarnings(request: SamplingRequest): readonly string[] {
  const { messages, systemPrompt = '', tools, toolChoice, wantsContext } = request;
  const images = messages.flatMap(({ content }) => content.flatMap(imagesIn)).length;
  return [
    ...secretWarnings('The system prompt', [{ name: '', text: systemPrompt }]),
    ...messages.flatMap(({ content }, index) =>
      secretWarnings(`Message ${index + 1}`, content.flatMap(namedTexts)),
    ),
    ...(tools.length > 0 && toolChoice !== 'none'
      ? [`The model may ask the server to run these tools: ${listed(tools.map(({ name }) => name))}.`]
      : []),
    ...(wantsContext ? ['It asked for the context of other servers, which no server gets.'] : []),
    ...(images === 0
      ? []
      : [`${images === 1 ? 'An image goes' : `${images} images go`} to the model as well.`]),
  ];
}

interface NamedText {
  /** The key of the text, such as `password`. */
  readonly name: string;
  readonly text: string;
}

function secretWarnings(what: string, texts: readonly NamedText[]): readonly string[] {
  const shapes = new Set(texts.map(({ name, text }) => secretIn(text, name)));
  return [...shapes].flatMap((shape) =>
    shape === undefined ? [] : [`${what} has what looks like ${shape}.`],
  );
}

function namedTexts(part: SamplingPart): readonly NamedText[] {
  switch (part.kind) {
    case 'text':
      return [{ name: '', text: part.text }];
    case 'image':
      return [];
    case 'toolUse':
      return textsIn(part.input, '');
    case 'toolResult':
      return part.content.flatMap(namedTexts);
  }
}

function textsIn(value: unknown, name: string): readonly NamedText[] {
  if (typeof value === 'string') {
    return [{ name, text: value }];
  }
  if (Array.isArray(value)) {
    return value.flatMap((one) => textsIn(one, name));
  }
  return isRecord(value) ? Object.entries(value).flatMap(([key, one]) => textsIn(one, key)) : [];
}

function imagesIn(part: SamplingPart): readonly SamplingPart[] {
  return part.kind === 'toolResult' ? part.content.flatMap(imagesIn) : part.kind === 'image' ? [part] : [];
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  const first = names.slice(0, MAX_NAMES).map(visibleText).join(', ');
  return more > 0 ? `${first} and ${more} more` : first;
}
