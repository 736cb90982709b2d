import type { VscodeCheckbox } from '@vscode-elements/elements/dist/vscode-checkbox/vscode-checkbox.js';
import type { PanelText } from '../host/questions/panelText.ts';
import { note } from './card.ts';
import { element, plainText, shownText } from './elements.ts';
import type { LaunchView } from '../host/launch/question/launchQuestion.ts';
import type { QuestionView } from '../host/questions/question.ts';

/** One question in the overview: of a launch the whole of it, of others the title. */
export class OverviewEntry {
  readonly node: HTMLElement;
  readonly view: QuestionView;
  /** Selects it; only where it can be allowed without being opened. */
  readonly box: VscodeCheckbox | undefined;
  readonly #folders = element('dd');

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

  /** Says which folders allowing it would share. */
  showFolders(uris: readonly string[]): void {
    const { folders, sharing } = isLaunch(this.view) ? this.view : { folders: [] };
    if (sharing) {
      this.#folders.replaceChildren(...shownText(sharing));
      return;
    }
    const shared = folders.filter(({ uri }) => uris.includes(uri));
    this.#folders.replaceChildren(
      ...(shared.length === 0
        ? ['No folder']
        : shared.flatMap(({ name, path }) => [...shownText(name), ' ', ...apart([path])])),
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
    ];
  }
}

export function isLaunch(view: QuestionView): view is LaunchView {
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
