// The page on which a server is added or edited: it shows what the extension sends, and sends back what is typed.
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import type { FormView, FromForm, ShowForm, ToForm } from '../host/review/formProtocol.ts';
import { button, element, plainText, shownText } from './dom.ts';
import { Draft } from './draft.ts';
import { ServerFormPage } from './serverForm.ts';

declare function acquireVsCodeApi(): { postMessage(message: FromForm): void };

/** Milliseconds after something has moved in which no click of the pointer counts. */
const QUIET_MS = 500;

const editor = acquireVsCodeApi();
const heading = element('h1', { tabindex: '-1' });
const body = element('div');
const status = element('p', { class: 'status', role: 'status' });
const buttons = element('div', { class: 'buttons' });
document.body.append(element('main', {}, heading, body, status, buttons));

let page: ServerFormPage | undefined;
let number = 0;
let quietUntil = 0;
let isSaving = false;
/** What is typed, which the host checks and keeps. */
const draft = new Draft<FromForm>(
  () => page && { type: 'changed', number, form: page.form },
  (message) => editor.postMessage(message),
);
body.addEventListener('focusout', () => draft.send());

window.addEventListener('message', (event: MessageEvent<unknown>) => {
  if (event.origin !== window.origin || !isToForm(event.data)) {
    return;
  }
  if (event.data.type === 'show') {
    show(event.data);
  } else if (event.data.type === 'signInChecked') {
    page?.saySignIn(event.data.number === number ? event.data.words : '');
  } else if (event.data.number === number) {
    isSaving = false;
    take(event.data.view, event.data.status);
  }
});
editor.postMessage({ type: 'ready' });

function show(shown: ShowForm): void {
  document.title = plainText(shown.title);
  heading.replaceChildren(...shownText(shown.title));
  page = new ServerFormPage(shown, { changed: changedSoon, say, checkSignIn });
  body.replaceChildren(page.node);
  buttons.replaceChildren(
    button('Save and Start', { isPrimary: true }, (click) => save(true, click)),
    button('Save', {}, (click) => save(false, click)),
    button(shown.leave, {}, () => editor.postMessage({ type: 'cancel' })),
    element(
      'p',
      { class: 'hint' },
      'Saving allows exactly this launch on this machine. After "Save" the server starts only when you start it.',
    ),
  );
  isSaving = false;
  take(shown.view, shown.status);
  if (shown.status === '') {
    page.goToName();
  }
}

function take(view: FormView, words: string): void {
  const hasMoved = page?.take(view) ?? false;
  if (hasMoved || words !== '') {
    quietUntil = performance.now() + QUIET_MS;
  }
  if (words !== '') {
    say(words);
    if (page?.goToProblem(view) !== true) {
      heading.focus();
    }
  }
}

function changedSoon(): void {
  number += 1;
  draft.changed(false);
}

function checkSignIn(): void {
  if (page) {
    editor.postMessage({ type: 'checkSignIn', number, form: page.form });
  }
}

function save(start: boolean, { detail }: MouseEvent): void {
  const isByPointer = detail > 0;
  if (!page || isSaving) {
    return;
  }
  if (isByPointer && performance.now() < quietUntil) {
    say('The page has just changed. Press again to save it as it is now.');
    return;
  }
  draft.end();
  number += 1;
  isSaving = true;
  say('Saving…');
  editor.postMessage({ type: 'save', number, form: page.form, start });
}

function say(words: string): void {
  status.textContent = words;
}

/** What the extension sends is of the same build as this page; anything else is not for it. */
function isToForm(message: unknown): message is ToForm {
  if (typeof message !== 'object' || message === null || !('type' in message)) {
    return false;
  }
  switch (message.type) {
    case 'show':
      return 'view' in message && 'form' in message && 'places' in message;
    case 'checked':
      return 'view' in message && 'number' in message;
    default:
      return message.type === 'signInChecked' && 'number' in message && 'words' in message;
  }
}
