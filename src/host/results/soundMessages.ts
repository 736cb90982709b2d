import type { JSONRPCMessage, JSONRPCResultResponse } from '@modelcontextprotocol/client';
import { isRecord, picked } from '../../base/values/record.ts';
import { atOnce, Slices } from '../../base/time/slices.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { lightBounds, plainBounds, samplingBounds } from '../json/bounds.ts';
import { refusedAnswer, tooMuchText } from '../json/receivedLine.ts';
import type { Schema } from '../schemas/jsonSchema.ts';
import { inPlaceOf } from './checkedResult.ts';
import { issuesOf } from './faults.ts';
import { soundEnvelope, withoutEmptyMembers, withoutNulls } from './soundEnvelope.ts';
import { soundCallResult, soundContents, soundPrompt } from './soundBlocks.ts';
import { lists, soundList, type ListRules } from './soundList.ts';
import { receivedBytes, setReceivedBytes } from '../json/receivedBytes.ts';
import { excessOf, type Weight } from '../json/weight.ts';
import type { ProtocolEra } from '../state/connectionState.ts';

/** The results that are checked here, by method: the member with their parts, and their types. */
const kinds = {
  ...lists,
  'tools/call': { field: 'content', type: 'CallToolResult' },
  'tasks/result': { field: 'content', type: 'CallToolResult' },
  'prompts/get': { field: 'messages', type: 'GetPromptResult' },
  'resources/read': { field: 'contents', type: 'ReadResourceResult' },
} as const;

type CheckedMethod = keyof typeof kinds | 'tasks/get';

/** What decides about the messages of one connection. */
interface MessageRules extends Pick<ListRules, 'schemas' | 'isHttp'> {
  /** Undefined until it is negotiated. */
  readonly era: () => ProtocolEra | undefined;
  /** Gets why a message was dropped, or lost its parameters. */
  readonly complain: (text: string) => void;
  /** Gets what was left out of a result. */
  readonly warn: (text: string) => void;
}

/**
 * Checks what a server sends before the SDK does, which validates each result as a whole: one malformed tool would cost the
 * list, and one content block of an unknown type the result of a call that can't be repeated.
 */
export class SoundMessages {
  readonly #rules: MessageRules;
  readonly #slices: () => Slices;

  constructor(rules: MessageRules, slices: () => Slices = () => new Slices()) {
    this.#rules = rules;
    this.#slices = slices;
  }

  /**
   * The message as the SDK gets it, or undefined for one that is dropped; `method` is that of the request that it answers.
   * What the SDK would read in one go is limited in its size: a response that is too large becomes an error, a request loses
   * its parameters, so that the server gets an error, and anything else is dropped. Of a list, and of a result with content,
   * it gets little, and `asChecked` gives the caller what was checked here, of a list a `SoundPage`; a large one is checked
   * in steps.
   */
  sound(
    message: JSONRPCMessage,
    method: string | undefined,
  ): JSONRPCMessage | undefined | Promise<JSONRPCMessage> {
    const most = boundsOf(method, message);
    const excess = most && excessOf(message, most);
    if (excess !== undefined) {
      return this.#tooLarge(message, excess);
    }
    const era = method === 'initialize' ? 'legacy' : this.#rules.era();
    const checked = method !== undefined && isChecked(method) ? method : undefined;
    const sound = soundEnvelope(message, era, checked !== undefined);
    return checked && 'result' in sound
      ? this.#withSoundResult(checked, sound, receivedBytes(message))
      : sound;
  }

