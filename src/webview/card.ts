import { html, nothing } from 'lit';
import type { PanelText } from '../host/questions/panelText.ts';
import { chevron, plainText, shownText, warningIcon, type Content } from './elements.ts';
import type { QuestionView } from '../host/questions/question.ts';
import type { AllowSelectedMessage, AnswerMessage, FromPanel } from '../host/questions/reviewProtocol.ts';

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
  /** Keeps what is chosen, and shows it. */
  keep(id: string, chosen: readonly string[]): void;
  /** Shows what is different now. */
  refresh(): void;
  /** You know what sharing a folder means: a detail. */
  readonly isSharingKnown: boolean;
}

/** What a question shows and asks, below its title. */
export interface CardContent {
  /** What decides, which is in sight also while the question is closed. */
  brief?(isOpen: boolean): Content;
  view(): Content;
  /** Instead of the question's title. */
  readonly title?: PanelText;
  /** Takes the question as it is now. */
  renew?(view: QuestionView): Change;
  /** Takes an update of its kind. */
  take?(update: unknown): Change;
  /** The card is gone. */
  end?(): void;
}

/** Whether content moved, or became that of another step of the question. */
export type Change = 'step' | 'moved' | undefined;

export function note(kind: 'warning' | 'changed', text: Content): Content {
  return html`<div class="note ${kind}">
    ${warningIcon()}
    <p>${text}</p>
  </div>`;
}

/** Warnings, each called so. */
export function warningNotes(warnings: readonly PanelText[]): Content {
  return warnings.map((warning) => note('warning', ['Warning: ', shownText(warning)]));
}

/** Says that what was read here is not what stands here now, if that is so. */
export function changedNote({ isRenewed }: QuestionView, what: string): Content {
  const words = `This ${what} has changed since you last looked at it here. Please read it again.`;
  return isRenewed ? note('changed', words) : undefined;
}

/** What is one click away. */
export function details(content: Content): Content {
  return html`<details class="details">
    <summary>Details</summary>
    ${content}
  </details>`;
}

/** Where a server is defined: the file, which opens. */
export function placeRow(
  { id, place }: { readonly id: string; readonly place: PanelText },
  port: CardPort,
): readonly [string, Content] {
  const open = (): void => port.send({ type: 'openDefinition', id });
  return [
    'Defined in',
    linkButton(shownText(place), open, { name: `Open the Definition: ${plainText(place)}` }),
  ];
}

/** Where the server of a question is defined, and what the answers mean, one click away. */
export function moreAbout(
  view: { readonly id: string; readonly place: PanelText },
  port: CardPort,
  meaning: Content,
  before?: Content,
): Content {
  return details([before, titledList([placeRow(view, port)]), html`<p class="hint">${meaning}</p>`]);
}

/** Titles with what belongs to each. */
export function titledList(rows: readonly (readonly [title: string, ...Content[]] | undefined)[]): Content {
  const shown = rows.flatMap((row) => (row ? [row] : []));
  return shown.length === 0
    ? undefined
    : html`<dl class="launch">
        ${shown.map(
          ([title, ...about]) =>
            html`<dt>${title}</dt>
              <dd>${about}</dd>`,
        )}
      </dl>`;
}

export function bullets(items: readonly Content[]): Content {
  return html`<ul>
    ${items.map((item) => html`<li>${item}</li>`)}
  </ul>`;
}

interface ButtonLook {
  readonly isPrimary?: boolean;
  readonly isDisabled?: boolean;
  readonly isHidden?: boolean;
  /** For a button that stays pressed. */
  readonly isPressed?: boolean;
  /** What a screen reader calls it. */
  readonly name?: string;
  readonly id?: string;
}

/** A button whose name says to a screen reader which question it belongs to. */
export function answerButton(
  label: string,
  { title }: { readonly title: PanelText },
  press: (click: MouseEvent) => void,
  look: ButtonLook = {},
): Content {
  return button(label, press, { ...look, name: `${label}: ${plainText(title)}` });
}

export function button(label: string, press: (click: MouseEvent) => void, look: ButtonLook = {}): Content {
  const { isPrimary = false, isDisabled = false, isHidden = false, name = nothing, id = nothing } = look;
  return html`<vscode-button
    id=${id}
    aria-label=${name}
    ?secondary=${!isPrimary}
    ?disabled=${isDisabled}
    ?hidden=${isHidden}
    @click=${press}
    @keydown=${withoutScrolling}
    >${label}</vscode-button
  >`;
}

/** A button that looks like a link. */
export function linkButton(
  label: Content,
  press: (click: MouseEvent) => void,
  look: ButtonLook = {},
): Content {
  const { isDisabled = false, isHidden = false, isPressed = nothing, name = nothing } = look;
  return html`<button
    class="fold"
    type="button"
    aria-label=${name}
    aria-pressed=${isPressed}
    ?disabled=${isDisabled}
    ?hidden=${isHidden}
    @click=${press}
  >
    ${label}
  </button>`;
}

/** Rarer answers, behind the button to their left: a list that opens below the buttons. */
export function menu(
  name: string,
  { title }: { readonly title: PanelText },
  items: readonly { readonly label: string; readonly press: (click: MouseEvent) => void }[],
  port: CardPort,
): Content {
  return items.length === 0
    ? undefined
    : html`<details class="menu" @toggle=${() => port.moved()} @keydown=${closeByEscape}>
        <summary aria-label=${`${name}: ${plainText(title)}`} title=${name}>${chevron()}</summary>
        <ul>
          ${items.map(
            ({ label, press }) =>
              html`<li>${linkButton(label, press, { name: `${label}: ${plainText(title)}` })}</li>`,
          )}
        </ul>
      </details>`;
}

/** The ways to give a server nothing: to decline, and behind it to cancel, or to decline everything. */
export function declineButtons(
  view: { readonly id: string; readonly title: PanelText; readonly isFlagged: boolean },
  port: CardPort,
): Content {
  const { id, isFlagged: isPrimary } = view;
  const ending = (act: 'decline' | 'cancel' | 'never') => (click: MouseEvent) =>
    port.act({ type: 'act', id, act }, click);
  const others = [
    { label: 'Cancel', press: ending('cancel') },
    { label: 'Never Ask', press: ending('never') },
  ];
  return [
    answerButton('Decline', view, ending('decline'), { isPrimary }),
    menu('Other ways to decline', view, others, port),
  ];
}

function closeByEscape(this: HTMLDetailsElement, event: KeyboardEvent): void {
  if (event.key === 'Escape' && this.open) {
    this.open = false;
    this.querySelector('summary')?.focus();
    event.stopPropagation();
  }
}

function withoutScrolling(event: KeyboardEvent): void {
  if (event.key === ' ') {
    event.preventDefault();
  }
}
