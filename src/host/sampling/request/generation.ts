import type { SamplingResult } from '../../connection/samplingSource.ts';
import { CancellationError, unlessAborted } from '../../../base/lifetime/cancellation.ts';
import { visibleText } from '../../../base/text/visibleText.ts';
import { SamplingFailure } from '../../errors/samplingFailure.ts';
import { AnswerText, partsWithin, TokenWatch, type CountTokens } from './answerLimits.ts';
import { modelRequestOf, type LanguageModel, type LanguageModels, type ModelPart } from './languageModels.ts';
import { tokensOf } from './requestTokens.ts';
import type { SamplingRequest } from './samplingRequest.ts';

/** Characters of a tool's name that a model made up, in a message. */
const MAX_NAME = 100;

/** One answer to generate. */
export interface Generation {
  readonly model: LanguageModel;
  readonly request: SamplingRequest;
  /** Gets the whole text so far, with each piece that arrives. */
  readonly onText: (text: string) => void;
  /** Aborts when you select Stop: what has arrived counts as the answer. */
  readonly isStopped: AbortSignal;
  /** Aborts when nobody wants an answer any longer. */
  readonly signal: AbortSignal;
}

/** What a model answered, within the limits of the request. */
export interface GeneratedAnswer {
  readonly parts: readonly ModelPart[];
  readonly stopReason: 'endTurn' | 'stopSequence' | 'maxTokens' | 'toolUse';
  /** The name of the model. */
  readonly model: string;
  /** Tokens that your limit left for it, where the server asked for more. */
  readonly limit?: number;
}

/**
 * Has a model answer, within what the server asked for (client/sampling): the answer ends before a stop sequence and
 * at `maxTokens`. The editor's models only get these as options, so that both are checked here, and the model is
 * cancelled. The editor shows `justification` when it asks for its own consent.
 *
 * @throws SamplingFailure model, when there is no answer or it doesn't fit the request; ModelError in the provider's
 * words; CancellationError when `signal` aborted.
 */
export async function generate(
  models: LanguageModels,
  generation: Generation,
  justification: string,
): Promise<GeneratedAnswer> {
  const { model, request, isStopped, signal } = generation;
  if (signal.aborted) {
    throw new CancellationError();
  }
  const answer = new AnswerText(request.stopSequences);
  const count: CountTokens = (text) => unlessAborted(tokensOf(models, model.id, text, signal), signal);
  const isOver = await receive(models, generation, justification, answer, count);
  const { parts, isCut } = await partsWithin(answer.parts, request.maxTokens, count);
  const hasToolUse = parts.some(({ kind }) => kind === 'toolUse');
  const reasons = [
    [isOver || isCut, 'maxTokens'],
    [answer.isCut, 'stopSequence'],
    [hasToolUse, 'toolUse'],
  ] as const;
  const stopReason = reasons.find(([holds]) => holds)?.[1] ?? 'endTurn';
  checkTools(parts, request);
  if (parts.length === 0) {
    throw failure(isStopped.aborted ? 'You stopped the model before it answered.' : emptyAnswer[stopReason]);
  }
  return Object.freeze({ parts: Object.freeze(parts), stopReason, model: model.name });
}

/** Reads the model's stream up to a stop sequence, the token limit (then the result is true), or Stop. */
async function receive(
  models: LanguageModels,
  { model, request, onText, isStopped, signal }: Generation,
  justification: string,
  answer: AnswerText,
  count: CountTokens,
): Promise<boolean> {
  const enough = new AbortController();
  const end = AbortSignal.any([signal, isStopped, enough.signal]);
  const watch = new TokenWatch(request.maxTokens, count);
  const stream = models.send(model.id, modelRequestOf(request, justification), end)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done = false, value } = await unlessAborted(stream.next(), end);
      if (done) {
        return false;
      }
      answer.add(value);
      onText(answer.text);
      const isOver = await unlessAborted(watch.isOver(answer.counted), end);
      if (isOver || answer.isCut) {
        return isOver;
      }
    }
  } catch (error) {
    if (signal.aborted) {
      throw new CancellationError();
    }
    // A provider may report the cancellation as an error of its own.
    if (!isStopped.aborted) {
      throw error;
    }
    return false;
  } finally {
    enough.abort();
    // Not awaited: a provider that ignores the cancellation would delay the answer.
    stream.return?.().catch(() => {});
  }
}

/** Why an answer is empty. */
const emptyAnswer: Readonly<Record<GeneratedAnswer['stopReason'], string>> = {
  endTurn: 'The model returned an empty answer.',
  stopSequence: 'The model returned nothing before a stop sequence.',
  maxTokens: "No part of the model's answer fits into 'maxTokens'.",
  toolUse: 'The model returned an empty answer.',
};

/** An answer uses only tools that were offered, and at least one where that is required (tool choice modes). */
function checkTools(parts: readonly ModelPart[], { tools, toolChoice }: SamplingRequest): void {
  const uses = parts.filter((part) => part.kind === 'toolUse');
  const offered = new Set(toolChoice === 'none' ? [] : tools.map(({ name }) => name));
  const other = uses.find(({ name }) => !offered.has(name));
  if (other) {
    const name = visibleText(other.name.slice(0, MAX_NAME));
    throw failure(`The model asked for the tool '${name}', which was not offered to it.`);
  }
  if (toolChoice === 'required' && uses.length === 0) {
    throw failure('The model asked for no tool, although one is required.');
  }
}

function failure(sentence: string): SamplingFailure {
  return new SamplingFailure('model', sentence);
}

/**
 * An answer as the server gets it (client/sampling, `CreateMessageResult`): a list with uses of tools only if the
 * request had tools, else one text.
 */
export function samplingResult(
  { parts, stopReason, model }: GeneratedAnswer,
  { tools }: SamplingRequest,
): SamplingResult {
  const head = { role: 'assistant', model, stopReason } as const;
  if (tools.length === 0) {
    const text = parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
    return { ...head, content: { type: 'text', text } };
  }
  return {
    ...head,
    content: parts.map((part) =>
      part.kind === 'text'
        ? { type: 'text', text: part.text }
        : { type: 'tool_use', id: part.id, name: part.name, input: { ...part.input } },
    ),
  };
}
