// The page on which a server is added or edited: it shows what the extension sends, and sends back what is typed.
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-checkbox/index.js';
import { html, render } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { FormView, FromForm, ShowForm, ToForm } from '../host/review/formProtocol.ts';
import { button } from './card.ts';
import { Draft } from './draft.ts';
import { announce, plainText, shownText, type Content } from './elements.ts';
import { ServerFormPage } from './serverForm.ts';

declare function acquireVsCodeApi(): { postMessage(message: FromForm): void };

/** Milliseconds after something has moved in which no click of the pointer counts. */
const QUIET_MS = 500;

const editor = acquireVsCodeApi();
let page: ServerFormPage | undefined;
let shown: ShowForm | undefined;
let number = 0;
let quietUntil = 0;
let isSaving = false;
/** What is typed, which the host checks and keeps. */
const draft = new Draft<FromForm>(
  () => page && { type: 'changed', number, form: page.form },
  (message) => editor.postMessage(message),
);

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
refresh();
editor.postMessage({ type: 'ready' });

/** Shows the page as it is now. */
function refresh(): void {
  render(
    html`<main>
      <h1 tabindex="-1">${shown && shownText(shown.title)}</h1>
      <div @focusout=${() => draft.send()}>${page && keyed(page, page.view())}</div>
      <p class="status" role="status"></p>
      <div class="buttons">${shown && actions(shown)}</div>
    </main>`,
    document.body,
  );
}

function actions({ leave }: ShowForm): Content {
  return html`
    ${button('Save and Start', (click) => save(true, click), { isPrimary: true })}
    ${button('Save', (click) => save(false, click))}
    ${button(leave, () => editor.postMessage({ type: 'cancel' }))}
    <p class="hint">
      Saving allows exactly this launch on this machine. After "Save" the server starts only when you start
      it.
    </p>
  `;
}

function show(message: ShowForm): void {
  document.title = plainText(message.title);
  shown = message;
  page = new ServerFormPage(message, { changed: changedSoon, refresh, say: announce, checkSignIn });
  isSaving = false;
  take(message.view, message.status);
  if (message.status === '') {
    page.goToName();
  }
}

function take(view: FormView, words: string): void {
  const height = document.body.offsetHeight;
  const isOther = page?.take(view) ?? false;
  refresh();
  if (isOther || document.body.offsetHeight !== height || words !== '') {
    quietUntil = performance.now() + QUIET_MS;
  }
  if (words !== '') {
    announce(words);
    if (page?.goToProblem(view) !== true) {
      document.querySelector('h1')?.focus();
    }
  }
}

function changedSoon(): void {
  number += 1;
  draft.changed(false);
  refresh();
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
    announce('The page has just changed. Press again to save it as it is now.');
    return;
  }
  draft.end();
  number += 1;
  isSaving = true;
  announce('Saving…');
  editor.postMessage({ type: 'save', number, form: page.form, start });
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