  #tooLarge(message: JSONRPCMessage, excess: string): JSONRPCMessage | undefined {
    if (!('method' in message)) {
      return message.id === undefined || excessOf(message.id, plainBounds) !== undefined
        ? undefined
        : refusedAnswer(message.id, excess);
    }
    this.#rules.complain(tooMuchText(excess));
    const bare = { ...message, params: {} };
    return 'id' in message && excessOf(bare, plainBounds) === undefined ? bare : undefined;
  }

  #withSoundResult(
    method: CheckedMethod,
    response: JSONRPCResultResponse,
    bytes: number | undefined,
  ): JSONRPCMessage | Promise<JSONRPCMessage> {
    const { result } = response;
    const { resultType } = result as Schema;
    if (resultType === 'task') {
      return { ...response, result: taskResult(method, result) };
    }
    if (resultType !== undefined && resultType !== 'complete') {
      return response;
    }
    return excessOf(result, lightBounds) === undefined
      ? { ...response, result: atOnce(this.#soundResult(method, result, false)) }
      : this.#slices()
          .run(this.#soundResult(method, result, true, bytes))
          .then((sound) => ({ ...response, result: sound }));
  }

  *#soundResult(
    method: CheckedMethod,
    result: Schema,
    isLarge: boolean,
    bytes?: number,
  ): Generator<number, Schema> {
    const { schemas, isHttp, warn, era: eraOf } = this.#rules;
    const era = eraOf() ?? 'legacy';
    const rules: ListRules = { schemas, isHttp, era };
    if (method === 'tasks/get') {
      return yield* soundTask(rules, result);
    }
    // From 2026-07-28 on, `null` is a valid value of structured content.
    const { resultType, ...rest } = withoutNulls(result, era === 'modern' ? 'structuredContent' : undefined);
    const { field, type } = kinds[method];
    /** In place of this result, the SDK gets the members beside its parts, and of a large one those that it requires. */
    const given = (sound: object, others: Schema, parts: unknown): Schema => {
      const shown = {
        ...(resultType !== undefined && { resultType }),
        ...(isLarge ? picked(others, 'ttlMs', 'cacheScope') : others),
        ...(parts !== undefined && { [field]: parts }),
      };
      return inPlaceOf(setReceivedBytes(sound, bytes), shown, issuesOf(schemas, type, shown));
    };
    /** The SDK refuses it as it would refuse the whole. */
    const refused = (clean: Schema): Schema =>
      given(clean, clean, isLarge ? kindOnly(clean[field]) : clean[field]);
    switch (method) {
      case 'tools/call':
      case 'tasks/result': {
        const sound = yield* soundCallResult(schemas, era, rest);
        return given(sound, sound, sound['content'] && []);
      }
      case 'prompts/get': {
        const sound = yield* soundPrompt(schemas, rest);
        return sound ? given(isLarge ? described(sound) : sound, sound, []) : refused(rest);
      }
      case 'resources/read': {
        const clean = withFreshness(rules, rest);
        const sound = yield* soundContents(schemas, clean, (fault) =>
          warn(`A part of a resource cannot be read: ${visibleText(fault)}`),
        );
        return sound ? given(sound, sound, []) : refused(clean);
      }
      default: {
        const clean = withFreshness(rules, rest);
        const page = yield* soundList(rules, method, clean);
        const { nextCursor: _, ...shown } = clean;
        return page ? given(page, shown, []) : refused(clean);
      }
    }
  }
}

/**
 * A result that says that it is a task (2026-07-28, extension tasks). The SDK refuses it: that of a call goes past it, and in
 * the answer to a question about a task, where the examples of the specification have it, it counts as complete.
 */
function taskResult(method: CheckedMethod, result: Schema): Schema {
  const resultType = 'complete';
  switch (method) {
    case 'tools/call':
      return inPlaceOf(result, { resultType, content: [] });
    case 'tasks/get':
      return { ...result, resultType };
    default:
      return result;
  }
}

/** The state of a task, with the sound result of its call if it has one. The SDK doesn't check it. */
function* soundTask({ schemas, era }: ListRules, task: Schema): Generator<number, Schema> {
  const { result, ...state } = task;
  const clean = withoutEmptyMembers(state);
  return isRecord(result)
    ? { ...clean, result: yield* soundCallResult(schemas, era, withoutNulls(result, 'structuredContent')) }
    : clean;
}

/** The prompt without an invalid description, which the SDK doesn't check here. */
function described({ description, ...prompt }: Schema): Schema {
  return typeof description === 'string' ? { ...prompt, description } : prompt;
}

/** A small value instead of the parts of a result, about which the SDK complains in the same way. */
function kindOnly(parts: unknown): unknown {
  return typeof parts === 'string' ? '' : typeof parts === 'object' ? {} : parts;
}

function isChecked(method: string): method is CheckedMethod {
  return method === 'tasks/get' || Object.hasOwn(kinds, method);
}

/** The limits for what the SDK reads in one go; undefined for results that are read in steps. */
function boundsOf(method: string | undefined, message: JSONRPCMessage): Weight | undefined {
  if ('method' in message) {
    return message.method === 'sampling/createMessage' ? samplingBounds : plainBounds;
  }
  if (!('result' in message) || method === undefined || !isChecked(method)) {
    return plainBounds;
  }
  const { resultType, status } = isRecord(message.result) ? message.result : {};
  if (method === 'tasks/get' && status !== 'completed') {
    return samplingBounds;
  }
  return (resultType ?? 'complete') === 'complete' ? undefined : samplingBounds;
}

/** A list or resource that doesn't say how long it is fresh is stale at once, and private. */
function withFreshness({ era }: ListRules, result: Schema): Schema {
  const { ttlMs, cacheScope } = result;
  return era === 'legacy'
    ? result
    : {
        ...result,
        ttlMs: typeof ttlMs === 'number' && Number.isSafeInteger(ttlMs) && ttlMs >= 0 ? ttlMs : 0,
        cacheScope: cacheScope === 'public' ? 'public' : 'private',
      };
}
