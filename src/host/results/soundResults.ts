import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/values/record.ts';
import { atOnce, Slices } from '../../base/time/slices.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { lightBounds } from '../json/bounds.ts';
import type { Schema } from '../schemas/jsonSchema.ts';
import { carrying, whole } from './carried.ts';
import { withoutEmptyMembers, withoutNulls } from './soundEnvelope.ts';
import { soundCallResult, soundContents, soundPrompt } from './soundBlocks.ts';
import { lists, soundList, type ListMethod, type ListRules } from './soundList.ts';
import { setReceivedBytes } from '../json/receivedBytes.ts';
import { excessOf } from '../json/weight.ts';

type SoundMethod =
  | ListMethod
  | 'tools/call'
  | 'tasks/result'
  | 'tasks/get'
  | 'prompts/get'
  | 'resources/read';

const methods: ReadonlySet<string> = new Set<SoundMethod>([
  ...(Object.keys(lists) as ListMethod[]),
  'tools/call',
  'tasks/result',
  'tasks/get',
  'prompts/get',
  'resources/read',
]);

/**
 * Removes invalid parts from results before the SDK gets them. The SDK validates each result as a whole: one malformed tool
 * would cost the list, and one content block of an unknown type the result of a call that can't be repeated.
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
   * The response to a request of that method as the SDK gets it. A large one is checked in steps, and bypasses the SDK,
   * which would check it at once: see `whole`, and `ListFaults`. It knows the bytes in which its message came.
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
      .run(this.#soundResult(method, answer.result, true))
      .then((result) => {
        setReceivedBytes(whole(result), bytes);
        return { ...answer, result };
      });
  }

  *#soundResult(method: SoundMethod, result: Schema, isLarge: boolean): Generator<number, Schema> {
    const rules = this.#rules();
    const { schemas, era } = rules;
    // From 2026-07-28 on, `null` is a valid value of structured content.
    const clean = withoutNulls(result, era === 'modern' ? 'structuredContent' : undefined);
    const { resultType } = clean;
    const kind = resultType === undefined ? {} : { resultType };
    switch (method) {
      case 'tools/call':
      case 'tasks/result': {
        const sound = yield* soundCallResult(schemas, era, clean);
        if (isLarge) {
          // Without content it is one of another kind, which the SDK detects.
          return 'content' in sound ? carrying({ ...kind, content: [] }, sound) : kind;
        }
        return sound;
      }
      case 'tasks/get':
        return yield* soundTask(rules, result);
      case 'prompts/get': {
        const sound = yield* soundPrompt(schemas, clean);
        if (isLarge) {
          const isList = Array.isArray(sound['messages']);
          return isList ? carrying({ ...kind, messages: [] }, described(sound)) : { ...kind, messages: {} };
        }
        return sound;
      }
      case 'resources/read': {
        const sound = yield* soundContents(schemas, clean, (fault) =>
          this.#warn(`A part of a resource cannot be read: ${visibleText(fault)}`),
        );
        const fresh = withFreshness(rules, sound);
        const { ttlMs, cacheScope } = fresh;
        if (isLarge) {
          const empty = withFreshness(rules, { ...kind, ttlMs, cacheScope, contents: [] });
          // The SDK rejects a resource without valid contents.
          return sound === clean ? { ...empty, contents: {} } : carrying(empty, fresh);
        }
        return fresh;
      }
      default:
        return withFreshness(rules, yield* soundList(rules, method, clean, isLarge));
    }
  }
}

/**
 * A result that says that it is a task (2026-07-28, extension tasks). The SDK refuses it: that of a call bypasses it, and in
 * the answer to a question about a task, where the examples of the specification have it, it counts as complete.
 */
function taskResult(method: SoundMethod, result: Schema): Schema {
  const resultType = 'complete';
  switch (method) {
    case 'tools/call':
      return carrying({ resultType, content: [] }, result);
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

export function isSoundMethod(method: string): method is SoundMethod {
  return methods.has(method);
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
