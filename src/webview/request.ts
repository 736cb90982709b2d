// The page with the form of a tool, a prompt or a template: it shows what the extension sends, and sends back what you
// enter.
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import type {
  EditView,
  FromRequestForm,
  KeptPage,
  RunView,
  ToRequestForm,
  RequestWords,
} from '../host/requestForms/requestFormProtocol.ts';
import { button, element, hide, plainText, shownText, nodeOf } from './dom.ts';
import { Draft } from './draft.ts';
import { foldedText } from './foldedText.ts';
import type { FoundValues } from './form/suggestionList.ts';
import { argumentsEditor, type ArgumentsEditor } from './request/argumentsEditor.ts';
import { RequestRun } from './request/requestRun.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromRequestForm): void;
  setState(state: KeptPage): void;
};

/** Milliseconds after a result in which no click of the pointer sends the request: the second of two, for example. */
const QUIET_MS = 500;

const editor = acquireVsCodeApi();
const head = element('header');
const edit = element('div');
const run = button('', { isPrimary: true }, (click) => runNow(click.detail > 0));
const switchMode = button('Edit as JSON', {}, () => send('switch'));
const defaults = button('', {}, () => editor.postMessage({ type: 'defaults' }));
const keys = element('p', { class: 'hint' });
const preview = element('code');
const previewLabel = element('p', { class: 'label' });
const previewed = element('div', { class: 'form preview' }, previewLabel, preview);
const buttons = element('div', { class: 'buttons' }, run, switchMode, defaults);
const status = element('p', { class: 'status', role: 'status' });
const outcome = new RequestRun((message) => editor.postMessage(message));
document.body.append(element('main', {}, head, edit, previewed, buttons, keys, status, outcome.node));

let current: ArgumentsEditor | undefined;
let draft: Draft<FromRequestForm> | undefined;
let words: RequestWords | undefined;
let quietUntil = 0;
let isShown = false;
/** The newest question for suggestions: older ones get no answer. */
let asked = 0;
let takeFound: ((found: FoundValues) => void) | undefined;

hide(previewed, true);

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
edit.addEventListener('focusout', () => draft?.send());
editor.postMessage({ type: 'ready' });

function take(message: ToRequestForm): void {
  switch (message.type) {
    case 'show': {
      const { title, place, description } = message.head;
      useWords(message.head.words);
      document.title = plainText(title);
      head.replaceChildren(
        element('h1', {}, ...shownText(title)),
        element('p', { class: 'place' }, ...shownText(place)),
        ...(description ? [nodeOf(foldedText(description, 'the description', 'description', 'prose'))] : []),
      );
      showEditor(message.edit, !isShown);
      isShown = true;
      outcome.show(message.run, message.head.words);
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
      if (words) {
        outcome.show(message.run, words);
      }
      quietUntil = message.run.kind === 'running' ? 0 : performance.now() + QUIET_MS;
      sayFor(message.run, message.status);
      return;
    case 'progress':
      outcome.progress(message.progress);
      return;
    case 'asked':
      outcome.asked(message.asked);
      say(message.status);
      status.classList.add('spoken');
      return;
    case 'suggestions':
      if (message.number === asked) {
        takeFound?.(message);
      }
      return;
    case 'preview':
      preview.replaceChildren(...shownText(message.text));
      return;
    case 'keep':
      editor.setState(message.page);
  }
}

function useWords(ofKind: RequestWords): void {
  words = ofKind;
  run.textContent = ofKind.send;
  defaults.textContent = ofKind.reset;
  keys.textContent = `${isMac() ? '⌘' : 'Ctrl+'}Enter ${ofKind.keys}`;
  previewLabel.textContent = ofKind.preview ?? '';
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
  if (!words) {
    return;
  }
  draft?.end();
  const keeping = new Draft<FromRequestForm>(
    () => current?.content && { type: 'enter', ...current.content },
    (message) => editor.postMessage(message),
  );
  draft = keeping;
  current = argumentsEditor(view, words, {
    ask: askForValues,
    changed: () => keeping.changed(false),
    remedy: (remedy) => editor.postMessage({ type: 'remedy', remedy }),
  });
  edit.replaceChildren(current.node);
  const isJson = view.kind === 'json';
  switchMode.textContent = isJson ? 'Edit as a Form' : 'Edit as JSON';
  hide(buttons, view.kind === 'missing');
  hide(keys, view.kind === 'missing');
  hide(previewed, view.kind === 'missing' || words.preview === undefined);
  hide(switchMode, view.kind === 'missing' || (isJson ? view.isWhole : isEmpty(view) || !view.hasJson));
  hide(defaults, view.kind !== 'form' || !view.isProposed);
  if (takesFocus) {
    const first = edit.querySelector<HTMLElement>('input, textarea, select, vscode-checkbox') ?? run;
    if (document.hasFocus()) {
      first.focus();
    } else {
      // A page that comes back into sight takes no focus from the list that you have opened meanwhile.
      // Nor does it move below a press of the pointer.
      window.addEventListener('focus', () => first.focus({ preventScroll: true }), { once: true });
    }
  }
}

function isEmpty(view: EditView): boolean {
  return view.kind === 'form' && view.form.kind === 'object' && view.form.fields.length === 0;
}

function runNow(isByPointer: boolean): void {
  if (outcome.isRunning) {
    say(words?.stillRunning ?? '');
  } else if (isByPointer && performance.now() < quietUntil) {
    say(words?.again ?? '');
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

function say(words: string): void {
  status.classList.remove('spoken');
  status.textContent = words;
}

/** What is shown below is only read out. */
function sayFor({ kind }: RunView, words: string): void {
  say(words);
  status.classList.toggle('spoken', kind === 'result' || kind === 'running');
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
