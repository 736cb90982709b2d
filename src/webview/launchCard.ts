import type { VscodeButton } from '@vscode-elements/elements/dist/vscode-button/vscode-button.js';
import type { VscodeCheckbox } from '@vscode-elements/elements/dist/vscode-checkbox/vscode-checkbox.js';
import type { FromPanel, LaunchView, PanelText } from '../host/approval/reviewProtocol.ts';
import { element, plainText, shownText, warningIcon } from './elements.ts';

declare global {
  interface HTMLElementTagNameMap {
    'vscode-button': VscodeButton;
    'vscode-checkbox': VscodeCheckbox;
  }
}

/** What a card needs of the panel around it. */
export interface CardPort {
  send(message: FromPanel): void;
  /** Sends an answer, unless the panel has just moved under the pointer; a second one is never sent. */
  answer(message: FromPanel & { readonly type: 'answer' }, click: MouseEvent): void;
  /** The folders that were chosen before the panel was out of sight. */
  chosenFolders(id: string): readonly string[] | undefined;
  keepFolders(id: string, uris: readonly string[]): void;
}

/** The question whether a server may be launched. */
export function launchCard(view: LaunchView, port: CardPort): readonly Node[] {
  const { id } = view;
  const folders = folderChoice(view, port);
  return [
    element('p', { class: 'place' }, 'Defined in ', element('code', {}, ...shownText(view.place))),
    ...(view.isRenewed
      ? [note('changed', ['This launch has changed since you last looked at it here. Please read it again.'])]
      : []),
    ...view.warnings.map((warning) => note('warning', ['Warning: ', ...shownText(warning)])),
    ...changeList(view.changes),
    launchList(view),
    folders.node,
    element(
      'div',
      { class: 'buttons' },
      button('Allow', view, (click) =>
        port.answer({ type: 'answer', id, answer: 'allow', roots: folders.chosen() }, click),
      ),
      button("Don't Allow", view, (click) => port.answer({ type: 'answer', id, answer: 'deny' }, click)),
      button('Open the Definition', view, () => port.send({ type: 'openDefinition', id })),
    ),
  ];
}

function note(kind: 'warning' | 'changed', text: readonly (Node | string)[]): HTMLElement {
  return element('div', { class: `note ${kind}` }, warningIcon(), element('p', {}, ...text));
}

function changeList(changes: readonly PanelText[]): readonly Node[] {
  if (changes.length === 0) {
    return [];
  }
  return [
    element('h3', {}, 'Changed since you last allowed it'),
    element('ul', { class: 'changes' }, ...changes.map((change) => element('li', {}, ...shownText(change)))),
  ];
}

function launchList({ rows }: LaunchView): HTMLElement {
  const list = element('dl', { class: 'launch' });
  for (const { title, isNumbered, values } of rows) {
    const items = values.map((value) => element('li', {}, element('code', {}, ...shownText(value))));
    const only = items.length === 1 && !isNumbered ? items[0]?.firstChild : undefined;
    list.append(
      element('dt', {}, title),
      element('dd', {}, only ?? element(isNumbered ? 'ol' : 'ul', {}, ...items)),
    );
  }
  return list;
}

function folderChoice(
  view: LaunchView,
  port: CardPort,
): { readonly node: Node; readonly chosen: () => readonly string[] } {
  const { id, folders, sharing } = view;
  if (folders.length === 0) {
    const text = sharing
      ? shownText(sharing)
      : ['No folder of the workspace can be shared with this server.'];
    return {
      node: element('p', { class: 'hint' }, ...text),
      chosen: () => [],
    };
  }
  const kept = port.chosenFolders(id);
  const boxes = folders.map(({ uri, name, path, isProposed }) => {
    const box = element(
      'vscode-checkbox',
      {},
      element('span', { class: 'folder' }, ...shownText(name)),
      ' ',
      element('span', { class: 'path' }, ...shownText(path)),
    );
    box.value = uri;
    box.checked = kept ? kept.includes(uri) : isProposed;
    return box;
  });
  const chosen = (): readonly string[] => boxes.filter(({ checked }) => checked).map(({ value }) => value);
  const node = element(
    'fieldset',
    { 'aria-describedby': `hint-${id}` },
    element('legend', {}, 'Share with this server'),
    ...boxes,
    element(
      'p',
      { class: 'hint', id: `hint-${id}` },
      'Shared folders tell the server where to work. They do not confine it: a server that runs on this ',
      'machine can reach everything that you can.',
    ),
  );
  node.addEventListener('change', () => port.keepFolders(id, chosen()));
  return { node, chosen };
}

/** A button whose name says to a screen reader which question it belongs to. */
function button(label: string, view: LaunchView, press: (click: MouseEvent) => void): HTMLElement {
  const made = element(
    'vscode-button',
    { 'aria-label': `${label}: ${plainText(view.title)}`, class: 'answer' },
    label,
  );
  made.secondary = label !== 'Allow';
  made.addEventListener('click', press);
  made.addEventListener('keydown', (event) => {
    if (event.key === ' ') {
      event.preventDefault(); // it would also scroll
    }
  });
  return made;
}
