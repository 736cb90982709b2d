import type { ModelPart } from './languageModels.ts';
import type { SamplingToolUse } from './samplingRequest.ts';

/**
 * What a model has answered so far, cut before the first stop sequence. The first is the one that is complete first,
 * so that it doesn't matter in which pieces the text arrives.
 */
export class AnswerText {
  readonly #stopSequences: readonly string[];
  readonly #longest: number;
  readonly #parts: ModelPart[] = [];
  /** The text since the last use of a tool. */
  #run = '';
  /** The end of that text, in which a stop sequence may have begun. */
  #tail = '';
  /** What came before: the text alone, and everything that is counted. */
  #textBefore = '';
  #countedBefore = '';
  #isCut = false;

  constructor(stopSequences: readonly string[]) {
    this.#stopSequences = stopSequences;
    this.#longest = Math.max(1, ...stopSequences.map(({ length }) => length));
  }

  get parts(): readonly ModelPart[] {
    return this.#run === '' ? [...this.#parts] : [...this.#parts, { kind: 'text', text: this.#run }];
  }

  get text(): string {
    return this.#textBefore + this.#run;
  }

  /** The answer with its uses of tools, as one text to count tokens of. */
  get counted(): string {
    return this.#countedBefore + this.#run;
  }

  /** Whether a stop sequence has arrived: whatever follows is not part of the answer. */
  get isCut(): boolean {
    return this.#isCut;
  }

  add(part: ModelPart): void {
    if (this.#isCut) {
      return;
    }
    if (part.kind === 'text') {
      this.#addText(part.text);
    } else {
      this.#addToolUse(part);
    }
  }

  #addText(text: string): void {
    const recent = this.#tail + text;
    const start = this.#run.length - this.#tail.length;
    this.#run += text;
    // Not the whole run: searching a concatenated string makes the engine flatten it each time.
    const found = this.#firstIn(recent);
    if (found === undefined) {
      this.#tail = recent.slice(Math.max(0, recent.length - this.#longest + 1));
    } else {
      this.#run = this.#run.slice(0, start + found);
      this.#isCut = true;
    }
  }

  /** Where the stop sequence that is complete first begins. */
  #firstIn(text: string): number | undefined {
    let found: { readonly at: number; readonly end: number } | undefined;
    for (const sequence of this.#stopSequences) {
      const at = text.indexOf(sequence);
      const end = at + sequence.length;
      if (at >= 0 && (!found || end < found.end || (end === found.end && at < found.at))) {
        found = { at, end };
      }
    }
    return found?.at;
  }

  #addToolUse(use: SamplingToolUse): void {
    this.#parts.splice(0, Infinity, ...this.parts, use);
    this.#textBefore += this.#run;
    this.#countedBefore += this.#run + use.name + JSON.stringify(use.input);
    this.#run = '';
    this.#tail = '';
  }
}

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => Promise<number>;

/** The fewest characters between two counts of an answer that arrives in pieces. */
const STEP = 64;

/** Characters after a position that decide which of them belong together. */
const AHEAD = 100;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Checks a growing answer against a limit, and counts it only when it may have exceeded the limit. */
export class TokenWatch {
  readonly #max: number;
  readonly #count: CountTokens;
  #nextAt: number;

  constructor(max: number, count: CountTokens) {
    this.#max = max;
    this.#count = count;
    this.#nextAt = max;
  }

  /** Whether the text has more tokens than allowed, as far as is known without counting each time. */
  async isOver(text: string): Promise<boolean> {
    // A token is rarely shorter than a character; `partsWithin` cuts what exceeds the limit by a little.
    if (text.length < this.#nextAt) {
      return false;
    }
    const left = this.#max - (await this.#count(text));
    this.#nextAt = text.length + Math.max(STEP, left);
    return left < 0;
  }
}

/**
 * The parts that fit into a limit (client/sampling, `maxTokens`). A text that exceeds it is cut between two characters
 * as a reader sees them; a use of a tool that exceeds it is left out, and so is everything that follows.
 */
export async function partsWithin(
  parts: readonly ModelPart[],
  max: number,
  count: CountTokens,
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

/** The longest beginning of a text that has at most `max` tokens; the whole text has more. */
async function textWithin(text: string, max: number, count: CountTokens): Promise<string> {
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

/** The last position up to `index` that splits no character as a reader sees it. */
function wholeUpTo(text: string, index: number): number {
  return graphemes.segment(text.slice(0, index + AHEAD)).containing(index)?.index ?? index;
}
