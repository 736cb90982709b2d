// The page with the form of a tool, a prompt or a template: it shows what the extension sends, and sends back what you
// enter.
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import { html, render } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { PanelText } from '../host/questions/panelText.ts';
import type {
  EditView,
  FromRequestForm,
  KeptPage,
  RequestHead,
  RequestWords,
  RunView,
  ToRequestForm,
} from '../host/requestForms/requestFormProtocol.ts';
import { button } from './card.ts';
import { Draft } from './draft.ts';
import { announce, code, plainText, shownText, type Content } from './elements.ts';
import { foldedText } from './foldedText.ts';
import type { FoundValues } from './form/comboBox.ts';
import { argumentsEditor, type ArgumentsEditor } from './request/argumentsEditor.ts';
import { RequestRun } from './request/requestRun.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromRequestForm): void;
  setState(state: KeptPage): void;
};

/** Milliseconds after a result in which no click of the pointer sends the request: the second of two, for example. */
const QUIET_MS = 500;

const editor = acquireVsCodeApi();
const outcome = new RequestRun((message) => editor.postMessage(message), refresh);

let head: RequestHead | undefined;
let current: ArgumentsEditor | undefined;
/** What `current` edits. */
let edited: EditView | undefined;
let draft: Draft<FromRequestForm> | undefined;
let preview: PanelText = [];
let isStatusShown = true;
let quietUntil = 0;
/** The newest question for suggestions: older ones get no answer. */
let asked = 0;
let takeFound: ((found: FoundValues) => void) | undefined;

window.addEventListener('message', ({ origin, data }: MessageEvent<unknown>) => {
  if (origin === window.origin && isToRequestForm(data)) {
    take(data);
  }
});
document.addEventListener(
  'keydown',
  (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.stopImmediatePropagation(); // a button that has the focus would be pressed as well
      runNow(false);
    }
  },
  { capture: true },
);
refresh();
editor.postMessage({ type: 'ready' });

function take(message: ToRequestForm): void {
  switch (message.type) {
    case 'show': {
      const isFirst = head === undefined;
      head = message.head;
      document.title = plainText(head.title);
      showEditor(message.edit, isFirst);
      outcome.show(message.run, head.words);
      sayFor(message.run, message.status);
      return;
    }
    case 'edit':
      showEditor(message.edit, true);
      say(message.status);
      return;
    case 'problems':
      current?.found?.(message.problems);
      say(message.status);
      return;
    case 'textProblems':
      current?.foundInText?.(message.problems, message.status !== '');
      if (message.status !== '') {
        say(message.status);
      }
      return;
    case 'run':
      if (head) {
        outcome.show(message.run, head.words);
      }
      quietUntil = message.run.kind === 'running' ? 0 : performance.now() + QUIET_MS;
      sayFor(message.run, message.status);
      return;
    case 'progress':
      outcome.progress(message.progress);
      return;
    case 'asked':
      outcome.asked(message.asked);
      say(message.status, false);
      return;
    case 'suggestions':
      if (message.number === asked) {
        takeFound?.(message);
      }
      return;
    case 'preview':
      preview = message.text;
      refresh();
      return;
    case 'keep':
      editor.setState(message.page);
  }
}

/** Shows the page as it is now. */
function refresh(): void {
  const classes = isStatusShown ? 'status' : 'status spoken';
  render(
    html`<main>
      ${head && headView(head)}
      <div id="edit" @focusout=${() => draft?.send()}>${current && keyed(current, current.view())}</div>
      ${head && edited && edited.kind !== 'missing' ? actions(head.words, edited) : undefined}
      <p class=${classes} role="status"></p>
      ${outcome.view()}
    </main>`,
    document.body,
  );
}

function headView({ title, place, description }: RequestHead): Content {
  return html`<header>
    <h1>${shownText(title)}</h1>
    <p class="place">${shownText(place)}</p>
    ${description && foldedText(description, 'the description', 'description', 'prose')}
  </header>`;
}

