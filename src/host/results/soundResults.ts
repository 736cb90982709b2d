import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/record.ts';
import { atOnce, Slices } from '../../base/slices.ts';
import { visibleText } from '../../base/visibleText.ts';
import { lightBounds } from '../errors/bounds.ts';
import type { Schema } from '../schemas/jsonSchema.ts';
import { carrying } from './carried.ts';
import { callResultInSteps, contentsInSteps, promptInSteps } from './soundBlocks.ts';
import { lists, soundListInSteps, type ListMethod, type ListRules } from './soundList.ts';
import { excessOf } from '../json/weight.ts';
import { withoutNulls } from './withoutNulls.ts';

type SoundMethod = ListMethod | 'tools/call' | 'prompts/get' | 'resources/read';

const methods: ReadonlySet<string> = new Set<SoundMethod>([
  ...(Object.keys(lists) as ListMethod[]),
  'tools/call',
  'prompts/get',
  'resources/read',
]);

/**
 * Makes results sound before the SDK sees them. It validates each as a whole: one malformed tool would cost
 * the list, and one content block of unknown type the result of a call that cannot be repeated.
 */
export class SoundResults {
  readonly #rules: () => ListRules;
  readonly #warn: (text: string) => void;

  readonly #slices: () => Slices;

  /** `rules` are asked for at each result: the era is known when the first one comes. */
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
   * The answer to a request of that method as the SDK is to see it. One that is large is made sound in steps, and goes
   * past the SDK, which would check it as a whole: see `whole`, and `ListFaults`.
   */
  sound(method: string, answer: JSONRPCMessage): JSONRPCMessage | Promise<JSONRPCMessage> {
    if (!isSoundMethod(method) || !('result' in answer) || !isRecord(answer.result)) {
      return answer;
    }
    const { resultType } = answer.result as Schema;
    if (resultType !== undefined && resultType !== 'complete') {
      return answer;
    }
    if (excessOf(answer.result, lightBounds) === undefined) {
      return { ...answer, result: atOnce(this.#soundResult(method, answer.result, false)) };
    }
    return this.#slices()
      .run(this.#soundResult(method, answer.result, true))
      .then((result) => ({ ...answer, result }));
  }

  *#soundResult(method: SoundMethod, result: Schema, isLarge: boolean): Generator<number, Schema> {
    const rules = this.#rules();
    const { schemas, era } = rules;
    // From 2026-07-28 on `null` is a value of structured content as any other.
    const clean = withoutNulls(result, era === 'modern' ? 'structuredContent' : undefined);
    const { resultType } = clean;
    const kind = resultType === undefined ? {} : { resultType };
    switch (method) {
      case 'tools/call': {
        const sound = yield* callResultInSteps(schemas, era, clean);
        if (isLarge) {
          // Without content it is one of another kind, which the SDK tells.
          return 'content' in sound ? carrying({ ...kind, content: [] }, sound) : kind;
        }
        return sound;
      }
      case 'prompts/get': {
        const sound = yield* promptInSteps(schemas, clean);
        if (isLarge) {
          const isList = Array.isArray(sound['messages']);
          return isList ? carrying({ ...kind, messages: [] }, described(sound)) : { ...kind, messages: {} };
        }
        return sound;
      }
      case 'resources/read': {
        const sound = yield* contentsInSteps(schemas, clean, (fault) =>
          this.#warn(`A part of a resource cannot be read: ${visibleText(fault)}`),
        );
        const fresh = withFreshness(rules, sound);
        const { ttlMs, cacheScope } = fresh;
        if (isLarge) {
          const empty = withFreshness(rules, { ...kind, ttlMs, cacheScope, contents: [] });
          // The SDK fails a resource of which nothing can be read.
          return sound === clean ? { ...empty, contents: {} } : carrying(empty, fresh);
        }
        return fresh;
      }
      default:
        return withFreshness(rules, yield* soundListInSteps(rules, method, clean, isLarge));
    }
  }
}

/** The SDK does not see what else is in it. */
function described({ description, ...prompt }: Schema): Schema {
  return typeof description === 'string' ? { ...prompt, description } : prompt;
}

export function isSoundMethod(method: string): method is SoundMethod {
  return methods.has(method);
}

/** A list or resource that does not say how long it is fresh is stale at once, and for nobody else. */
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
