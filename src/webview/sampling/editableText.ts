import type { EditedView, TextView } from '../../host/sampling/review/samplingProtocol.ts';
import type { TextEdit } from '../../host/sampling/request/samplingRequest.ts';
import { note } from '../card.ts';
import { ChangedText } from './changedText.ts';
import { element, hide } from '../elements.ts';
import { foldedText } from '../foldedText.ts';

/** A text that you can edit. Nothing else changes it meanwhile. */
export class EditableText {
  readonly node: HTMLElement;
  readonly #view: TextView;
  readonly #id: string;
  readonly #changed: (isDone: boolean) => void;
  readonly #text: ChangedText;
  readonly #shown = element('div', { class: 'said' });
  readonly #notes = element('div', { class: 'notes' });
  readonly #area: HTMLTextAreaElement;
  readonly #edit: HTMLButtonElement;
  readonly #done: HTMLButtonElement;
  readonly #undo: HTMLButtonElement;
  readonly #mark = element('span', { class: 'edited' }, 'Edited by you');
  readonly #unseen = element('span', { class: 'hint' }, 'Invisible characters are not shown while you edit.');
  /** The latest version from the host, which may have come while the text was edited. */
  #heard: EditedView | undefined;
  /** The text that is shown while it isn't edited. */
  #shownText = '';
  #hasUnseen = false;
  #isEditing = false;
  #isEditable = false;
  /** You have changed it on this page: the host's version of an earlier text no longer counts. */
  #isTouched = false;

  /** `changed` is called after each change; `isDone` when the editing ends. */
  constructor(view: TextView, id: string, changed: (isDone: boolean) => void) {
    this.#view = view;
    this.#id = `${id}-${view.at.replace('/', '-')}`;
    this.#changed = changed;
    this.#text = new ChangedText(view.original);
    this.#area = element('textarea', { 'aria-label': capital(view.name), spellcheck: 'false' });
    this.#area.addEventListener('input', () => this.#typed());
    this.#area.addEventListener('blur', () => this.#changed(true));
    this.#edit = this.#button('Edit', () => this.#startEditing());
    this.#done = this.#button('Done', () => this.#stopEditing());
    this.#undo = this.#button('Undo Changes', () => this.#undoChanges());
    const tools = element(
      'div',
      { class: 'tools' },
      this.#edit,
      this.#done,
      this.#undo,
      this.#mark,
      this.#unseen,
    );
    this.node = element('div', { class: 'editable' }, this.#notes, this.#shown, this.#area, tools);
    this.#show(view, view.original);
  }

  get at(): string {
    return this.#view.at;
  }

  /** Your edit; undefined for an unchanged text. */
  get edit(): TextEdit | undefined {
    return this.#text.isChanged ? { at: this.#view.at, text: this.#text.text } : undefined;
  }

  /** Takes the host's version of the text; true if that moved what is below. */
  take(edited: EditedView | undefined): boolean {
    this.#heard = edited;
    if (!this.#isTouched && edited) {
      this.#text.set(edited.text);
    }
    const isOther = edited?.text === this.#text.text && edited.text !== this.#shownText;
    if (!edited || !isOther || this.#isEditing) {
      return false;
    }
    this.#show(edited, edited.text);
    return true;
  }

  setEditable(isEditable: boolean): void {
    this.#isEditable = isEditable;
    this.#isEditing &&= isEditable;
    this.#draw();
  }

  #startEditing(): void {
    this.#isEditing = true;
    this.#area.value = this.#text.text;
    this.#text.put(this.#area.value);
    this.#draw();
    this.#area.focus();
  }

  #stopEditing(): void {
    this.#isEditing = false;
    this.#settle();
    this.#edit.focus();
  }

  #undoChanges(): void {
    this.#isTouched = true;
    this.#text.undo();
    this.#area.value = this.#text.text;
    this.#text.put(this.#area.value);
    this.#settle();
    (this.#isEditing ? this.#area : this.#edit).focus();
  }

  #typed(): void {
    this.#isTouched = true;
    this.#text.take(this.#area.value);
    this.#draw();
    this.#changed(false);
  }

  /** Shows the original; a changed text is shown once the host has made all of it visible. */
  #settle(): void {
    if (!this.#text.isChanged) {
      this.#show(this.#view, this.#view.original);
    }
    this.take(this.#heard);
    this.#draw();
    this.#changed(true);
  }

  #show({ shown, notes }: Pick<TextView, 'shown' | 'notes'>, text: string): void {
    this.#shownText = text;
    this.#hasUnseen = shown.text.some(({ isWrittenOut }) => isWrittenOut);
    this.#shown.replaceChildren(foldedText(shown, this.#view.name, this.#id, 'prose'));
    this.#notes.replaceChildren(...notes.map((text) => note('warning', [text])));
    this.#draw();
  }

  #draw(): void {
    const isChanged = this.#text.isChanged;
    hide(this.#shown, this.#isEditing);
    hide(this.#area, !this.#isEditing);
    hide(this.#edit, this.#isEditing || !this.#isEditable);
    hide(this.#done, !this.#isEditing);
    hide(this.#undo, !isChanged || !this.#isEditable);
    hide(this.#mark, !isChanged);
    hide(this.#unseen, !this.#isEditing || !this.#hasUnseen);
  }

  #button(label: string, press: () => void): HTMLButtonElement {
    const name = { 'aria-label': `${label}: ${this.#view.name}` };
    const button = element('button', { class: 'fold', type: 'button', ...name }, label);
    button.addEventListener('click', press);
    return button;
  }
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
