import type { RequestInFlight } from '../connection/requests/requestsInFlight.ts';
import type { MissedRequest } from './missedRequests.ts';
import type { ReviewSubject, SamplingEstimate, SamplingReview } from './samplingReview.ts';
import type { ModelAnswer } from './request/generation.ts';
import type { SamplingRequest } from './request/samplingRequest.ts';

/** What a review is about, in the state that it is in. */
export function samplingTitle(label: string, { state, draft, models }: SamplingReview): string {
  switch (state.kind) {
    case 'request':
      return `'${label}' wants to ask a language model`;
    case 'generating': {
      const model = models.find(({ id }) => id === draft.modelId)?.name ?? 'a language model';
      return `'${label}' is waiting for the answer of ${model}`;
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
    return 'By itself: it works on nothing for you at the moment.';
  }
  const [only, ...others] = requests;
  if (!only) {
    return 'While it works on a request of yours.';
  }
  if (others.length > 0) {
    const names = [...new Set(requests.map(nameOf))];
    return `While it works on one of these: ${names.join(', ')}.`;
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

/** Why an answer ends where it ends; empty for an answer that has come to its own end. */
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
      return ['It ends where a text came at which the server asked it to stop.'];
    case 'toolUse':
      return ['It asks the server to run a tool. The server does that, not this editor.'];
  }
}

export function runAgainLabel(hasAnswer: boolean): string {
  return hasAnswer ? 'Run the Tool Again With This Answer Ready' : 'Run the Tool Again and Send This';
}

/** What the acts mean in the state that a review is in. */
export function hintText(label: string, review: SamplingReview): string {
  const { state } = review;
  switch (state.kind) {
    case 'request':
      return [
        'What is sent is exactly what stands here.',
        ...(review.subject.canAllowSession
          ? [
              '"Send and Allow for This Session" sends later requests of this kind without asking you, until the window closes.',
            ]
          : []),
        `"Never for This Server" refuses this and every later request of '${label}'; you can take it back with "Review Decisions…".`,
      ].join(' ');
    case 'generating':
      return `Nothing of this reaches '${label}' before you deliver it. "Stop" keeps what is there.`;
    case 'answer':
      return `Nothing of this reaches '${label}' before you deliver it. "Regenerate" sends the same request once more.`;
    case 'ended':
      return state.canRunAgain ? runAgainHint(review, state.answer !== undefined) : '';
    case 'done':
      return '';
  }
}

/** What has just become of a review, for the panel's status; empty for nothing to say. */
export function phaseText(label: string, { state }: SamplingReview): string {
  switch (state.kind) {
    case 'request':
      return state.problem ?? '';
    case 'generating':
      return `A language model is answering '${label}'.`;
    case 'answer':
      return `The answer for '${label}' is here. Read it before you deliver it.`;
    case 'ended':
      return state.why;
    case 'done':
      return doneText(label, state.how);
  }
}

/** What the result of a tool says of a request for a model that nobody answered in time, a sentence each. */
export function missedTexts({ question, waitedMs }: MissedRequest): readonly string[] {
  const { server, review } = question;
  const { state } = review;
  const canRunAgain = state.kind === 'ended' && state.canRunAgain;
  const seconds = Math.round(waitedMs / 1_000);
  return [
    `'${server.label}' asked for a language model, and waited ${seconds} s for your answer in the review panel.`,
    canRunAgain
      ? 'Select "Review Request" above to have an answer ready, and to run the tool again.'
      : 'Select "Review Request" above to read what it asked.',
  ];
}

/** That the tool runs again, and what is ready for it. */
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
      return `Denied: '${label}' gets no answer of a language model.`;
    case 'never':
      return `Never for '${label}': it gets no answer of a language model from now on.`;
  }
}

function runAgainHint(review: SamplingReview, hasAnswer: boolean): string {
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
