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
  /** Before that: the text, and all of it with uses of tools. */
  #textBefore = '';
  #before = '';
  #isCut = false;

  constructor(stopSequences: readonly string[]) {
    this.#stopSequences = stopSequences;
    this.#longest = Math.max(0, ...stopSequences.map(({ length }) => length));
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
    // One that begins in what was there before ends in what is new.
    const from = Math.max(0, this.#run.length - this.#longest + 1);
    this.#run += text;
    let found: { readonly at: number; readonly end: number } | undefined;
    for (const sequence of this.#stopSequences) {
      const at = this.#run.indexOf(sequence, from);
      const end = at + sequence.length;
      if (at >= 0 && (!found || end < found.end || (end === found.end && at < found.at))) {
        found = { at, end };
      }
    }
    if (found) {
      this.#run = this.#run.slice(0, found.at);
      this.#isCut = true;
    }
  }

  #addToolUse(use: SamplingToolUse): void {
    this.#parts.splice(0, Infinity, ...this.parts, use);
    this.#textBefore += this.#run;
    this.#before += this.#run + use.name + JSON.stringify(use.input);
    this.#run = '';
  }
}
