import type { ModelPart } from './languageModels.ts';
import type { SamplingToolUse } from './samplingRequest.ts';

/**
 * What a model has said so far, cut before the first stop sequence. The first is the one that is complete first, so
 * that it does not matter in which pieces the text comes.
 */
export class AnswerSoFar {
  readonly #stopSequences: readonly string[];
  readonly #longest: number;
  readonly #parts: ModelPart[] = [];
  /** The text since the last use of a tool. */
  #run = '';
  /** The end of it, in which a stop sequence may have begun. */
  #tail = '';
  /** Before that: the text, and all of it with uses of tools. */
  #textBefore = '';
  #before = '';
  #isCut = false;

  constructor(stopSequences: readonly string[]) {
    this.#stopSequences = stopSequences;
    this.#longest = Math.max(1, ...stopSequences.map(({ length }) => length));
  }

  get parts(): readonly ModelPart[] {
    return this.#run === '' ? [...this.#parts] : [...this.#parts, { kind: 'text', text: this.#run }];
  }

  /** All text of the answer. */
  get text(): string {
    return this.#textBefore + this.#run;
  }

  /** All of the answer as text, as far as that is needed to know how long it is. */
  get written(): string {
    return this.#before + this.#run;
  }

  /** Whether a stop sequence has come: what comes now is no part of the answer. */
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
    // Not the whole run: a string that was put together is written out whenever it is searched.
    const found = this.#firstIn(recent);
    if (found === undefined) {
      this.#tail = recent.slice(Math.max(0, recent.length - this.#longest + 1));
    } else {
      this.#run = this.#run.slice(0, start + found);
      this.#isCut = true;
    }
  }

  /** Where the stop sequence begins that is complete first. */
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
    this.#before += this.#run + use.name + JSON.stringify(use.input);
    this.#run = '';
    this.#tail = '';
  }
}
