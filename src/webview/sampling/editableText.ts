import { html } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import type { EditedView, TextView } from '../../host/sampling/review/samplingProtocol.ts';
import type { TextEdit } from '../../host/sampling/request/samplingRequest.ts';
import { linkButton, note } from '../card.ts';
import { ChangedText } from './changedText.ts';
import type { Content } from '../elements.ts';
import { foldedText } from '../foldedText.ts';

/** What an editable text needs of its card. */
export interface TextPort {
  /** Called after each change; `isDone` when the editing ends. */
  changed(isDone: boolean): void;
  refresh(): void;
}

/** A text that you can edit. Nothing else changes it meanwhile. */
export class EditableText {
  readonly #view: TextView;
  readonly #id: string;
  readonly #port: TextPort;
  readonly #text: ChangedText;
  readonly #area = createRef<HTMLTextAreaElement>();
  /** The latest version from the host, which may have come while the text was edited. */
  #heard: EditedView | undefined;
  /** What is shown while it isn't edited, and the text that this is. */
  #shown: Pick<TextView, 'shown' | 'notes'>;
  #shownText: string;
  #isEditing = false;
  #isEditable = false;
  /** You have changed it on this page: the host's version of an earlier text no longer counts. */
  #isTouched = false;

  constructor(view: TextView, id: string, port: TextPort) {
    this.#view = view;
    this.#id = `${id}-${view.at.replace('/', '-')}`;
    this.#port = port;
    this.#text = new ChangedText(view.original);
    this.#shown = view;
    this.#shownText = view.original;
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
    this.#shown = edited;
    this.#shownText = edited.text;
    return true;
  }

  setEditable(isEditable: boolean): void {
    this.#isEditable = isEditable;
    this.#isEditing &&= isEditable;
  }

  view(): Content {
    const { name } = this.#view;
    const { shown, notes } = this.#shown;
    const [isEditing, isChanged] = [this.#isEditing, this.#text.isChanged];
    const hasUnseen = shown.text.some(({ isWrittenOut }) => isWrittenOut);
    const button = (label: string, press: () => void): Content =>
      linkButton(label, press, { name: `${label}: ${name}` });
    return html`<div class="editable">
      <div class="notes">${notes.map((text) => note('warning', text))}</div>
      <div class="said" ?hidden=${isEditing}>${foldedText(shown, name, this.#id, 'prose')}</div>
      <textarea
        ${ref(this.#area)}
        aria-label=${capital(name)}
        spellcheck="false"
        ?hidden=${!isEditing}
        @input=${this.#typed}
        @blur=${() => this.#port.changed(true)}
      ></textarea>
      <div class="tools">
        ${isEditing || !this.#isEditable ? undefined : button('Edit', this.#startEditing)}
        ${isEditing ? button('Done', this.#stopEditing) : undefined}
        ${isChanged && this.#isEditable ? button('Undo Changes', this.#undoChanges) : undefined}
        ${isChanged ? html`<span class="edited">Edited by you</span>` : undefined}
        ${
          isEditing && hasUnseen
            ? html`<span class="hint">Invisible characters are not shown while you edit.</span>`
            : undefined
        }
      </div>
    </div>`;
  }

  readonly #startEditing = (): void => {
    this.#isEditing = true;
    this.#put();
    this.#port.refresh();
    this.#area.value?.focus();
  };

  readonly #stopEditing = (): void => {
    this.#isEditing = false;
    this.#settle();
  };

  readonly #undoChanges = (): void => {
    this.#isTouched = true;
    this.#text.undo();
    this.#put();
    this.#settle();
  };

  readonly #typed = (): void => {
    this.#isTouched = true;
    this.#text.take(this.#area.value?.value ?? '');
    this.#port.refresh();
    this.#port.changed(false);
  };

  /** Puts the text into the text area, which only this and you change. */
  #put(): void {
    const area = this.#area.value;
    if (area) {
      area.value = this.#text.text;
      this.#text.put(area.value);
    }
  }

  /** Shows the original; a changed text is shown once the host has made all of it visible. */
  #settle(): void {
    if (!this.#text.isChanged) {
      this.#shown = this.#view;
      this.#shownText = this.#view.original;
    }
    this.take(this.#heard);
    this.#port.refresh();
    this.#port.changed(true);
    const area = this.#area.value;
    (this.#isEditing ? area : area?.nextElementSibling?.querySelector('button'))?.focus();
  }
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
