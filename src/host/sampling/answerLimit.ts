import type { ModelPart } from './languageModels.ts';

/** Counts the tokens of a text. */
export type Count = (text: string) => Promise<number>;

/** Characters that come at least between two counts of what comes in pieces. */
const STEP = 64;

/** Beyond a place in a text, what is looked at to find out which characters belong together. */
const AHEAD = 100;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Watches an answer that grows, and counts it rarely: only when it may have come over the limit. */
export class AnswerWatch {
  readonly #max: number;
  readonly #count: Count;
  #nextAt: number;

  constructor(max: number, count: Count) {
    this.#max = max;
    this.#count = count;
    this.#nextAt = max;
  }

  /** Whether the text has more tokens than allowed, as far as that is known without counting at each step. */
  async isOver(text: string): Promise<boolean> {
    // A token is hardly less than a character; what is a little over is cut in the end.
    if (text.length < this.#nextAt) {
      return false;
    }
    const left = this.#max - (await this.#count(text));
    this.#nextAt = text.length + Math.max(STEP, left);
    return left < 0;
  }
}

/**
 * The parts as far as they fit into a limit (client/sampling, `maxTokens`): the text that goes over it is cut, between
 * two characters as a reader sees them; the use of a tool that does is left out, and so is all that follows.
 */
export async function partsWithin(
  parts: readonly ModelPart[],
  max: number,
  count: Count,
): Promise<{ readonly parts: readonly ModelPart[]; readonly isCut: boolean }> {
  const kept: ModelPart[] = [];
  let left = max;
  for (const part of parts) {
    const tokens = await count(part.kind === 'text' ? part.text : JSON.stringify([part.name, part.input]));
    if (tokens > left) {
      const text = part.kind === 'text' ? await textWithin(part.text, left, count) : '';
      return { parts: text === '' ? kept : [...kept, { kind: 'text', text }], isCut: true };
    }
    left -= tokens;
    kept.push(part);
  }
  return { parts: kept, isCut: false };
}

/** The longest beginning of a text that has at most so many tokens; the whole of it has more. */
async function textWithin(text: string, max: number, count: Count): Promise<string> {
  let fitting = '';
  let [low, high] = [0, text.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    const beginning = text.slice(0, wholeUpTo(text, middle));
    if (beginning.length <= fitting.length || (await count(beginning)) <= max) {
      low = middle;
      fitting = beginning.length > fitting.length ? beginning : fitting;
    } else {
      high = middle;
    }
  }
  return fitting;
}

/** The last place up to `index` that is in the middle of no character as a reader sees it. */
function wholeUpTo(text: string, index: number): number {
  return graphemes.segment(text.slice(0, index + AHEAD)).containing(index)?.index ?? index;
}
