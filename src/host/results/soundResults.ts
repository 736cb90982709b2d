import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { visibleText } from '../../base/visibleText.ts';
import { isRecord, type Schema } from '../tools/jsonSchema.ts';
import { soundCallResult, soundContents, soundPrompt } from './soundBlocks.ts';
import { lists, soundList, type ListMethod, type ListRules } from './soundList.ts';
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

  /** `rules` are asked for at each result: the era is known when the first one comes. */
  constructor(rules: () => ListRules, warn: (text: string) => void) {
    this.#rules = rules;
    this.#warn = warn;
  }

  /** The answer to a request of that method as the SDK is to see it. */
  sound(method: string, answer: JSONRPCMessage): JSONRPCMessage {
    return isSoundMethod(method) && 'result' in answer && isRecord(answer.result)
      ? { ...answer, result: this.#soundResult(method, answer.result) }
      : answer;
  }

  #soundResult(method: SoundMethod, result: Schema): Schema {
    const { resultType } = result;
    if (resultType !== undefined && resultType !== 'complete') {
      return result;
    }
    const rules = this.#rules();
    const { schemas, era } = rules;
    // From 2026-07-28 on `null` is a value of structured content as any other.
    const clean = withoutNulls(result, era === 'modern' ? 'structuredContent' : undefined);
    switch (method) {
      case 'tools/call':
        return soundCallResult(schemas, era, clean);
      case 'prompts/get':
        return soundPrompt(schemas, clean);
      case 'resources/read':
        return withFreshness(
          rules,
          soundContents(schemas, clean, (fault) =>
            this.#warn(`A part of a resource cannot be read: ${visibleText(fault)}`),
          ),
        );
      default:
        return withFreshness(rules, soundList(rules, method, clean));
    }
  }
}

function isSoundMethod(method: string): method is SoundMethod {
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
