// The review panel's page: it shows what the extension sends, and sends back what the person answers.
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import type { FromPanel, ToPanel } from '../host/approval/reviewProtocol.ts';
import { QuestionList } from './questionList.ts';

/** What the editor keeps for this panel while it is out of sight. */
interface Kept {
  /** By the question's id: the folders, or how long and for what. */
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
  answer: (message, { detail }) => {
    const isByPointer = detail > 0;
    if (!(isByPointer && performance.now() < quietUntil) && !answered.has(message.id)) {
      answered.add(message.id);
      editor.postMessage(message);
    }
  },
  chosen: (id) => editor.getState()?.choices[id],
  keep: (id, chosen) => editor.setState({ choices: { ...editor.getState()?.choices, [id]: chosen } }),
});

window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (event.origin === window.origin && isToPanel(event.data) && list.show(event.data)) {
    quietUntil = performance.now() + QUIET_MS;
  }
});
editor.postMessage({ type: 'ready' });

/** What the extension sends is of the same build as this page; anything else is not for it. */
function isToPanel(message: unknown): message is ToPanel {
  return (
    typeof message === 'object' &&
    message !== null &&
    'type' in message &&
    message.type === 'show' &&
    'questions' in message &&
    Array.isArray(message.questions) &&
    'status' in message &&
    typeof message.status === 'string'
  );
}
