import type { RequestInFlight } from '../../connection/requests/requestsInFlight.ts';
import { NO_REQUEST, workText } from '../../connection/requests/workText.ts';
import type { ReviewSubject, SamplingEstimate } from './reviewState.ts';
import type { SamplingReview } from './samplingReview.ts';
import type { GeneratedAnswer } from '../request/generation.ts';
import type { SamplingRequest } from '../request/samplingRequest.ts';

/** The title of a review in its state. */
export function samplingTitle(label: string, { state, draft, models }: SamplingReview): string {
  switch (state.kind) {
    case 'request':
      return `'${label}' wants to ask a language model`;
    case 'generating': {
      const model = models.find(({ id }) => id === draft.modelId)?.name ?? 'a language model';
      return `'${label}' is waiting for an answer from ${model}`;
    }
    case 'answer':
      return answeredTitle(label, state.answer);
    case 'ended':
      return state.answer ? answeredTitle(label, state.answer) : `'${label}' wanted to ask a language model`;
    case 'done':
      return `'${label}' asked a language model`;
  }
}

function answeredTitle(label: string, { model }: GeneratedAnswer): string {
  return `${model} has answered '${label}'`;
}

/** What a server was working on when it asked. */
export function whyText({ occasion, requests }: ReviewSubject): string {
  return occasion === 'unasked'
    ? NO_REQUEST
    : `While it ${workText(requests, nameOf) ?? 'handles a request of yours'}.`;
}

/** About how many tokens a request takes, and what is left. */
export function estimateText(estimate: SamplingEstimate | undefined): string {
  if (!estimate) {
    return 'Counting the tokens…';
  }
  const { input, output, isCapped = false, leftToday } = estimate;
  const limit = isCapped ? ', by your limit for a request' : '';
  return `≈ ${number(input)} tokens in, up to ${number(output)} out${limit}; ${number(leftToday)} are left for today`;
}

/** Why an answer ends where it ends; empty for a complete answer. */
export function stopTexts(
  { stopReason, limit }: GeneratedAnswer,
  { maxTokens }: SamplingRequest,
  isStopped: boolean,
): readonly string[] {
  if (isStopped) {
    return ['You stopped it.'];
  }
  switch (stopReason) {
    case 'endTurn':
      return [];
    case 'maxTokens':
      return [
        limit === undefined
          ? `It was cut at ${number(maxTokens)} tokens, as the server asked.`
          : `It was cut at ${number(limit)} tokens, by your limit for a request.`,
      ];
    case 'stopSequence':
      return ['It ends before a text at which the server asked to stop.'];
    case 'toolUse':
      return ['It asks the server to run a tool. The server does that, not this editor.'];
  }
}

/** What has just happened to a review, for the panel's status; empty if that needs no words. */
export function phaseText(label: string, { state }: SamplingReview): string {
  switch (state.kind) {
    case 'request':
      return state.problem ?? '';
    case 'generating':
      return `A language model is answering '${label}'.`;
    case 'answer':
      return `The answer for '${label}' is ready. Review it before you deliver it.`;
    case 'ended':
      return state.why;
    case 'done':
      return doneText(label, state.how);
  }
}

function doneText(label: string, how: 'delivered' | 'denied' | 'never'): string {
  switch (how) {
    case 'delivered':
      return `Delivered to '${label}'.`;
    case 'denied':
      return `Denied: '${label}' gets no answer from a language model.`;
    case 'never':
      return `Never for '${label}': it gets no answer from a language model from now on.`;
  }
}

function nameOf({ method, target }: RequestInFlight): string {
  const kinds = { 'tools/call': 'tool', 'resources/read': 'resource', 'prompts/get': 'prompt' } as const;
  return `the ${kinds[method]} '${target}'`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}
