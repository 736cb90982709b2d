import { html } from 'lit';
import { live } from 'lit/directives/live.js';
import type { VscodeCheckbox } from '@vscode-elements/elements/dist/vscode-checkbox/vscode-checkbox.js';
import { button, type CardPort } from './card.ts';
import { isChosenInChat } from './chatChoice.ts';
import { plainText, shownText, type Content } from './elements.ts';
import { chosenFolders, filesOffer } from './folderChoice.ts';
import type { LaunchView } from '../host/launch/question/launchQuestion.ts';
import type { QuestionView } from '../host/questions/question.ts';

/** What the panel keeps under this name while it is out of sight: the ids of the selected launches. */
const SELECTED = 'selected';

/** The launches that can be allowed together, each by a box in its row; none unless there are several. */
export class Selection {
  readonly #port: CardPort;
  readonly #isEach: boolean;
  readonly #boxes: readonly LaunchView[];
  readonly #selected: readonly LaunchView[];

  constructor(waiting: readonly QuestionView[], port: CardPort) {
    const boxes = waiting.filter(canBeSelected);
    const kept = port.chosen(SELECTED) ?? [];
    this.#port = port;
    this.#boxes = boxes.length > 1 ? boxes : [];
    this.#isEach = boxes.length === waiting.length;
    this.#selected = this.#boxes.filter(({ id }) => kept.includes(id));
  }

  /** The box above the list. */
  all(): Content {
    const count = this.#boxes.length;
    return html`<vscode-checkbox
      class="all"
      ?hidden=${count === 0}
      .label=${this.#isEach ? `Select all ${count}` : `Select ${count} unchanged, without warnings`}
      .checked=${live(count > 0 && this.#selected.length === count)}
      .indeterminate=${this.#selected.length > 0 && this.#selected.length < count}
      @change=${({ target }: Event) => this.#keep((target as VscodeCheckbox).checked ? this.#boxes : [])}
    ></vscode-checkbox>`;
  }

  /** The box of a question; undefined where it has to be opened. */
  box(view: QuestionView): Content {
    const isSelected = isIn(this.#selected, view.id);
    const toggle = (): void =>
      this.#keep(this.#boxes.filter(({ id }) => isIn(this.#selected, id) !== (id === view.id)));
    return isIn(this.#boxes, view.id)
      ? html`<vscode-checkbox class="select" .checked=${live(isSelected)} @change=${toggle}
          ><span class="spoken">Select: ${shownText(view.title)}</span></vscode-checkbox
        >`
      : undefined;
  }

  /** The button below the list, which stays in sight. */
  footer(): Content {
    const count = this.#selected.length;
    const names = this.#selected.map(({ label }) => plainText(label)).join(', ');
    return html`<footer ?hidden=${this.#boxes.length === 0}>
      ${button(`Allow Selected (${count})`, (click) => this.#allow(click), {
        isPrimary: true,
        isDisabled: count === 0,
        name: `Allow Selected: ${names || 'nothing is selected'}`,
      })}
    </footer>`;
  }

  #keep(now: readonly LaunchView[]): void {
    this.#port.keep(
      SELECTED,
      now.map(({ id }) => id),
    );
  }

  #allow(click: MouseEvent): void {
    const port = this.#port;
    const questions = this.#selected.map((view) => ({
      id: view.id,
      roots: chosenFolders(view, port),
      files: chosenFolders(filesOffer(view), port),
      ...(isChosenInChat(view, port) && { inChat: true }),
    }));
    port.allowSelected({ type: 'allowSelected', questions }, click);
  }
}

function isIn(views: readonly QuestionView[], id: string): boolean {
  return views.some((one) => one.id === id);
}

/** Whether it can be allowed without being opened. */
function canBeSelected(view: QuestionView): view is LaunchView {
  return view.kind === 'launch' && (view as LaunchView).canAllowUnopened;
}
