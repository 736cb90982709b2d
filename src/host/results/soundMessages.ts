import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isRecord, picked } from '../../base/values/record.ts';
import { atOnce, Slices } from '../../base/time/slices.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { lightBounds } from '../json/bounds.ts';
import type { Schema } from '../schemas/jsonSchema.ts';
import { inPlaceIfSound, inPlaceOf } from './checkedResult.ts';
import { withoutEmptyMembers, withoutNulls } from './soundEnvelope.ts';
import { soundCallResult, soundContents, soundPrompt } from './soundBlocks.ts';
import { lists, soundList, type ListRules } from './soundList.ts';
import { setReceivedBytes } from '../json/receivedBytes.ts';
import { excessOf } from '../json/weight.ts';

/** The results that are checked here, by method: the member with their parts, and their types. */
const kinds = {
  ...lists,
  'tools/call': { field: 'content', type: 'CallToolResult' },
  'tasks/result': { field: 'content', type: 'CallToolResult' },
  'prompts/get': { field: 'messages', type: 'GetPromptResult' },
  'resources/read': { field: 'contents', type: 'ReadResourceResult' },
} as const;

type SoundMethod = keyof typeof kinds | 'tasks/get';

/**
 * Checks results, and removes their invalid parts. The SDK would validate each result as a whole: one malformed tool would
 * cost the list, and one content block of an unknown type the result of a call that can't be repeated.
 */
export class SoundResults {
  readonly #rules: () => ListRules;
  readonly #warn: (text: string) => void;

  readonly #slices: () => Slices;

  /** `rules` is called for each result, because the era is unknown before the first one. */
  constructor(
    rules: () => ListRules,
    warn: (text: string) => void,
    slices: () => Slices = () => new Slices(),
  ) {
    this.#rules = rules;
    this.#warn = warn;
    this.#slices = slices;
  }

  /**
   * The response to a request of that method as the SDK gets it; `asChecked` gives the caller what was checked here: of a
   * list, the `SoundPage`. A large one is checked in steps, and knows the bytes in which its message came.
   */
  sound(method: string, answer: JSONRPCMessage, bytes?: number): JSONRPCMessage | Promise<JSONRPCMessage> {
    if (!isSoundMethod(method) || !('result' in answer) || !isRecord(answer.result)) {
      return answer;
    }
    const { resultType } = answer.result as Schema;
    if (resultType === 'task') {
      return { ...answer, result: taskResult(method, answer.result) };
    }
    if (resultType !== undefined && resultType !== 'complete') {
      return answer;
    }
    if (excessOf(answer.result, lightBounds) === undefined) {
      return { ...answer, result: atOnce(this.#soundResult(method, answer.result, false)) };
    }
    return this.#slices()
      .run(this.#soundResult(method, answer.result, true, bytes))
      .then((result) => ({ ...answer, result }));
  }

  *#soundResult(
    method: SoundMethod,
    result: Schema,
    isLarge: boolean,
    bytes?: number,
  ): Generator<number, Schema> {
    const rules = this.#rules();
    const { schemas, era } = rules;
    if (method === 'tasks/get') {
      return yield* soundTask(rules, result);
    }
    // From 2026-07-28 on, `null` is a valid value of structured content.
    const { resultType, ...rest } = withoutNulls(result, era === 'modern' ? 'structuredContent' : undefined);
    const { field, type } = kinds[method];
    /** In place of this result, the SDK gets the members beside its parts, and of a large one those that it requires. */
    const given = (sound: object, { nextCursor: _, ...shown }: Schema, parts: unknown): Schema =>
      inPlaceIfSound(schemas, type, setReceivedBytes(sound, bytes), {
        ...(resultType !== undefined && { resultType }),
        ...(isLarge ? picked(shown, 'ttlMs', 'cacheScope') : shown),
        ...(parts !== undefined && { [field]: parts }),
      });
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
          this.#warn(`A part of a resource cannot be read: ${visibleText(fault)}`),
        );
        return sound ? given(sound, sound, []) : refused(clean);
      }
      default: {
        const clean = withFreshness(rules, rest);
        const page = yield* soundList(rules, method, clean);
        return page ? given(page, clean, []) : refused(clean);
      }
    }
  }
}

/**
 * A result that says that it is a task (2026-07-28, extension tasks). The SDK refuses it: that of a call goes past it, and in
 * the answer to a question about a task, where the examples of the specification have it, it counts as complete.
 */
function taskResult(method: SoundMethod, result: Schema): Schema {
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
  return typeof parts === 'object' ? {} : String(parts).slice(0, 1);
}

export function isSoundMethod(method: string): method is SoundMethod {
  return method === 'tasks/get' || Object.hasOwn(kinds, method);
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
