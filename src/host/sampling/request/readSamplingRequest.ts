import { isRecord, type UnknownRecord } from '../../../base/values/record.ts';
import { frozenDeep } from '../../../base/values/frozenDeep.ts';
import { countUnseen } from '../../../base/text/visibleText.ts';
import { samplingBounds } from '../../json/bounds.ts';
import { malformed, PartReader, readName } from './readSamplingContent.ts';
import { checkToolUses, readToolChoice, readTools } from './readSamplingTools.ts';
import type { SamplingMessage, SamplingPart, SamplingRequest } from './samplingRequest.ts';

const {
  messages: MAX_MESSAGES,
  textCharacters: MAX_CHARACTERS,
  unseenCharacters: MAX_UNSEEN,
  stopSequences: MAX_STOP_SEQUENCES,
  stopCharacters: MAX_STOP_CHARACTERS,
  hints: MAX_HINTS,
} = samplingBounds;

/** The first revision in which a server may offer tools to a model (client/sampling). */
const FIRST_WITH_TOOLS = '2025-11-25';

/**
 * A server's request for a model (client/sampling, `sampling/createMessage`) as a frozen copy: nothing of the server's
 * message is kept. Unknown fields are left out. `revision` is the negotiated one.
 *
 * @throws SamplingFailure malformed, with a sentence.
 */
export function readSamplingRequest(params: unknown, revision: string): SamplingRequest {
  if (!isRecord(params)) {
    throw malformed('The parameters must be an object.');
  }
  // Revisions are dates, which sort as texts.
  const knowsTools = revision >= FIRST_WITH_TOOLS;
  const messages = readMessages(params['messages'], new PartReader(knowsTools));
  checkToolUses(messages);
  const tools = readTools(params['tools'], knowsTools);
  const systemPrompt = optional(params, 'systemPrompt', isText, 'a text');
  const temperature = optional(params, 'temperature', isFinite, 'a number');
  const { includeContext = 'none' } = params;
  const request: SamplingRequest = {
    messages,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(temperature === undefined ? {} : { temperature }),
    maxTokens: readMaxTokens(params['maxTokens']),
    stopSequences: readStopSequences(params['stopSequences']),
    hints: readHints(params['modelPreferences']),
    tools,
    toolChoice: readToolChoice(params['toolChoice'], tools, knowsTools),
    wantsContext: includeContext !== 'none',
  };
  checkTexts(textsOf(request));
  return frozenDeep(request);
}

/** A text of a request, and whether it is prose, in which spaces of any width are ordinary. */
type Text = readonly [text: string, isProse: boolean];

/** There is a limit for invisible characters because each is shown as several; counting ends soon after it. */
function checkTexts(texts: readonly Text[]): void {
  if (texts.reduce((sum, [text]) => sum + text.length, 0) > MAX_CHARACTERS) {
    throw malformed(
      `The texts have more than ${MAX_CHARACTERS.toLocaleString('en-US')} characters together.`,
    );
  }
  const unseen = texts.reduce(
    (sum, [text, isProse]) => sum + countUnseen(text, MAX_UNSEEN + 1 - sum, isProse),
    0,
  );
  if (unseen > MAX_UNSEEN) {
    throw malformed(`The texts have more than ${MAX_UNSEEN.toLocaleString('en-US')} invisible characters.`);
  }
}

function textsOf({
  messages,
  systemPrompt = '',
  tools,
  stopSequences,
  hints,
}: SamplingRequest): readonly Text[] {
  const others = [...stopSequences, ...hints, ...tools.map((tool) => JSON.stringify(tool))];
  return [
    [systemPrompt, true],
    ...messages.flatMap(({ content }) => content.flatMap(textsIn)),
    ...others.map((text): Text => [text, false]),
  ];
}

function textsIn(part: SamplingPart): readonly Text[] {
  switch (part.kind) {
    case 'text':
      return [[part.text, true]];
    case 'image':
      return [];
    case 'toolUse':
      return [part.id, part.name, JSON.stringify(part.input)].map((text) => [text, false]);
    case 'toolResult':
      return [[part.toolUseId, false], ...part.content.flatMap(textsIn)];
  }
}

function readMessages(value: unknown, reader: PartReader): readonly SamplingMessage[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_MESSAGES) {
    throw malformed(`'messages' must be a list of 1 to ${MAX_MESSAGES.toLocaleString('en-US')} messages.`);
  }
  return value.map((message: unknown, index) => {
    const at = `messages[${index}]`;
    if (!isRecord(message)) {
      throw malformed(`'${at}' must be a message.`);
    }
    const { role, content } = message;
    if (role !== 'user' && role !== 'assistant') {
      throw malformed(`'${at}.role' must be 'user' or 'assistant'.`);
    }
    const parts = reader.readContent(content, `${at}.content`);
    if (parts.length === 0) {
      throw malformed(`'${at}.content' must not be empty.`);
    }
    return { role, content: parts };
  });
}

function readMaxTokens(value: unknown): number {
  if (!Number.isSafeInteger(value) || Number(value) < 1) {
    throw malformed("'maxTokens' must be a whole number of at least 1.");
  }
  return Number(value);
}

function readStopSequences(value: unknown = []): readonly string[] {
  const isValid =
    Array.isArray(value) &&
    value.length <= MAX_STOP_SEQUENCES &&
    value.every((one) => isText(one) && one !== '' && one.length <= MAX_STOP_CHARACTERS);
  if (!isValid) {
    throw malformed(
      `'stopSequences' must be a list of at most ${MAX_STOP_SEQUENCES} texts, ` +
        `each of 1 to ${MAX_STOP_CHARACTERS.toLocaleString('en-US')} characters.`,
    );
  }
  return [...value];
}

/** Priorities are left out: the editor knows neither the price nor the speed of a model. */
function readHints(value: unknown = {}): readonly string[] {
  const hints = isRecord(value) ? (value['hints'] ?? []) : undefined;
  if (!Array.isArray(hints)) {
    throw malformed("'modelPreferences' must be an object, and its 'hints' a list.");
  }
  return hints.slice(0, MAX_HINTS).flatMap((hint: unknown, index) => {
    const name = isRecord(hint) ? hint['name'] : undefined;
    return isText(name) && name !== '' ? [readName(name, `modelPreferences.hints[${index}].name`)] : [];
  });
}

function optional<T>(
  params: UnknownRecord,
  name: string,
  isValid: (value: unknown) => value is T,
  what: string,
): T | undefined {
  const value = params[name];
  if (value !== undefined && !isValid(value)) {
    throw malformed(`'${name}' must be ${what}.`);
  }
  return value;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isFinite(value: unknown): value is number {
  return Number.isFinite(value);
}
