import { isRecord } from '../../../base/values/record.ts';
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

type Fields = Readonly<Record<string, unknown>>;

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
  if (charactersOf(request) > MAX_CHARACTERS) {
    throw malformed(
      `The texts have more than ${MAX_CHARACTERS.toLocaleString('en-US')} characters together.`,
    );
  }
  if (unseenIn(request) > MAX_UNSEEN) {
    throw malformed(`The texts have more than ${MAX_UNSEEN.toLocaleString('en-US')} invisible characters.`);
  }
  return frozenDeep(request);
}

/**
 * Invisible characters. There is a limit because each is shown as several characters; counting ends soon after it.
 */
function unseenIn({ messages, systemPrompt = '', tools, stopSequences, hints }: SamplingRequest): number {
  const parts = messages.flatMap(({ content }) => content).flatMap(withResults);
  const prose = [systemPrompt, ...parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))];
  const others = [
    ...stopSequences,
    ...hints,
    ...tools.map((tool) => JSON.stringify(tool)),
    ...parts.flatMap((part) => (part.kind === 'toolUse' ? [JSON.stringify(part.input)] : [])),
  ];
  return countIn(others, false, countIn(prose, true, 0));
}

function countIn(texts: readonly string[], isProse: boolean, before: number): number {
  return texts.reduce((sum, text) => sum + countUnseen(text, MAX_UNSEEN + 1 - sum, isProse), before);
}

function withResults(part: SamplingPart): readonly SamplingPart[] {
  return part.kind === 'toolResult' ? part.content : [part];
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
  params: Fields,
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

function charactersOf({ messages, systemPrompt = '', tools, stopSequences, hints }: SamplingRequest): number {
  const inTools = tools.reduce((sum, tool) => sum + JSON.stringify(tool).length, 0);
  const inParts = messages.flatMap(({ content }) => content).reduce((sum, part) => sum + lengthOf(part), 0);
  return systemPrompt.length + inTools + inParts + stopSequences.join('').length + hints.join('').length;
}

function lengthOf(part: SamplingPart): number {
  switch (part.kind) {
    case 'text':
      return part.text.length;
    case 'image':
      return 0;
    case 'toolUse':
      return part.id.length + part.name.length + JSON.stringify(part.input).length;
    case 'toolResult':
      return part.content.reduce((sum, one) => sum + lengthOf(one), part.toolUseId.length);
  }
}
