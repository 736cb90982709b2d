import type { ElicitationUpdate, ElicitationView } from '../host/elicitation/elicitationQuestion.ts';
import type { Entered } from '../form/formField.ts';
import { answerButton, note, placeLine, type CardPort, type Change, type LiveContent } from './card.ts';
import { Draft } from './draft.ts';
import { element, shownText } from './elements.ts';
import { foldedText } from './foldedText.ts';
import { SchemaForm } from './form/schemaForm.ts';

/** The form of a server. */
export class ElicitationCard implements LiveContent {
  readonly nodes: readonly Node[];
  readonly title: ElicitationView['title'];
  readonly #id: string;
  readonly #port: CardPort;
  readonly #form: SchemaForm;
  readonly #draft: Draft<{ readonly act: 'enter'; readonly entered: Entered }>;

  constructor(view: ElicitationView, port: CardPort) {
    const { id, title, isFlagged } = view;
    this.title = title;
    this.#id = id;
    this.#port = port;
    this.#form = new SchemaForm(view.form, view.entered, `form-${id}`, () => this.#draft.changed(false));
    this.#draft = new Draft(
      () => ({ act: 'enter', entered: this.#form.entered }),
      (act) => port.send({ type: 'act', id, ...act }),
    );
    this.#form.node.addEventListener('focusout', () => this.#draft.send());
    const submit = answerButton('Submit', view, { isPrimary: !isFlagged }, (click) => this.#submit(click));
    const decline = this.#endButton('Decline', view, 'decline', isFlagged);
    this.nodes = [
      placeLine(view.place, ...shownText(view.why), ' '),
      ...view.warnings.map((warning) => note('warning', ['Warning: ', ...shownText(warning)])),
      element('h3', {}, 'The server says'),
      foldedText(view.message, 'what the server says', `${id}-message`, 'prose'),
      ...(view.isProposed
        ? [element('p', { class: 'hint' }, 'Filled in with your last answer to the same form.')]
        : []),
      this.#form.node,
      ...(view.rule === '' ? [] : [element('p', { class: 'hint' }, view.rule)]),
      element(
        'div',
        { class: 'buttons' },
        ...(isFlagged ? [decline, submit] : [submit, decline]),
        this.#endButton('Cancel', view, 'cancel', false),
        this.#endButton('Never Ask', view, 'never', false),
        answerButton('Open the Definition', view, {}, () => port.send({ type: 'openDefinition', id })),
      ),
      element(
        'p',
        { class: 'hint' },
        '"Submit" sends exactly what the form shows. "Decline" tells the server that you refuse, "Cancel" that you ' +
          'made no choice. "Never Ask" declines this and every later form of this server; you can take that back with ' +
          '"Review Decisions…". Closing this panel is not an answer, and what you entered is still there when you open it ' +
          'again. It is never stored: reloading the window ends the request and forgets it.',
      ),
    ];
  }

  /** What is entered stays. */
  renew(): Change {
    return undefined;
  }

  take(update: unknown): Change {
    this.#form.found((update as ElicitationUpdate).problems);
    return 'moved';
  }

  end(): void {
    this.#draft.end();
  }

  #submit(click: MouseEvent): void {
    if (this.#form.submit()) {
      this.#draft.end();
      this.#port.act({ type: 'act', id: this.#id, act: 'submit', entered: this.#form.entered }, click);
    } else {
      this.#port.moved();
    }
  }

  #endButton(
    label: string,
    view: ElicitationView,
    act: 'decline' | 'cancel' | 'never',
    isPrimary: boolean,
  ): HTMLElement {
    return answerButton(label, view, { isPrimary }, (click) =>
      this.#port.act({ type: 'act', id: this.#id, act }, click),
    );
  }
}
