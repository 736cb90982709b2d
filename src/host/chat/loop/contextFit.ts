import type { SamplingMessage, SamplingPart } from '../../sampling/request/samplingRequest.ts';
import { tokensOfText } from '../../tools/tokenEstimate.ts';

/** Our estimate may be a third too low: that much of a model's context is used. */
const USED_SHARE = 0.75;

/** About how many tokens an image takes, whatever its size. */
const IMAGE_TOKENS = 1_600;

/** Tokens of a message beside its texts. */
const MESSAGE_TOKENS = 8;

/** Tokens of a result below which it isn't cut any further. */
const LEAST_RESULT = 200;

const LEFT_OUT =
  '[Left out, because the context of this model is too small. Call the tool again if you need the result.]';
const CUT = '\n[Cut here, because the context of this model is too small.]';

/** Messages as a model gets them, with how much is missing. */
export interface FittingMessages {
  readonly messages: readonly SamplingMessage[];
  /** How many results are left out or cut, and how many earlier requests with their answers are left out. */
  readonly results: number;
  readonly turns: number;
}

export interface ContextParts {
  /** What comes first and always stays. */
  readonly head: SamplingMessage;
  /** Earlier requests, each with its answer, oldest first. */
  readonly past: readonly (readonly SamplingMessage[])[];
  /** This request, and what has come of it. */
  readonly now: readonly SamplingMessage[];
}

/**
 * The messages, made to fit a model's context: the oldest results go first, then the oldest requests with their
 * answers, then the last results are cut. Undefined if even that isn't enough.
 *
 * @param maxTokens the context that is left for messages, in tokens; estimates are compared with three quarters of it.
 */
export function fitContext(
  { head, past, now }: ContextParts,
  maxTokens: number,
): FittingMessages | undefined {
  const limit = maxTokens * USED_SHARE;
  const turns = [...past, now].map((turn) => [...turn]);
  const last = now.at(-1);
  let tokens =
    tokensOfMessage(head) + turns.flat().reduce((sum, message) => sum + tokensOfMessage(message), 0);
  let results = 0;
  const shrink = (turn: SamplingMessage[], part: SamplingPart, limitOfPart?: number): void => {
    const at = turn.findIndex(({ content }) => content.includes(part));
    const message = turn[at];
    const smaller = part.kind === 'toolResult' ? smallerResult(part, limitOfPart) : part;
    const saved = tokensOfPart(part) - tokensOfPart(smaller);
    if (message && saved > 0) {
      turn[at] = { ...message, content: message.content.map((one) => (one === part ? smaller : one)) };
      tokens -= saved;
      results += 1;
    }
  };
  for (const turn of turns) {
    for (const part of turn.filter((message) => message !== last).flatMap(resultsOf)) {
      if (tokens > limit) {
        shrink(turn, part);
      }
    }
  }
  let dropped = 0;
  while (tokens > limit && turns.length > 1) {
    const oldest = turns.shift() ?? [];
    tokens -= oldest.reduce((sum, message) => sum + tokensOfMessage(message), 0);
    dropped += 1;
  }
  const current = turns.at(-1) ?? [];
  const latest = last ? resultsOf(last) : [];
  const over = tokens - limit;
  if (over > 0 && latest.length > 0) {
    const all = latest.reduce((sum, part) => sum + tokensOfPart(part), 0);
    const each = Math.max(LEAST_RESULT, Math.floor((all - over) / latest.length));
    latest.filter((part) => tokensOfPart(part) > each).forEach((part) => shrink(current, part, each));
  }
  return tokens > limit ? undefined : { messages: [head, ...turns.flat()], results, turns: dropped };
}

function resultsOf({ content }: SamplingMessage): readonly SamplingPart[] {
  return content.filter(({ kind }) => kind === 'toolResult');
}

/** The result without its content, or the beginning of its texts in about that many tokens. */
function smallerResult(part: SamplingPart & { readonly kind: 'toolResult' }, maxTokens = 0): SamplingPart {
  const whole = part.content.map((one) => (one.kind === 'text' ? one.text : '')).join('\n');
  const room = maxTokens - tokensOfText(CUT) - MESSAGE_TOKENS;
  let end = Math.min(whole.length, Math.max(0, room) * 4);
  while (end > 0 && tokensOfText(whole.slice(0, end)) > room) {
    end = Math.floor(end / 2);
  }
  const text = end === 0 ? LEFT_OUT : `${whole.slice(0, end)}${CUT}`;
  return { ...part, content: [{ kind: 'text', text }] };
}

function tokensOfMessage({ content }: SamplingMessage): number {
  return MESSAGE_TOKENS + content.reduce((sum, part) => sum + tokensOfPart(part), 0);
}

function tokensOfPart(part: SamplingPart): number {
  switch (part.kind) {
    case 'text':
      return tokensOfText(part.text);
    case 'image':
      return IMAGE_TOKENS;
    case 'toolUse':
      return MESSAGE_TOKENS + tokensOfText(part.name) + tokensOfText(JSON.stringify(part.input));
    case 'toolResult':
      return part.content.reduce((sum, one) => sum + tokensOfPart(one), MESSAGE_TOKENS);
  }
}
