import type { VscodeCheckbox } from '@vscode-elements/elements/dist/vscode-checkbox/vscode-checkbox.js';
import { answerButton, note, type CardPort } from './card.ts';
import type { PanelText } from '../host/questions/panelText.ts';
import { isChosenInChat } from './chatChoice.ts';
import { element, hide, plainText, shownText } from './elements.ts';
import { chosenFolders, filesOffer } from './folderChoice.ts';
import type { LaunchView } from '../host/launch/question/launchQuestion.ts';
import type { QuestionView } from '../host/questions/question.ts';

/** What the panel keeps under this name while it is out of sight: the ids of the selected launches. */
const SELECTED = 'selected';

/**
 * Everything that waits at a glance, before the questions themselves: each launch whole, with a box for those that can
 * be allowed together.
 */
export class Overview {
  readonly node: HTMLElement;
  readonly #port: CardPort;
  readonly #open: (id: string) => void;
  readonly #heading = element('h2', { id: 'overview-title', tabindex: '-1' }, 'Overview');
  readonly #meaning = element('p', { class: 'hint' });
  readonly #all = element('vscode-checkbox', { class: 'all' });
  readonly #list = element('ul', { class: 'entries' });
  readonly #allow = answerButton(
    'Allow Selected',
    { title: [{ text: 'nothing', isWrittenOut: false }] },
    { isPrimary: true },
    (click) => this.#allowSelected(click),
  );
  readonly #count = element('p', { class: 'hint' });
  readonly #buttons = element('div', { class: 'buttons' }, this.#allow, this.#count);
  readonly #entries = new Map<string, OverviewEntry>();

  /** `open` shows a question itself. */
  constructor(port: CardPort, open: (id: string) => void) {
    this.#port = port;
    this.#open = open;
    this.node = element(
      'section',
      { class: 'overview', 'aria-labelledby': this.#heading.id },
      this.#heading,
      this.#meaning,
      this.#all,
      this.#list,
      this.#buttons,
    );
    this.#all.addEventListener('change', () => {
      this.#boxes.forEach((box) => (box.checked = this.#all.checked));
      this.#keep();
    });
    this.#list.addEventListener('change', () => this.#keep());
    hide(this.node, true);
  }

  /** Whether several launches wait, so that it is there. */
  get isShown(): boolean {
    return !this.node.hidden;
  }

  get heading(): HTMLElement {
    return this.#heading;
  }

  /** Shows what waits now; an entry of what waited before is not touched. */
  show(waiting: readonly QuestionView[], meaning: string | undefined): void {
    const isShown = waiting.filter(isLaunch).length > 1;
    const shown = isShown ? waiting : [];
    hide(this.node, !isShown);
    this.#meaning.textContent = meaning ?? '';
    hide(this.#meaning, meaning === undefined);
    for (const [id, entry] of this.#entries) {
      if (!shown.some((one) => one.id === id)) {
        entry.node.remove();
        this.#entries.delete(id);
      }
    }
    shown.forEach((question, index) => {
      const entry = this.#entries.get(question.id) ?? this.#newEntry(question);
      if (this.#list.children[index] !== entry.node) {
        this.#list.insertBefore(entry.node, this.#list.children[index] ?? null);
      }
    });
    this.#showCount();
  }

  /** Something else was chosen in a question. */
  choicesChanged(): void {
    for (const entry of this.#entries.values()) {
      if (isLaunch(entry.view)) {
        entry.showChoices(chosenFolders(entry.view, this.#port), isChosenInChat(entry.view, this.#port));
      }
    }
  }

  get #boxes(): readonly VscodeCheckbox[] {
    return [...this.#entries.values()].flatMap(({ box }) => box ?? []);
  }

  get #selected(): readonly LaunchView[] {
    return [...this.#entries.values()].flatMap(({ view, box }) =>
      isLaunch(view) && box?.checked === true ? [view] : [],
    );
  }

  #newEntry(question: QuestionView): OverviewEntry {
    const entry = new OverviewEntry(question, () => this.#open(question.id));
    this.#entries.set(question.id, entry);
    this.choicesChanged();
    if (entry.box) {
      entry.box.checked = this.#port.chosen(SELECTED)?.includes(question.id) === true;
    }
    return entry;
  }

  #keep(): void {
    this.#port.keep(
      SELECTED,
      this.#selected.map(({ id }) => id),
    );
    this.#showCount();
  }

  /** Says how many are selected, and of how many. */
  #showCount(): void {
    const boxes = this.#boxes;
    const selected = this.#selected;
    const isEach = boxes.length === this.#entries.size;
    this.#all.label = isEach
      ? `Select all ${boxes.length}`
      : `Select the ${boxes.length} without a warning or a change`;
    this.#all.checked = boxes.length > 0 && selected.length === boxes.length;
    this.#all.indeterminate = selected.length > 0 && selected.length < boxes.length;
    hide(this.#all, boxes.length < 2);
    hide(this.#buttons, boxes.length === 0);
    this.#allow.disabled = selected.length === 0;
    const names = selected.map(({ label }) => plainText(label)).join(', ');
    this.#allow.setAttribute('aria-label', `Allow Selected: ${names || 'nothing is selected'}`);
    this.#count.textContent = `${selected.length} of ${boxes.length} selected`;
  }

  #allowSelected(click: MouseEvent): void {
    const questions = this.#selected.map((view) => ({
      id: view.id,
      roots: chosenFolders(view, this.#port),
      files: chosenFolders(filesOffer(view), this.#port),
      ...(isChosenInChat(view, this.#port) && { inChat: true }),
    }));
    this.#port.allowSelected({ type: 'allowSelected', questions }, click);
  }
}

