// The review panel's page: it shows what the extension sends, and sends back your answers.
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import type { AddressQuestionView } from '../host/elicitation/addressQuestion.ts';
import type { ElicitationView } from '../host/elicitation/elicitationQuestion.ts';
import type { SamplingView } from '../host/sampling/review/samplingProtocol.ts';
import { AddressCard } from './addressCard.ts';
import { callCard } from './callCard.ts';
import type { CardContent, CardPort } from './card.ts';
import type { Content } from './elements.ts';
import { ElicitationCard } from './elicitationCard.ts';
import { launchCard } from './launchCard.ts';
import { QuestionList } from './questionList.ts';
import { beQuiet, isMeant } from './quiet.ts';
import { rootsCard } from './rootsCard.ts';
import { SamplingCard } from './sampling/samplingCard.ts';
import { signInCard } from './signInCard.ts';
import type { FromPanel, ToPanel } from '../host/questions/reviewProtocol.ts';

/** What the editor keeps for this panel while it is out of sight. */
interface Kept {
  /** By the question's id: the folders, or how long and for what; `selected` and `open` name questions. */
  readonly choices: Readonly<Record<string, readonly string[]>>;
}

declare function acquireVsCodeApi(): {
  postMessage(message: FromPanel): void;
  getState(): Kept | undefined;
  setState(state: Kept): void;
};

const editor = acquireVsCodeApi();
const answered = new Set<string>();

const port: Omit<CardPort, 'refresh' | 'isSharingKnown'> = {
  send: (message) => editor.postMessage(message),
  answer: (message, click) => {
    if (isMeant(click) && !answered.has(message.id)) {
      answered.add(message.id);
      editor.postMessage(message);
    }
  },
  allowSelected: (message, click) => {
    const questions = message.questions.filter(({ id }) => !answered.has(id));
    if (isMeant(click) && questions.length > 0) {
      questions.forEach(({ id }) => answered.add(id));
      editor.postMessage({ ...message, questions });
    }
  },
  moved: beQuiet,
  act: (message, click) => {
    const isSent = isMeant(click);
    if (isSent) {
      editor.postMessage(message);
    }
    return isSent;
  },
  chosen: (id) => editor.getState()?.choices[id],
  keep: (id, chosen) => editor.setState({ choices: { ...editor.getState()?.choices, [id]: chosen } }),
};

/** A card that is the same as long as it is there, except for what is chosen in it. */
const still =
  <View>(card: (view: View, port: CardPort) => Content) =>
  (view: View, port: CardPort): CardContent => ({ view: () => card(view, port) });

/** The card of each kind of question, by the name of the kind. */
const cards: Readonly<Record<string, (view: never, port: CardPort) => CardContent>> = {
  launch: launchCard,
  roots: still(rootsCard),
  call: still(callCard),
  signIn: still(signInCard),
  sampling: (view: SamplingView, cardPort) => new SamplingCard(view, cardPort),
  address: (view: AddressQuestionView, cardPort) => new AddressCard(view, cardPort),
  elicitation: (view: ElicitationView, cardPort) => new ElicitationCard(view, cardPort),
};

const list = new QuestionList(
  document.body,
  port,
  // A card gets the view of its own kind.
  (question, cardPort) => cards[question.kind]?.(question as never, cardPort) ?? { view: () => undefined },
);

window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (event.origin === window.origin && isToPanel(event.data) && list.take(event.data)) {
    beQuiet();
  }
});
editor.postMessage({ type: 'ready' });

/** What the extension sends is of the same build as this page; anything else is not for it. */
function isToPanel(message: unknown): message is ToPanel {
  if (typeof message !== 'object' || message === null || !('type' in message)) {
    return false;
  }
  switch (message.type) {
    case 'show':
      return (
        'questions' in message &&
        Array.isArray(message.questions) &&
        'isSharingKnown' in message &&
        typeof message.isSharingKnown === 'boolean' &&
        hasStatus(message)
      );
    case 'update':
      return 'id' in message && typeof message.id === 'string' && 'update' in message && hasStatus(message);
    default:
      return false;
  }
}

function hasStatus(message: object): boolean {
  return 'status' in message && typeof message.status === 'string';
}