/** What can be done with what is entered. */
function actions(words: RequestWords, edited: EditView): Content {
  const isJson = edited.kind === 'json';
  const canSwitch = isJson ? !edited.isWhole : edited.kind === 'form' && edited.hasJson && !isEmpty(edited);
  const reset = button(words.reset, () => editor.postMessage({ type: 'defaults' }));
  const shown = html`<div class="form preview">
    <p class="label">${words.preview}</p>
    ${code(preview)}
  </div>`;
  return html`
    ${words.preview === undefined ? undefined : shown}
    <div class="buttons">
      ${button(words.send, (click) => runNow(click.detail > 0), { id: 'run', isPrimary: true })}
      ${canSwitch ? button(isJson ? 'Edit as a Form' : 'Edit as JSON', () => send('switch')) : undefined}
      ${edited.kind === 'form' && edited.isProposed ? reset : undefined}
    </div>
    <p class="hint">${isMac() ? '⌘' : 'Ctrl+'}Enter ${words.keys}</p>
  `;
}

/** Asks what the server suggests for a field as it is filled in now. */
function askForValues(field: string, take: (found: FoundValues) => void): void {
  const content = current?.content;
  asked += 1;
  takeFound = take;
  if (content && 'entered' in content) {
    editor.postMessage({ type: 'suggest', number: asked, field, entered: content.entered });
  }
}

function showEditor(view: EditView, takesFocus: boolean): void {
  if (!head) {
    return;
  }
  draft?.end();
  const keeping = new Draft<FromRequestForm>(
    () => current?.content && { type: 'enter', ...current.content },
    (message) => editor.postMessage(message),
  );
  draft = keeping;
  edited = view;
  current = argumentsEditor(view, head.words, {
    ask: askForValues,
    changed: () => keeping.changed(false),
    refresh,
    remedy: (remedy) => editor.postMessage({ type: 'remedy', remedy }),
  });
  refresh();
  if (takesFocus) {
    const first =
      document.querySelector<HTMLElement>('#edit :is(input, textarea, select, vscode-checkbox)') ??
      document.getElementById('run');
    if (document.hasFocus()) {
      first?.focus();
    } else {
      // A page that comes back into sight takes no focus from the list that you have opened meanwhile.
      // Nor does it move below a press of the pointer.
      window.addEventListener('focus', () => first?.focus({ preventScroll: true }), { once: true });
    }
  }
}

function isEmpty(view: EditView): boolean {
  return view.kind === 'form' && view.form.kind === 'object' && view.form.fields.length === 0;
}

function runNow(isByPointer: boolean): void {
  if (outcome.isRunning) {
    say(head?.words.stillRunning ?? '');
  } else if (isByPointer && performance.now() < quietUntil) {
    say(head?.words.again ?? '');
  } else if (current?.submit()) {
    send('run');
  }
}

/** Sends what is entered, to be used now. */
function send(type: 'run' | 'switch'): void {
  draft?.end();
  const content = current?.content;
  if (content) {
    editor.postMessage({ type, ...content });
  }
}

/** Says something, or has it only read out. */
function say(words: string, isShown = true): void {
  isStatusShown = isShown;
  refresh();
  announce(words);
}

/** What is shown below is only read out. */
function sayFor({ kind }: RunView, words: string): void {
  say(words, kind !== 'result' && kind !== 'running');
}

function isMac(): boolean {
  return /Mac/.test(navigator.userAgent);
}

/** What the extension sends is of the same build as this page; anything else is not for it. */
function isToRequestForm(message: unknown): message is ToRequestForm {
  const types = [
    'show',
    'edit',
    'problems',
    'textProblems',
    'run',
    'progress',
    'asked',
    'suggestions',
    'preview',
    'keep',
  ];
  return (
    typeof message === 'object' &&
    message !== null &&
    'type' in message &&
    types.some((type) => type === message.type)
  );
}
