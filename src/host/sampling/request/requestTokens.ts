import { CancellationError } from '../../../base/lifetime/cancellation.ts';
import { tokensOfText } from '../../tools/tokenEstimate.ts';
import type { LanguageModels } from './languageModels.ts';
import type { SamplingPart, SamplingRequest } from './samplingRequest.ts';

/**
 * Tokens of an image, whatever its size: providers scale large images down to about 1,500 pieces of 28 × 28, or to
 * 1,100 to 1,500 tokens of tiles, and the editor doesn't count images.
 */
const IMAGE_TOKENS = 1_600;

/** Texts that a provider counts at the same time. */
const AT_A_TIME = 4;

/**
 * About how many tokens a request has for a model: its texts, its tools and their results as JSON, and its images at a
 * flat rate.
 *
 * @throws CancellationError when the signal aborted.
 */
export async function estimateRequest(
  models: LanguageModels,
  modelId: string,
  request: SamplingRequest,
  signal?: AbortSignal,
): Promise<number> {
  const { systemPrompt, messages, tools, toolChoice } = request;
  const parts = messages.flatMap(({ content }) => content.flatMap(flat));
  const texts = [
    ...(systemPrompt === undefined ? [] : [systemPrompt]),
    ...parts.flatMap((part) => (part.kind === 'image' ? [] : [writtenOut(part)])),
    ...(tools.length === 0 || toolChoice === 'none' ? [] : [JSON.stringify(tools)]),
  ];
  const images = parts.filter(({ kind }) => kind === 'image').length;
  let tokens = images * IMAGE_TOKENS;
  const left = texts.values();
  const count = async (): Promise<void> => {
    for (const text of left) {
      const counted = await tokensOf(models, modelId, text, signal);
      tokens += counted;
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, count));
  return tokens;
}

/**
 * About how many tokens a text has for a model, by our own estimate if its provider can't count.
 *
 * @throws CancellationError when the signal aborted.
 */
export async function tokensOf(
  models: LanguageModels,
  modelId: string,
  text: string,
  signal?: AbortSignal,
): Promise<number> {
  if (text === '') {
    return 0;
  }
  let tokens: number | undefined;
  try {
    tokens = await models.countTokens(modelId, text, signal);
  } catch {
    // Many providers can't count; the request doesn't fail because of that.
  }
  if (signal?.aborted === true) {
    throw new CancellationError();
  }
  return tokens !== undefined && Number.isFinite(tokens) && tokens >= 0 ? tokens : tokensOfText(text);
}

/** A tool's result as a part without content, then its content. */
function flat(part: SamplingPart): readonly SamplingPart[] {
  return part.kind === 'toolResult' ? [{ ...part, content: [] }, ...part.content] : [part];
}

function writtenOut(part: Exclude<SamplingPart, { readonly kind: 'image' }>): string {
  return part.kind === 'text' ? part.text : JSON.stringify(part);
}
