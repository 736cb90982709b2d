import type { VscodeButton } from '@vscode-elements/elements/dist/vscode-button/vscode-button.js';
import type { VscodeCheckbox } from '@vscode-elements/elements/dist/vscode-checkbox/vscode-checkbox.js';
import type { PanelText } from '../host/questions/panelText.ts';
import { element, plainText, shownText, warningIcon } from './elements.ts';
import type { QuestionView } from '../host/questions/question.ts';
import type { AllowSelectedMessage, AnswerMessage, FromPanel } from '../host/questions/reviewProtocol.ts';

declare global {
  interface HTMLElementTagNameMap {
    'vscode-button': VscodeButton;
    'vscode-checkbox': VscodeCheckbox;
  }
}

/** What a card needs of the panel around it. */
export interface CardPort {
  send(message: FromPanel): void;
  /** Sends an answer, unless the panel has just moved under the pointer; a second one is never sent. */
  answer(message: AnswerMessage & { readonly type: 'answer' }, click: MouseEvent): void;
  /** Sends several answers at once, as `answer` does one. */
  allowSelected(message: AllowSelectedMessage, click: MouseEvent): void;
  /** Sends an act, unless the panel has just moved under the pointer; true when it was sent. */
  act(message: AnswerMessage & { readonly type: 'act' }, click: MouseEvent): boolean;
  /** The page moves because of what was pressed: what comes under the pointer is not meant by a second click. */
  moved(): void;
  /** What was chosen in a card, or in what has that name, before the panel was out of sight. */
  chosen(id: string): readonly string[] | undefined;
  keep(id: string, chosen: readonly string[]): void;
}

/** What a question shows and asks, below its title. */
export type CardContent = readonly Node[] | LiveContent;

/** Content that changes while it is shown. */
export interface LiveContent {
  readonly nodes: readonly Node[];
  readonly title: PanelText;
  /** Shows the question as it is now. */
  renew(view: QuestionView): Change;
  /** Takes an update of its kind. */
  take(update: unknown): Change;
  /** The card is gone. */
  end(): void;
}

/** Whether content moved, or became that of another step of the question. */
export type Change = 'step' | 'moved' | undefined;

export function note(kind: 'warning' | 'changed', text: readonly (Node | string)[]): HTMLElement {
  return element('div', { class: `note ${kind}` }, warningIcon(), element('p', {}, ...text));
}

/** Where the server of a question is defined, after what else there is to say of it. */
export function placeLine(place: PanelText, ...before: readonly (Node | string)[]): HTMLElement {
  return element(
    'p',
    { class: 'place' },
    ...before,
    'Server defined in ',
    element('code', {}, ...shownText(place)),
  );
}

/** Says that what was read here is not what stands here now. */
export function changedNote(what: string): HTMLElement {
  return note('changed', [
    `This ${what} has changed since you last looked at it here. Please read it again.`,
  ]);
}

/** A button whose name says to a screen reader which question it belongs to. */
export function answerButton(
  label: string,
  { title }: { readonly title: PanelText },
  { isPrimary = false }: { readonly isPrimary?: boolean },
  press: (click: MouseEvent) => void,
): VscodeButton {
  const made = button(label, { isPrimary }, press);
  made.setAttribute('aria-label', `${label}: ${plainText(title)}`);
  return made;
}

export function button(
  label: string,
  { isPrimary = false }: { readonly isPrimary?: boolean },
  press: (click: MouseEvent) => void,
): VscodeButton {
  const made = element('vscode-button', { class: 'answer' }, label);
  made.secondary = !isPrimary;
  made.addEventListener('click', press);
  made.addEventListener('keydown', (event) => {
    if (event.key === ' ') {
      event.preventDefault(); // it would also scroll
    }
  });
  return made;
}
