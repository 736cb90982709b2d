// The review panel's page: it shows what the extension sends, and sends back what the person answers.
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import type { FromPanel, ToPanel } from '../host/questions/reviewProtocol.ts';
import { QuestionList } from './questionList.ts';

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

/**
 * Milliseconds after the panel has moved in which no click of the pointer counts: the second one of two, for
 * example, would hit another question. The keyboard is safe, because the focus moves to headings only.
 */
const QUIET_MS = 500;

const editor = acquireVsCodeApi();
const answered = new Set<string>();
let quietUntil = 0;

const list = new QuestionList(document.body, {
  send: (message) => editor.postMessage(message),
  answer: (message, click) => {
    if (isMeant(click) && !answered.has(message.id)) {
      answered.add(message.id);
      editor.postMessage(message);
    }
  },
  allowSelected: (message, click) => {
    const launches = message.launches.filter(({ id }) => !answered.has(id));
    if (isMeant(click) && launches.length > 0) {
      launches.forEach(({ id }) => answered.add(id));
      editor.postMessage({ ...message, launches });
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
});

window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (event.origin === window.origin && isToPanel(event.data) && list.take(event.data)) {
    beQuiet();
  }
});
editor.postMessage({ type: 'ready' });

function beQuiet(): void {
  quietUntil = performance.now() + QUIET_MS;
}

/** False for a click of the pointer just after something has moved. */
function isMeant({ detail }: MouseEvent): boolean {
  const isByPointer = detail > 0;
  return !isByPointer || performance.now() >= quietUntil;
}

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
        (!('meaning' in message) || typeof message.meaning === 'string') &&
        hasStatus(message)
      );
    case 'now':
      return hasId(message) && 'now' in message && typeof message.now === 'object' && hasStatus(message);
    case 'progress':
      return hasId(message) && 'phase' in message && 'text' in message && Array.isArray(message.text);
    default:
      return false;
  }
}

function hasStatus(message: object): boolean {
  return 'status' in message && typeof message.status === 'string';
}

function hasId(message: object): boolean {
  return 'id' in message && typeof message.id === 'string';
}
