import type { Event } from '../../../base/lifetime/event.ts';
import type {
  SamplingMessage,
  SamplingRequest,
  SamplingText,
  SamplingTool,
  SamplingToolUse,
} from './samplingRequest.ts';

/** A language model of the editor. */
export interface LanguageModel {
  readonly id: string;
  /** Its name in the editor. */
  readonly name: string;
  readonly vendor: string;
  readonly family: string;
  readonly version: string;
  readonly maxInputTokens: number;
}

/** A part of a model's answer. */
export type ModelPart = SamplingText | SamplingToolUse;

/** What a model gets, exactly as you approved it. */
export interface ModelRequest {
  readonly messages: readonly SamplingMessage[];
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly maxTokens: number;
  readonly tools: readonly SamplingTool[];
  readonly toolMode: 'auto' | 'required';
  /** The editor shows it when it asks for its own consent. */
  readonly justification: string;
}

/** The editor's language models. */
export interface LanguageModels {
  /** False in an editor without an API for models. */
  readonly isSupported: boolean;
  /** The available models have changed. */
  readonly onDidChange: Event<void>;
  /** The models that are available now, in the editor's order. */
  available(): Promise<readonly LanguageModel[]>;
  /** About how many tokens a text is for a model. @throws ModelError */
  countTokens(modelId: string, text: string, signal?: AbortSignal): Promise<number>;
  /**
   * Sends a request; the editor may ask for its own consent to the model first.
   *
   * @throws ModelError in the provider's words; CancellationError when the signal aborted.
   */
  send(modelId: string, request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

/** Why a model did not answer: this extension lacks your consent, the model refused, is gone, or failed. */
export type ModelErrorKind = 'noPermissions' | 'blocked' | 'notFound' | 'failed';

export class ModelError extends Error {
  readonly kind: ModelErrorKind;

  constructor(kind: ModelErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ModelError';
    this.kind = kind;
  }
}

/** Models that have answered after a click of yours: only these are used without one. */
export interface ModelRecord {
  has(modelId: string): boolean;
  add(modelId: string): void;
  remove(modelId: string): void;
}

/**
 * What the editor's models get of a request (2025-11-25 client/sampling, tool choice modes). The editor can require
 * a tool only if there is exactly one: with several, the answer is checked afterwards.
 */
export function modelRequestOf(request: SamplingRequest, justification: string): ModelRequest {
  const { messages, systemPrompt, temperature, maxTokens, toolChoice } = request;
  const tools = toolChoice === 'none' ? [] : request.tools;
  return {
    messages,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(temperature === undefined ? {} : { temperature }),
    maxTokens,
    tools,
    toolMode: toolChoice === 'required' && tools.length === 1 ? 'required' : 'auto',
    justification,
  };
}
