import { html } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import type { VscodeCheckbox } from '@vscode-elements/elements/dist/vscode-checkbox/vscode-checkbox.js';
import { button, linkButton, note, type CardPort } from './card.ts';
import type { PanelText } from '../host/questions/panelText.ts';
import { isChosenInChat } from './chatChoice.ts';
import { code, plainText, shownText, type Content } from './elements.ts';
import { chosenFolders, filesOffer } from './folderChoice.ts';
import type { LaunchView } from '../host/launch/question/launchQuestion.ts';
import type { QuestionView } from '../host/questions/question.ts';

/** What the panel keeps under this name while it is out of sight: the ids of the selected launches. */
const SELECTED = 'selected';

/** Whether several launches wait, so that there is an overview. */
export function hasOverview(waiting: readonly QuestionView[]): boolean {
  return waiting.filter(isLaunch).length > 1;
}

/**
 * Everything that waits at a glance, before the questions themselves: each launch whole, with a box for those that can
 * be allowed together. `open` shows a question itself.
 */
export function overview(
  waiting: readonly QuestionView[],
  meaning: string | undefined,
  port: CardPort,
  open: (id: string) => void,
): Content {
  const boxes = waiting.filter(canBeSelected);
  const kept = port.chosen(SELECTED) ?? [];
  const selected = boxes.filter(({ id }) => kept.includes(id));
  const keep = (now: readonly QuestionView[]): void =>
    port.keep(
      SELECTED,
      now.map(({ id }) => id),
    );
  const isEach = boxes.length === waiting.length;
  const names = selected.map(({ label }) => plainText(label)).join(', ');
  const entries = repeat(
    waiting,
    ({ id }) => id,
    (view) =>
      entry(view, port, () => open(view.id), {
        isSelected: selected.some((one) => one === view),
        select: () => keep(boxes.filter((one) => selected.includes(one) !== (one === view))),
      }),
  );
  return html`<section class="overview" aria-labelledby="overview-title">
    <h2 id="overview-title" tabindex="-1">Overview</h2>
    ${meaning === undefined ? undefined : html`<p class="hint">${meaning}</p>`}
    <vscode-checkbox
      class="all"
      ?hidden=${boxes.length < 2}
      .label=${isEach ? `Select all ${boxes.length}` : `Select the ${boxes.length} without a warning or a change`}
      .checked=${live(boxes.length > 0 && selected.length === boxes.length)}
      .indeterminate=${selected.length > 0 && selected.length < boxes.length}
      @change=${({ target }: Event) => keep((target as VscodeCheckbox).checked ? boxes : [])}
    ></vscode-checkbox>
    <ul class="entries">
      ${entries}
    </ul>
    <div class="buttons" ?hidden=${boxes.length === 0}>
      ${button('Allow Selected', (click) => allowSelected(selected, port, click), {
        isPrimary: true,
        isDisabled: selected.length === 0,
        name: `Allow Selected: ${names || 'nothing is selected'}`,
      })}
      <p class="hint">${selected.length} of ${boxes.length} selected</p>
    </div>
  </section>`;
}

function allowSelected(selected: readonly LaunchView[], port: CardPort, click: MouseEvent): void {
  const questions = selected.map((view) => ({
    id: view.id,
    roots: chosenFolders(view, port),
    files: chosenFolders(filesOffer(view), port),
    ...(isChosenInChat(view, port) && { inChat: true }),
  }));
  port.allowSelected({ type: 'allowSelected', questions }, click);
}

/** One question in the overview: of a launch the whole of it, of others the title. */
function entry(
  view: QuestionView,
  port: CardPort,
  open: () => void,
  box: { readonly isSelected: boolean; readonly select: () => void },
): Content {
  const label = canBeSelected(view) || !isLaunch(view) ? 'Open' : 'Open to Answer';
  const name = html`<span class="name">${shownText(isLaunch(view) ? view.label : view.title)}</span>`;
  const selection = html`<vscode-checkbox .checked=${live(box.isSelected)} @change=${box.select}
    >${name}</vscode-checkbox
  >`;
  return html`<li>
    <div class="entry">
      ${canBeSelected(view) ? selection : name}
      ${linkButton(label, open, { name: `${label}: ${plainText(view.title)}` })}
    </div>
    ${isLaunch(view) ? launch(view, port) : undefined}
  </li>`;
}

function launch(view: LaunchView, port: CardPort): Content {
  const { rows, place, warnings, changes, isRenewed, notes } = view;
  const facts: readonly (readonly [title: string, about: Content])[] = [
    ...rows
      .filter((row) => !isLine(row) && !row.isUsual)
      .map(({ kind, title, values }) => {
        const areWords = kind === 'told' || kind === 'variables';
        return [
          title,
          areWords ? values.map((value) => html`<div>${shownText(value)}</div>`) : apart(values),
        ] as const;
      }),
    ['Defined in', shownText(place)],
    ['Folders shared', sharedFolders(view, port)],
    ...(notes.length > 0 ? [['Good to know', spaced(notes)] as const] : []),
  ];
  const isChanged = changes.length > 0;
  return html`<p class="line">${apart(rows.filter(isLine).flatMap(({ values }) => values))}</p>
    ${isRenewed ? note('changed', 'This launch has changed since you last looked at it here.') : undefined}
    ${warnings.map((text) => note('warning', shownText(text)))}
    ${isChanged ? note('changed', ['Changed since you last allowed it: ', spaced(changes)]) : undefined}
    <dl class="facts">
      ${facts.map(
        ([title, about]) =>
          html`<dt>${title}</dt>
            <dd>${about}</dd>`,
      )}
    </dl>
    ${isChosenInChat(view, port) ? html`<div>Used in chat</div>` : undefined}`;
}

/** Which folders allowing it would share. */
function sharedFolders(view: LaunchView, port: CardPort): Content {
  const { folders, sharing } = view;
  const uris = chosenFolders(view, port);
  const shared = folders.filter(({ uri }) => uris.includes(uri));
  if (sharing) {
    return shownText(sharing);
  }
  return shared.length === 0
    ? 'No folder'
    : shared.map(({ name, path }) => html`<div>${shownText(name)} ${apart([path])}</div>`);
}

function spaced(texts: readonly PanelText[]): Content {
  return texts.flatMap((text) => [shownText(text), ' ']);
}

/** Whether it can be allowed without being opened. */
function canBeSelected(view: QuestionView): view is LaunchView {
  return isLaunch(view) && view.canAllowUnopened;
}

function isLaunch(view: QuestionView): view is LaunchView {
  return view.kind === 'launch';
}

/** Texts side by side, so that one sees where each begins and ends, whatever is in it. */
function apart(texts: readonly PanelText[]): readonly Content[] {
  return texts.flatMap((text) => [code(text), ' ']);
}

/** What runs, or where it is reached: it stands on the first line. */
function isLine({ kind }: LaunchView['rows'][number]): boolean {
  return kind === 'command' || kind === 'arguments' || kind === 'address';
}
