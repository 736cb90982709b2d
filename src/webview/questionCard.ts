import type { PanelText } from '../host/questions/panelText.ts';
import { chevron, element, hide, plainText, shownText } from './elements.ts';
import type { QuestionView } from '../host/questions/question.ts';

/** One question: its heading and its content, which opens and closes where several wait. */
export class QuestionCard {
  readonly node: HTMLElement;
  readonly #heading: HTMLElement;
  readonly #content: HTMLElement;
  readonly #state: HTMLElement;
  readonly #toggled: () => void;
  #title: PanelText;
  #toggle: HTMLButtonElement | undefined;
  #isOpen = true;

  /** `toggled` is called when you open or close it. */
  constructor(question: QuestionView, content: readonly Node[], toggled: () => void) {
    const { id, title } = question;
    this.#toggled = toggled;
    this.#title = title;
    this.#heading = element('h2', { id: `title-${id}`, tabindex: '-1' });
    this.#state = element('p', { class: 'state' }, stateOf(question));
    this.#content = element('div', { id: `content-${id}`, class: 'content' }, ...content);
    this.node = element(
      'section',
      { 'aria-labelledby': this.#heading.id, class: 'card' },
      this.#heading,
      this.#state,
      this.#content,
    );
    this.#showTitle();
    this.setOpen(true);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  setOpen(isOpen: boolean): void {
    this.#isOpen = isOpen;
    hide(this.#content, !isOpen);
    hide(this.#state, isOpen || this.#state.textContent === '');
    this.#toggle?.setAttribute('aria-expanded', String(isOpen));
  }

  /** Lets you open and close it, or keeps it open. */
  setFoldable(isFoldable: boolean): void {
    if (isFoldable === (this.#toggle !== undefined)) {
      return;
    }
    const hadFocus = this.#heading.contains(document.activeElement);
    this.#toggle = isFoldable ? this.#newToggle() : undefined;
    this.#showTitle();
    this.setOpen(this.#isOpen || !isFoldable);
    if (hadFocus) {
      this.#heading.focus();
    }
  }

  setTitle(title: PanelText): void {
    if (plainText(title) !== plainText(this.#title)) {
      this.#title = title;
      this.#showTitle();
    }
  }

  #newToggle(): HTMLButtonElement {
    const toggle = element('button', {
      class: 'toggle',
      type: 'button',
      'aria-controls': this.#content.id,
    });
    toggle.addEventListener('click', () => {
      this.setOpen(!this.#isOpen);
      this.#toggled();
    });
    return toggle;
  }

  #showTitle(): void {
    const words = shownText(this.#title);
    if (this.#toggle) {
      this.#toggle.replaceChildren(chevron(), element('span', {}, ...words));
      this.#heading.replaceChildren(this.#toggle);
    } else {
      this.#heading.replaceChildren(...words);
    }
  }
}

/** What one should know of a question that is closed, besides its title. */
function stateOf(question: QuestionView): string {
  const { warnings = [], changes = [], isRenewed } = question;
  return [
    ...(isRenewed ? ['Changed since you last looked'] : []),
    ...(changes.length > 0 ? ['Changed since you last allowed it'] : []),
    ...(warnings.length > 0 ? [`${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}`] : []),
  ].join(', ');
}
