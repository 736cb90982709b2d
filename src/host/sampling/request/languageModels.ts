import type { Event } from '../../../base/event.ts';
import type { SamplingMessage, SamplingText, SamplingTool, SamplingToolUse } from './samplingRequest.ts';

/** A language model of the editor. */
export interface LanguageModel {
  readonly id: string;
  /** What the editor calls it before the person. */
  readonly name: string;
  readonly vendor: string;
  readonly family: string;
  readonly version: string;
  readonly maxInputTokens: number;
}

/** A part of what a model says. */
export type ModelPart = SamplingText | SamplingToolUse;

/** What a model gets, exactly as it was approved. */
export interface ModelRequest {
  readonly messages: readonly SamplingMessage[];
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly maxTokens: number;
  readonly tools: readonly SamplingTool[];
  readonly toolMode: 'auto' | 'required';
  /** For the editor's own question about the use of its models. */
  readonly justification: string;
}

/** The editor's language models. */
export interface LanguageModels {
  /** False in an editor that knows nothing of models. */
  readonly isSupported: boolean;
  /** Models have come or gone. */
  readonly onDidChange: Event<void>;
  /** Those that are there now, in the editor's order; empty for none. */
  available(): Promise<readonly LanguageModel[]>;
  /** About how many tokens a text is for a model. @throws ModelError */
  countTokens(modelId: string, text: string, signal?: AbortSignal): Promise<number>;
  /**
   * Sends a request; the editor may ask the person for its own consent to the model first.
   *
   * @throws ModelError in the provider's words; CancellationError when the signal aborted.
   */
  send(modelId: string, request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** Why a model did not answer: the person has not given it to this extension, it refused, it is gone, or it failed. */
export type ModelErrorKind = 'noPermissions' | 'blocked' | 'notFound' | 'failed';

export class ModelError extends Error {
  readonly kind: ModelErrorKind;

  constructor(kind: ModelErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ModelError';
    this.kind = kind;
  }
}

/** Models that have answered after a click of the person's: only they are used without one. */
export interface ModelRecord {
  has(modelId: string): boolean;
  add(modelId: string): void;
  remove(modelId: string): void;
}
