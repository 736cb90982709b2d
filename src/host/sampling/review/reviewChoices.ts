import type { SamplingState } from './reviewState.ts';
import type { SamplingEdits } from './samplingProtocol.ts';
import type { SamplingReview } from './samplingReview.ts';

/** Something that you can choose in a review: a button of its card, and perhaps of its dialog. */
export interface ReviewChoice {
  /** Identifies the choice in the panel's messages. */
  readonly id: string;
  /** The button's label in a state of the review; undefined where the choice isn't offered. */
  label(review: SamplingReview): string | undefined;
  readonly isPrimary?: boolean;
  /** Sends the request: disabled while something prevents that. */
  readonly isSend?: boolean;
  /** The panel takes one click until the card changes. */
  readonly isOnce?: boolean;
  /** A rarer one: the panel has it behind the button of the choice before it. */
  readonly isBehind?: boolean;
  /** Whether a dialog offers it, and whether Enter chooses it there: a dialog may appear while you type. */
  readonly inDialog?: 'first' | 'next';
  /** Explains the choice below the buttons. */
  hint?(server: string, review: SamplingReview): string;
  choose?(review: SamplingReview, entered: SamplingEdits): void;
  /** Copies what the card shows. */
  readonly isCopy?: boolean;
  /** Closes a card whose request has ended; gives what the status says then. Undefined if it stays. */
  close?(review: SamplingReview): string | undefined;
}

/** All choices, in the order of the buttons. */
const reviewChoices: readonly ReviewChoice[] = [
  {
    id: 'send',
    label: inStates('Send', 'request'),
    isPrimary: true,
    isSend: true,
    isOnce: true,
    inDialog: 'next',
    hint: () => 'The model gets exactly what is shown here.',
    choose: (review, { draft }) => review.send(draft, 'once'),
  },
  {
    id: 'sendForSession',
    label: (review) =>
      review.state.kind === 'request' && review.subject.canAllowSession
        ? 'Send and Allow for This Session'
        : undefined,
    isSend: true,
    isOnce: true,
    isBehind: true,
    hint: () =>
      '"Send and Allow for This Session" sends later requests of this kind without asking you, until the window closes.',
    choose: (review, { draft }) => review.send(draft, 'session'),
  },
  {
    id: 'stop',
    label: inStates('Stop', 'generating'),
    hint: () => '"Stop" keeps what is there.',
    choose: (review) => review.stop(),
  },
  {
    id: 'deliver',
    label: inStates('Deliver', 'answer'),
    isPrimary: true,
    isOnce: true,
    inDialog: 'next',
    choose: (review, { edits }) => review.deliver(edits),
  },
  {
    id: 'regenerate',
    label: inStates('Regenerate', 'answer'),
    isSend: true,
    isOnce: true,
    hint: () => '"Regenerate" sends the same request again.',
    choose: (review) => review.regenerate(),
  },
  {
    id: 'deny',
    label: inStates('Deny', 'request', 'generating', 'answer'),
    inDialog: 'first',
    choose: (review) => review.deny(),
  },
  {
    id: 'never',
    label: inStates('Never for This Server', 'request'),
    isBehind: true,
    inDialog: 'next',
    hint: (server) =>
      `"Never for This Server" refuses this and every later request of '${server}'; you can take it back with "Review Decisions…".`,
    choose: (review) => review.never(),
  },
  {
    id: 'runAgain',
    label: ({ state }) =>
      state.kind !== 'ended' || !state.canRunAgain
        ? undefined
        : state.answer
          ? 'Retry with This Answer'
          : 'Run the Tool Again and Send This',
    isOnce: true,
    hint: (_server, review) => {
      const used = hasAnswer(review)
        ? 'This answer is used'
        : 'This request is sent without asking you again';
      return `The tool that runs again is ${toolOf(review)}, with the same arguments. ${used} once, if the server then asks exactly the same.`;
    },
    choose: (review, { draft, edits }) => review.runAgain(edits, draft),
    close: (review) =>
      review.state.kind === 'ended' && review.state.canRunAgain
        ? undefined
        : `${toolOf(review)} runs again. ${hasAnswer(review) ? 'The answer' : 'The request'} is ready for it, once.`,
  },
  { id: 'copy', label: inStates('Copy', 'ended'), isCopy: true },
  { id: 'close', label: inStates('Close', 'ended'), close: () => '' },
];

/** The choices that are offered now, each with its label. */
export function choicesOf(review: SamplingReview): readonly (readonly [ReviewChoice, label: string])[] {
  return reviewChoices.flatMap((choice) => {
    const label = choice.label(review);
    return label === undefined ? [] : [[choice, label] as const];
  });
}

/** What the choices mean that are offered now. */
export function hintText(server: string, review: SamplingReview): string {
  const { kind } = review.state;
  const isAnswering = kind === 'generating' || kind === 'answer';
  return [
    ...(isAnswering ? [`'${server}' gets none of this until you deliver it.`] : []),
    ...choicesOf(review).flatMap(([choice]) => choice.hint?.(server, review) ?? []),
  ].join(' ');
}

function inStates(label: string, ...kinds: readonly SamplingState['kind'][]): ReviewChoice['label'] {
  return ({ state }) => (kinds.includes(state.kind) ? label : undefined);
}

function hasAnswer({ state }: SamplingReview): boolean {
  return state.kind === 'ended' && state.answer !== undefined;
}

function toolOf({ subject: { requests } }: SamplingReview): string {
  const tool = requests.find(({ method }) => method === 'tools/call');
  return tool ? `'${tool.target}'` : 'the one that asked';
}
