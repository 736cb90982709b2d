import { visibleParts, visibleText } from '../../base/text/visibleText.ts';
import type { RequestInFlight } from '../connection/requests/requestsInFlight.ts';
import { plain, proseText, type LongText, type PanelText } from '../questions/panelText.ts';
import type { AskingServer, Question, QuestionKind, QuestionView } from '../questions/question.ts';
import { askedWhile, refuseInDialogs } from './askedWords.ts';
import type { AddressAnswer, AddressState, OpenAddresses } from './openAddresses.ts';
import type { AddressRequest } from './readAddress.ts';

/** Addresses that a server asks you to open. The card takes acts; the question is withdrawn when it has its answer. */
export interface AddressQuestion extends Question<never> {
  readonly server: AskingServer;
  /** What the server was working on when it asked. */
  readonly requests: readonly RequestInFlight[];
  readonly open: OpenAddresses;
}

/** One address as the card shows it: the whole of it, in three parts. */
export interface AddressView {
  readonly message: LongText;
  readonly before: PanelText;
  /** As the network has it (punycode), with its port. */
  readonly host: PanelText;
  readonly after: PanelText;
  readonly warnings: readonly PanelText[];
}

export interface AddressQuestionView extends QuestionView {
  readonly kind: 'address';
  /** Where the server is defined. */
  readonly place: PanelText;
  /** What it does for you while it asks. */
  readonly why: PanelText;
  readonly addresses: readonly AddressView[];
  readonly states: readonly AddressState[];
  /** See `OpenAddresses`. */
  readonly areRequired: boolean;
  readonly wasOpened: boolean;
  /** Declining is what the card proposes. */
  readonly isFlagged: boolean;
}

/** Where you are with each address. */
export interface AddressUpdate {
  readonly states: readonly AddressState[];
}

/** Addresses of a server (client/elicitation, URL mode). */
export const addressQuestions = {
  name: 'address',
  serversOf: ({ server }) => [server],

  view({ server, requests, open }, { id, placeOf, isRenewed }): AddressQuestionView {
    return {
      kind: 'address',
      id,
      title: visibleParts(titleOf(server, open)),
      isRenewed,
      place: visibleParts(placeOf(server.definition)),
      why: visibleParts(open.occasion.areRequired ? requiredText(requests, open) : askedWhile(requests)),
      addresses: open.asked.map(viewOf),
      states: open.states,
      ...open.occasion,
      isFlagged: open.asked.some(({ isFlagged }) => isFlagged),
    };
  },

  text({ place, why, addresses }: AddressQuestionView): string {
    return [
      `The server is defined in: ${plain(place)}`,
      plain(why),
      ...addresses.flatMap(({ message, before, host, after, warnings }) => [
        `The server says: ${plain(message.text)}`,
        `It asks you to open: ${plain(before)}${plain(host)}${plain(after)}`,
        `The host of this address: ${plain(host)}`,
        ...warnings.map((warning) => `Warning: ${plain(warning)}`),
      ]),
    ].join('\n\n');
  },

  readAnswer: () => undefined, // its card takes acts

  /** Nothing is opened from there. */
  askInDialogs: ({ open }, dialogs) => refuseInDialogs(dialogs, 'address', (answer) => open.end(answer)),

  announcement: ([first, ...others]) =>
    first && others.length === 0 ? `${titleOf(first.server, first.open)}.` : undefined,
  isCountedAlone: true,

  answered: () => '',

  withdrawn({ server, open }) {
    const { answer } = open;
    return answer && { words: answeredText(visibleText(server.label), open, answer), isAnswered: true };
  },
} as const satisfies QuestionKind<AddressQuestion, never>;

export function isAddressQuestion(question: Question): question is AddressQuestion {
  return question.kind === addressQuestions;
}

function titleOf({ label }: AskingServer, { asked }: OpenAddresses): string {
  return `'${label}' asks you to open ${wordsFor(asked)}`;
}

function wordsFor(requests: readonly AddressRequest[]): string {
  return requests.length === 1 ? 'an address' : `${requests.length} addresses`;
}

function requiredText([request]: readonly RequestInFlight[], { asked }: OpenAddresses): string {
  const what = asked.length === 1 ? 'this address is' : 'these addresses are';
  return `It can't handle '${request?.target ?? ''}' until ${what} opened and done.`;
}

function viewOf({ message, address, warnings }: AddressRequest): AddressView {
  const { url, host } = address;
  const start = url.indexOf('//') + 2;
  return {
    message: proseText(message),
    before: visibleParts(url.slice(0, start)),
    host: visibleParts(host),
    after: visibleParts(url.slice(start + host.length)),
    warnings: warnings.map((warning) => visibleParts(warning)),
  };
}

function answeredText(label: string, { occasion }: OpenAddresses, { action }: AddressAnswer): string {
  switch (action) {
    case 'accept':
      return occasion.areRequired
        ? `Done: the request to '${label}' is sent again.`
        : `Agreed: '${label}' goes on.`;
    case 'decline':
      return `Declined: the address of '${label}'.`;
    case 'cancel':
      return `Cancelled: the address of '${label}'.`;
    case 'never':
      return `Declined: '${label}' can't ask you again.`;
  }
}
