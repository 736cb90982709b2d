import { html } from 'lit';
import type { ElicitationUpdate, ElicitationView } from '../host/elicitation/elicitationQuestion.ts';
import type { Entered } from '../form/formField.ts';
import {
  answerButton,
  declineButtons,
  moreAbout,
  warningNotes,
  type CardContent,
  type CardPort,
  type Change,
} from './card.ts';
import { Draft } from './draft.ts';
import { shownText, type Content } from './elements.ts';
import { foldedText } from './foldedText.ts';
import { SchemaForm } from './form/schemaForm.ts';

/** The form of a server. What is entered stays when the question is shown again. */
export class ElicitationCard implements CardContent {
  readonly #view: ElicitationView;
  readonly #port: CardPort;
  readonly #form: SchemaForm;
  readonly #draft: Draft<{ readonly act: 'enter'; readonly entered: Entered }>;

  constructor(view: ElicitationView, port: CardPort) {
    const { id } = view;
    this.#view = view;
    this.#port = port;
    this.#form = new SchemaForm(view.form, view.entered, `form-${id}`, {
      changed: () => this.#draft.changed(false),
      refresh: () => port.refresh(),
    });
    this.#draft = new Draft(
      () => ({ act: 'enter', entered: this.#form.entered }),
      (act) => port.send({ type: 'act', id, ...act }),
    );
  }

  view(): Content {
    const view = this.#view;
    const { id, isFlagged, rule } = view;
    const submit = answerButton('Submit', view, this.#submit, { isPrimary: !isFlagged });
    const decline = declineButtons(view, this.#port);
    return html`
      <p>${shownText(view.why)}</p>
      ${warningNotes(view.warnings)}
      <h3>The server says</h3>
      ${foldedText(view.message, 'what the server says', `${id}-message`, 'prose')}
      ${hint(view.isProposed ? 'Filled in with your last answer to the same form.' : '')}
      <div @focusout=${() => this.#draft.send()}>${this.#form.view()}</div>
      ${hint(rule)}
      <div class="buttons">${isFlagged ? [decline, submit] : [submit, decline]}</div>
      ${moreAbout(
        view,
        this.#port,
        '"Submit" sends exactly what the form shows. "Decline" tells the server that you refuse, "Cancel" that you ' +
          'made no choice. "Never Ask" declines every form of this server; you can take that back in Review ' +
          'Decisions. What you enter is never stored: it stays until you answer, or reload the window.',
      )}
    `;
  }

  take(update: unknown): Change {
    this.#form.found((update as ElicitationUpdate).problems);
    return 'moved';
  }

  end(): void {
    this.#draft.end();
  }

  readonly #submit = (click: MouseEvent): void => {
    if (this.#form.submit()) {
      this.#draft.end();
      this.#port.act({ type: 'act', id: this.#view.id, act: 'submit', entered: this.#form.entered }, click);
    } else {
      this.#port.moved();
    }
  };
}

function hint(words: string): Content {
  return words === '' ? undefined : html`<p class="hint">${words}</p>`;
}
