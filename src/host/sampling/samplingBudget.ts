import type { ServerId } from '../config/serverDefinition.ts';
import type { LanguageModel, LanguageModels } from './languageModels.ts';
import { estimateRequest } from './requestTokens.ts';
import { dayTokensSentence, requestTokensSentence } from './samplingLimits.ts';
import type { SamplingRequest } from './samplingRequest.ts';
import type { SamplingEstimate } from './samplingReview.ts';
import type { SamplingSettings } from '../config/samplingSettings.ts';
import type { TokenUsage } from './tokenUsage.ts';

/** What a request may take, by the person's limits on tokens. */
export class SamplingBudget {
  readonly #models: LanguageModels;
  readonly #settings: SamplingSettings;
  readonly #usage: TokenUsage;
  readonly #inputs = new WeakMap<
    SamplingRequest,
    { readonly model: LanguageModel; readonly input: number }
  >();

  constructor(models: LanguageModels, settings: SamplingSettings, usage: TokenUsage) {
    this.#models = models;
    this.#settings = settings;
    this.#usage = usage;
  }

  /** What a request takes, and the limit that it is over. @throws CancellationError when the signal aborted. */
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
    this.#inputs.set(request, { model, input });
    const { maxTokensPerDay, maxTokensPerRequest } = this.#settings;
    // A model may say less than a server asks for, never more (client/sampling, `maxTokens`).
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

  /** The request with what the limit for one leaves to its answer, as it was estimated for this model. */
  held(model: LanguageModel, request: SamplingRequest): SamplingRequest {
    const left = Math.max(1, Math.floor(this.#settings.maxTokensPerRequest - this.inputOf(model, request)));
    return request.maxTokens <= left ? request : Object.freeze({ ...request, maxTokens: left });
  }

  /** What a request that was estimated last for this model takes without its answer. */
  inputOf(model: LanguageModel, request: SamplingRequest): number {
    const known = this.#inputs.get(request);
    return known?.model.id === model.id ? known.input : 0;
  }
}
