import type { SamplingSettings } from './samplingSettings.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import { SamplingFailure } from '../errors/samplingFailure.ts';
import type { ActiveRequest } from './activeRequest.ts';
import { generate, type Generation, type GeneratedAnswer } from './request/generation.ts';
import {
  ModelError,
  type LanguageModel,
  type LanguageModels,
  type ModelRecord,
} from './request/languageModels.ts';
import { estimateRequest, tokensOf } from './request/requestTokens.ts';
import { dayTokensSentence, requestTokensSentence } from './samplingLimits.ts';
import type { SamplingRequest } from './request/samplingRequest.ts';
import type { SamplingEstimate } from './review/reviewState.ts';
import type { TokenUsage } from './tokenUsage.ts';

/** Sends requests to models within your limits on tokens, and counts what they use. */
export class ModelCalls {
  readonly #models: LanguageModels;
  readonly #settings: SamplingSettings;
  readonly #record: ModelRecord;
  readonly #usage: TokenUsage;

  constructor(models: LanguageModels, settings: SamplingSettings, record: ModelRecord, usage: TokenUsage) {
    this.#models = models;
    this.#settings = settings;
    this.#record = record;
    this.#usage = usage;
  }

  /** What a request takes, and the limit that it exceeds. @throws CancellationError when the signal aborted. */
  async estimate(
    id: ServerId,
    model: LanguageModel,
    request: SamplingRequest,
    signal: AbortSignal,
  ): Promise<SamplingEstimate> {
    const [input] = await Promise.all([
      estimateRequest(this.#models, model.id, request, signal),
      this.#usage.refresh(),
    ]);
    const { maxTokensPerDay, maxTokensPerRequest } = this.#settings;
    // A model may answer with less than the server asks for, never with more (client/sampling, `maxTokens`).
    const output = Math.min(request.maxTokens, Math.floor(maxTokensPerRequest - input));
    const tokens = input + output;
    const leftToday = Math.max(0, maxTokensPerDay - this.#usage.today(id).tokens);
    const problem =
      output < 1
        ? requestTokensSentence(input, maxTokensPerRequest)
        : tokens > leftToday
          ? dayTokensSentence(tokens, leftToday, maxTokensPerDay)
          : undefined;
    const isCapped = output < request.maxTokens;
    return {
      input,
      output: Math.max(0, output),
      leftToday,
      ...(isCapped && { isCapped }),
      ...(problem !== undefined && { problem }),
    };
  }

  /** Sends a request within its estimate, which has no problem. `isClick` when you approved exactly this request. */
  async send(
    active: ActiveRequest,
    generation: Generation,
    { input, output: limit, isCapped = false }: SamplingEstimate,
    isClick: boolean,
  ): Promise<GeneratedAnswer> {
    const { label, definition } = active.server;
    const { model } = generation;
    const request = isCapped
      ? Object.freeze({ ...generation.request, maxTokens: limit })
      : generation.request;
    let received = '';
    let output: number | undefined;
    active.entry.sent();
    this.#usage.add(definition.id, { requests: 1, tokens: input });
    try {
      const onText = (text: string): void => {
        received = text;
        generation.onText(text);
      };
      const justification = `The MCP server '${label}' asks for an answer.`;
      const answer = await generate(this.#models, { ...generation, request, onText }, justification);
      if (isClick) {
        this.#record.add(model.id);
      }
      output = await tokensOf(this.#models, model.id, textOf(answer));
      return isCapped ? Object.freeze({ ...answer, limit }) : answer;
    } catch (error) {
      if (isPermissionMissing(error)) {
        this.#record.remove(model.id);
      }
      throw error;
    } finally {
      // The provider isn't asked to count an answer that nobody waits for.
      const tokens = output ?? Math.ceil(received.length / 4);
      const { inputTokens, outputTokens, isEdited } = active.figures;
      active.figures = {
        model: model.name,
        inputTokens: inputTokens + input,
        outputTokens: outputTokens + tokens,
        isEdited,
      };
      this.#usage.add(definition.id, { requests: 0, tokens });
    }
  }
}

/** True when the extension may not use the model without another click of yours. */
export function isPermissionMissing(error: unknown): boolean {
  const cause = error instanceof SamplingFailure ? error.cause : error;
  return cause instanceof ModelError && cause.kind === 'noPermissions';
}

/** True when the model failed, and another one may not. */
export function isModelFailure(error: unknown): boolean {
  return error instanceof ModelError || (error instanceof SamplingFailure && error.kind === 'model');
}

/** Everything in an answer that counts as tokens. */
function textOf({ parts }: GeneratedAnswer): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : JSON.stringify(part))).join('');
}
