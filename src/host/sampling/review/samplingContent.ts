import { counted } from '../../../base/text/words.ts';
import { visibleParts, visibleText } from '../../../base/text/visibleText.ts';
import { isRecord } from '../../../base/values/record.ts';
import { secretIn } from '../../../base/text/secretShapes.ts';
import type {
  SamplingImage,
  SamplingPart,
  SamplingRequest,
  SamplingToolResult,
  SamplingToolUse,
  TextEdit,
} from '../request/samplingRequest.ts';
import { longText, proseText, unseenIn } from '../../questions/panelText.ts';
import type { EditedView, SamplingPartView, SamplingView, TextView } from './samplingProtocol.ts';
import { withoutEnd } from '../../../base/text/withoutEnd.ts';

/** The part of a card that never changes. */
export type SamplingContent = Pick<SamplingView, 'warnings' | 'system' | 'messages' | 'tools' | 'facts'>;

/** Types that an image element shows without running anything in them. */
const shownImages: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** Names of tools that are listed one by one. */
const MAX_NAMES = 8;

/** The whole request: nothing cut, nothing invisible. */
export function samplingContent(request: SamplingRequest): SamplingContent {
  const { systemPrompt, messages, tools } = request;
  const called = new Map<string, string>();
  return {
    warnings: requestWarnings(request).map(visibleParts),
    ...(systemPrompt !== undefined && { system: textView('system', 'the system prompt', systemPrompt) }),
    messages: messages.map((message, index) => {
      const name = messages.length === 1 ? 'the message' : `message ${index + 1}`;
      const parts = partViews(message.content, { name, prefix: `${index}/`, called });
      for (const part of message.content) {
        if (part.kind === 'toolUse' && !called.has(part.id)) {
          called.set(part.id, part.name);
        }
      }
      return {
        title: `${name.replace('the m', 'M').replace('message', 'Message')} (${message.role})`,
        parts,
      };
    }),
    tools: tools.map(({ name, description, inputSchema }) => ({
      name: visibleParts(name),
      description: proseText(description),
      schema: jsonText(inputSchema),
    })),
    facts: factsOf(request),
  };
}

/** Parts of a message or an answer. `called` are the tools of earlier messages, by the ids of their uses. */
export function partViews(
  parts: readonly SamplingPart[],
  { name, prefix, called }: { name: string; prefix: string; called?: ReadonlyMap<string, string> },
): readonly SamplingPartView[] {
  const texts = parts.filter(({ kind }) => kind === 'text').length;
  return parts.flatMap((part, index): readonly SamplingPartView[] => {
    switch (part.kind) {
      case 'text': {
        const whole = texts === 1 ? name : `${name}, part ${index + 1}`;
        return [{ kind: 'text', text: textView(`${prefix}${index}`, whole, part.text) }];
      }
      case 'image':
        return [imageView(part)];
      case 'toolUse':
        return [{ kind: 'data', title: visibleParts(useTitle(part)), text: jsonText(part.input) }];
      case 'toolResult':
        return resultViews(part, called?.get(part.toolUseId));
    }
  });
}

export function editedView({ at, text }: TextEdit): EditedView {
  const shown = proseText(text);
  return { at, text, shown, notes: notesOn(text, unseenIn(shown)) };
}

function textView(at: string, name: string, original: string): TextView {
  const { shown, notes } = editedView({ at, text: original });
  return { at, name, original, shown, notes };
}

function notesOn(text: string, unseen: number): readonly string[] {
  const secret = secretIn(text, '');
  return [
    ...(secret === undefined ? [] : [`It has what looks like ${secret}.`]),
    ...(unseen === 0 ? [] : [`It has ${counted(unseen, 'invisible character')}, written out here.`]),
  ];
}

function imageView({ mimeType, data }: SamplingImage): SamplingPartView {
  const isShown = shownImages.includes(mimeType);
  return {
    kind: 'image',
    words: `Image, ${visibleParts(mimeType)
      .map(({ text }) => text)
      .join('')}, ${sizeText(data)}`,
    ...(isShown && { source: `data:${mimeType};base64,${data}` }),
  };
}

function resultViews(
  { toolUseId, isError, content }: SamplingToolResult,
  tool: string | undefined,
): readonly SamplingPartView[] {
  const what = tool === undefined ? '' : ` of '${tool}'`;
  const title = visibleParts(`${isError ? 'Error' : 'Result'}${what}, which the server ran (${toolUseId})`);
  return content.length === 0
    ? [{ kind: 'data', title, text: longText('(nothing)') }]
    : content.map((part) =>
        part.kind === 'text' ? { kind: 'data', title, text: proseText(part.text) } : imageView(part),
      );
}

function useTitle({ name, id }: SamplingToolUse): string {
  return `Asks to run the tool '${name}' (${id})`;
}

function factsOf(request: SamplingRequest): SamplingView['facts'] {
  const { maxTokens, temperature, stopSequences, hints, tools, toolChoice } = request;
  return [
    { ...fact('Answer', `at most ${maxTokens.toLocaleString('en')} tokens`), isDetail: true },
    ...(temperature === undefined ? [] : [{ ...fact('Temperature', String(temperature)), isDetail: true }]),
    ...(stopSequences.length === 0 ? [] : [{ ...fact('Stops at', ...stopSequences), isQuoted: true }]),
    ...(hints.length === 0 ? [] : [{ ...fact('The server would like', ...hints), isQuoted: true }]),
    ...(tools.length > 0 && toolChoice === 'required' ? [fact('Tools', 'the model must use one')] : []),
    ...(tools.length > 0 && toolChoice === 'none' ? [fact('Tools', 'the model gets none')] : []),
  ];
}

function fact(title: string, ...values: readonly string[]): SamplingView['facts'][number] {
  return { title, values: values.map((value) => visibleParts(value)), isQuoted: false, isDetail: false };
}

function jsonText(value: unknown) {
  return longText(JSON.stringify(value, undefined, 2) ?? '');
}

/** The size of data in base64, as people read it. */
function sizeText(data: string): string {
  const bytes = Math.floor((withoutEnd(data, '=').length * 3) / 4);
  const [size, unit] = bytes < 1_000_000 ? [Math.ceil(bytes / 1_000), 'KB'] : [bytes / 1_000_000, 'MB'];
  return `${size.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;
}

/**
 * What is unusual in a request for a model, a sentence each. A warning forbids nothing, and repeats nothing that looks
 * like a secret.
 */
function requestWarnings(request: SamplingRequest): readonly string[] {
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
