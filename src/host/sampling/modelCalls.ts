import type { SamplingSettings } from './samplingSettings.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import { SamplingFailure } from '../errors/samplingFailure.ts';
import type { ActiveRequest } from './activeRequest.ts';
import { generate, type Generation, type ModelAnswer } from './request/generation.ts';
import {
  ModelError,
  type LanguageModel,
  type LanguageModels,
  type ModelRecord,
} from './request/languageModels.ts';
import { estimateRequest, tokensOf } from './request/requestTokens.ts';
import { dayTokensSentence, requestTokensSentence } from './requestLimits.ts';
import type { SamplingRequest } from './request/samplingRequest.ts';
import type { SamplingEstimate } from './review/samplingReview.ts';
import type { TokenUsage } from './tokenUsage.ts';

export interface CallParts {
  readonly models: LanguageModels;
  readonly settings: SamplingSettings;
  readonly record: ModelRecord;
  readonly usage: TokenUsage;
}

/** Sends requests to models within your limits on tokens, and counts what they use. */
export class ModelCalls {
  readonly #parts: CallParts;

  constructor(parts: CallParts) {
    this.#parts = parts;
  }

  /** What a request takes, and the limit that it exceeds. @throws CancellationError when the signal aborted. */
  async estimate(
    id: ServerId,
    model: LanguageModel,
    request: SamplingRequest,
    signal: AbortSignal,
  ): Promise<SamplingEstimate> {
    const { models, settings, usage } = this.#parts;
    const [input] = await Promise.all([estimateRequest(models, model.id, request, signal), usage.refresh()]);
    const { maxTokensPerDay, maxTokensPerRequest } = settings;
    // A model may answer with less than the server asks for, never with more (client/sampling, `maxTokens`).
    const output = Math.min(request.maxTokens, Math.floor(maxTokensPerRequest - input));
    const tokens = input + output;
    const leftToday = Math.max(0, maxTokensPerDay - usage.today(id).tokens);
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

  /** Sends a request, which takes about `input` tokens. `isClick` when you approved exactly this request. */
  async send(
    { server, entry }: ActiveRequest,
    generation: Generation,
    input: number,
    isClick: boolean,
  ): Promise<ModelAnswer> {
    const { models, record, usage } = this.#parts;
    const { id } = server.definition;
    const { model } = generation;
    const request = this.#capped(generation.request, input);
    let received = '';
    let output: number | undefined;
    entry.sent();
    usage.add(id, { requests: 1, tokens: input });
    try {
      const onText = (text: string): void => {
        received = text;
        generation.onText(text);
      };
      const justification = `The MCP server '${server.label}' asks for an answer.`;
      const answer = await generate(models, { ...generation, request, onText }, justification);
      if (isClick) {
        record.add(model.id);
      }
      output = await tokensOf(models, model.id, textOf(answer));
      return request === generation.request ? answer : Object.freeze({ ...answer, limit: request.maxTokens });
    } catch (error) {
      if (isPermissionMissing(error)) {
        record.remove(model.id);
      }
      throw error;
    } finally {
      // The provider isn't asked to count an answer that nobody waits for.
      const tokens = output ?? Math.ceil(received.length / 4);
      const { inputTokens, outputTokens, isEdited } = entry.figures;
      entry.figures = {
        model: model.name,
        inputTokens: inputTokens + input,
        outputTokens: outputTokens + tokens,
        isEdited,
      };
      usage.add(id, { requests: 0, tokens });
    }
  }

  /** The request with no more tokens for its answer than the limit for a request leaves. */
  #capped(request: SamplingRequest, input: number): SamplingRequest {
    const left = Math.max(1, Math.floor(this.#parts.settings.maxTokensPerRequest - input));
    return request.maxTokens <= left ? request : Object.freeze({ ...request, maxTokens: left });
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
function textOf({ parts }: ModelAnswer): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : JSON.stringify(part))).join('');
}
