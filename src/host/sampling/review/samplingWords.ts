import type { RequestInFlight } from '../../connection/requests/requestsInFlight.ts';
import type { MissedRequest } from './missedRequests.ts';
import type { ReviewSubject, SamplingEstimate, SamplingReview } from './samplingReview.ts';
import type { ModelAnswer } from '../request/generation.ts';
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

function answeredTitle(label: string, { model }: ModelAnswer): string {
  return `${model} has answered '${label}'`;
}

/** What a server was working on when it asked. */
export function whyText({ occasion, requests }: ReviewSubject): string {
  if (occasion === 'unasked') {
    return 'It is not handling a request of yours at the moment.';
  }
  const [only, ...others] = requests;
  if (!only) {
    return 'While it handles a request of yours.';
  }
  if (others.length > 0) {
    const names = [...new Set(requests.map(nameOf))];
    return `While it handles one of these: ${names.join(', ')}.`;
  }
  switch (only.method) {
    case 'tools/call':
      return `While it runs '${only.target}'.`;
    case 'resources/read':
      return `While it reads the resource '${only.target}'.`;
    case 'prompts/get':
      return `While it prepares the prompt '${only.target}'.`;
  }
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
  { stopReason, limit }: ModelAnswer,
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

export function runAgainLabel(hasAnswer: boolean): string {
  return hasAnswer ? 'Run the Tool Again With This Answer Ready' : 'Run the Tool Again and Send This';
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

/** What a tool's result says about a request for a model that you did not answer in time, a sentence each. */
export function missedTexts({ question, waitedMs }: MissedRequest): readonly string[] {
  const { server, review } = question;
  const { state } = review;
  const canRunAgain = state.kind === 'ended' && state.canRunAgain;
  const seconds = Math.round(waitedMs / 1_000);
  return [
    `'${server.label}' asked for a language model, and waited ${seconds} s for your answer in the review panel.`,
    canRunAgain
      ? 'Select "Review Request" above to prepare an answer and run the tool again.'
      : 'Select "Review Request" above to read what it asked.',
  ];
}

/** The status after "Run the Tool Again". */
export function runAgainText(review: SamplingReview): string {
  const { state } = review;
  const what = state.kind === 'ended' && state.answer ? 'The answer' : 'The request';
  return `${toolOf(review)} runs again. ${what} is ready for it, once.`;
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

/** What "Run the Tool Again" does. */
export function runAgainHint(review: SamplingReview): string {
  const { state } = review;
  const hasAnswer = state.kind === 'ended' && state.answer !== undefined;
  const used = hasAnswer ? 'This answer is used' : 'This request is sent without asking you again';
  return `The tool that runs again is ${toolOf(review)}, with the same arguments. ${used} once, if the server then asks exactly the same.`;
}

function toolOf({ subject: { requests } }: SamplingReview): string {
  const tool = requests.find(({ method }) => method === 'tools/call');
  return tool ? `'${tool.target}'` : 'the one that asked';
}

function nameOf({ method, target }: RequestInFlight): string {
  const kinds = { 'tools/call': 'tool', 'resources/read': 'resource', 'prompts/get': 'prompt' } as const;
  return `the ${kinds[method]} '${target}'`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}