/** One question in the overview: of a launch the whole of it, of others the title. */
class OverviewEntry {
  readonly node: HTMLElement;
  readonly view: QuestionView;
  /** Selects it; only where it can be allowed without being opened. */
  readonly box: VscodeCheckbox | undefined;
  readonly #folders = element('dd');
  readonly #chat = element('div', {}, 'Used in chat');

  constructor(view: QuestionView, open: () => void) {
    this.view = view;
    this.box =
      isLaunch(view) && view.canAllowUnopened
        ? element('vscode-checkbox', {}, element('span', { class: 'name' }, ...shownText(view.label)))
        : undefined;
    const label = this.box || !isLaunch(view) ? 'Open' : 'Open to Answer';
    const button = element(
      'button',
      { class: 'fold', type: 'button', 'aria-label': `${label}: ${plainText(view.title)}` },
      label,
    );
    button.addEventListener('click', open);
    const name = isLaunch(view) ? view.label : view.title;
    this.node = element(
      'li',
      {},
      element(
        'div',
        { class: 'entry' },
        this.box ?? element('span', { class: 'name' }, ...shownText(name)),
        button,
      ),
      ...(isLaunch(view) ? this.#launch(view) : []),
    );
  }

  /** Says which folders allowing it would share, and whether chat would get it. */
  showChoices(uris: readonly string[], isInChat: boolean): void {
    hide(this.#chat, !isInChat);
    const { folders, sharing } = isLaunch(this.view) ? this.view : { folders: [] };
    if (sharing) {
      this.#folders.replaceChildren(...shownText(sharing));
      return;
    }
    const shared = folders.filter(({ uri }) => uris.includes(uri));
    this.#folders.replaceChildren(
      ...(shared.length === 0
        ? ['No folder']
        : shared.map(({ name, path }) => element('div', {}, ...shownText(name), ' ', ...apart([path])))),
    );
  }

  #launch({ rows, place, warnings, changes, isRenewed, notes }: LaunchView): readonly Node[] {
    const words = apart(rows.filter(isLine).flatMap(({ values }) => values));
    const facts = element('dl', { class: 'facts' });
    for (const { kind, title, values } of rows.filter((row) => !isLine(row) && !row.isUsual)) {
      const shown =
        kind === 'told' || kind === 'variables'
          ? values.map((value) => element('div', {}, ...shownText(value)))
          : apart(values);
      facts.append(element('dt', {}, title), element('dd', {}, ...shown));
    }
    facts.append(
      element('dt', {}, 'Defined in'),
      element('dd', {}, ...shownText(place)),
      element('dt', {}, 'Folders shared'),
      this.#folders,
    );
    if (notes.length > 0) {
      facts.append(
        element('dt', {}, 'Good to know'),
        element('dd', {}, ...notes.flatMap((text) => [...shownText(text), ' '])),
      );
    }
    hide(this.#chat, true);
    return [
      element('p', { class: 'line' }, ...words),
      ...(isRenewed ? [note('changed', ['This launch has changed since you last looked at it here.'])] : []),
      ...warnings.map((text) => note('warning', shownText(text))),
      ...(changes.length > 0
        ? [
            note('changed', [
              'Changed since you last allowed it: ',
              ...changes.flatMap((text) => [...shownText(text), ' ']),
            ]),
          ]
        : []),
      facts,
      this.#chat,
    ];
  }
}

function isLaunch(view: QuestionView): view is LaunchView {
  return view.kind === 'launch';
}

/** Texts side by side, so that one sees where each begins and ends, whatever is in it. */
function apart(texts: readonly PanelText[]): readonly (Node | string)[] {
  return texts.flatMap((text) => [element('code', {}, ...shownText(text)), ' ']);
}

/** What runs, or where it is reached: it stands on the first line. */
function isLine({ kind }: LaunchView['rows'][number]): boolean {
  return kind === 'command' || kind === 'arguments' || kind === 'address';
}
