import { CancellationError, unlessAborted } from '../../base/cancellation.ts';
import { visibleText } from '../../base/visibleText.ts';
import { AnswerWatch, partsWithin } from './answerLimit.ts';
import { AnswerSoFar } from './answerSoFar.ts';
import type { LanguageModel, LanguageModels, ModelPart } from './languageModels.ts';
import { modelRequestOf } from './modelRequest.ts';
import { tokensOf } from './requestTokens.ts';
import { SamplingFailure } from '../errors/samplingFailure.ts';
import type { SamplingRequest } from './samplingRequest.ts';
import type { ModelAnswer } from './samplingReview.ts';

/** Characters of a name that a model made up, in a sentence. */
const MAX_NAME = 100;

export interface GenerationOptions {
  /** For the editor's own question about the use of its models. */
  readonly justification: string;
  /** Gets the whole text so far, with each piece that comes. */
  readonly onText: (text: string) => void;
  /** Aborts when the person has heard enough: what was said counts as the answer. */
  readonly isStopped: AbortSignal;
  /** Aborts when nobody wants an answer any more. */
  readonly signal: AbortSignal;
}

/**
 * Has a model answer, and keeps the answer to what the server asked (client/sampling): it ends before a stop sequence
 * and at `maxTokens`, which the editor's models are only told of, and then the model is told to end, too.
 *
 * @throws SamplingFailure model, when there is no answer or it is not what was asked for; ModelError in the
 * provider's words; CancellationError when `signal` aborted.
 */
export async function generate(
  models: LanguageModels,
  model: LanguageModel,
  request: SamplingRequest,
  options: GenerationOptions,
): Promise<ModelAnswer> {
  const { signal, isStopped } = options;
  if (signal.aborted) {
    throw new CancellationError();
  }
  const said = new AnswerSoFar(request.stopSequences);
  const count = (text: string): Promise<number> =>
    unlessAborted(tokensOf(models, model.id, text, signal), signal);
  const isOver = await listen(models, model, request, options, said, count);
  const within = await partsWithin(said.parts, request.maxTokens, count);
  const hasToolUse = within.parts.some(({ kind }) => kind === 'toolUse');
  const reasons = [
    [isOver || within.isCut, 'maxTokens'],
    [said.isCut, 'stopSequence'],
    [hasToolUse, 'toolUse'],
  ] as const;
  const stopReason = reasons.find(([holds]) => holds)?.[1] ?? 'endTurn';
  checkTools(within.parts, request);
  if (within.parts.length === 0) {
    throw failure(isStopped.aborted ? 'It was stopped before the model said anything.' : nothing[stopReason]);
  }
  return Object.freeze({ parts: Object.freeze(within.parts), stopReason, model: model.name });
}

/** Hears the model out, up to a stop sequence, the limit (then it gives true), or the person's click. */
async function listen(
  models: LanguageModels,
  model: LanguageModel,
  request: SamplingRequest,
  { justification, onText, isStopped, signal }: GenerationOptions,
  said: AnswerSoFar,
  count: (text: string) => Promise<number>,
): Promise<boolean> {
  const enough = new AbortController();
  const end = AbortSignal.any([signal, isStopped, enough.signal]);
  const watch = new AnswerWatch(request.maxTokens, count);
  const stream = models.send(model.id, modelRequestOf(request, justification), end)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done = false, value } = await unlessAborted(stream.next(), end);
      if (done) {
        return false;
      }
      said.add(value);
      onText(said.text);
      const isOver = await unlessAborted(watch.isOver(said.written), end);
      if (isOver || said.isCut) {
        return isOver;
      }
    }
  } catch (error) {
    if (signal.aborted) {
      throw new CancellationError();
    }
    // A provider may say in its own way that it was told to stop.
    if (!isStopped.aborted) {
      throw error;
    }
    return false;
  } finally {
    enough.abort();
    // Not awaited: a provider that does not listen would hold up the answer.
    stream.return?.().catch(() => {});
  }
}

/** Why there can be nothing in an answer. */
const nothing: Readonly<Record<ModelAnswer['stopReason'], string>> = {
  endTurn: 'The model said nothing.',
  stopSequence: 'The model said nothing before a stop sequence.',
  maxTokens: "Nothing of the model's answer fits into 'maxTokens'.",
  toolUse: 'The model said nothing.',
};

/** Uses only of tools that were offered, and at least one where that is required (tool choice modes). */
function checkTools(parts: readonly ModelPart[], { tools, toolChoice }: SamplingRequest): void {
  const uses = parts.filter((part) => part.kind === 'toolUse');
  const offered = new Set(toolChoice === 'none' ? [] : tools.map(({ name }) => name));
  const other = uses.find(({ name }) => !offered.has(name));
  if (other) {
    const name = visibleText(other.name.slice(0, MAX_NAME));
    throw failure(`The model asked for the tool '${name}', which was not offered to it.`);
  }
  if (toolChoice === 'required' && uses.length === 0) {
    throw failure('The model asked for no tool although one is required.');
  }
}

function failure(sentence: string): SamplingFailure {
  return new SamplingFailure('model', sentence);
}
