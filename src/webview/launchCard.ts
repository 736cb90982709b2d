import type { PanelText } from '../host/questions/panelText.ts';
import { answerButton, changedNote, note, type CardPort } from './card.ts';
import { chatChoice } from './chatChoice.ts';
import { element, shownText } from './elements.ts';
import { anyFolderOffer, filesOffer, folderChoice, valuesOffer, type FolderChoice } from './folderChoice.ts';
import type { LaunchView } from '../host/launch/question/launchQuestion.ts';

/** The question whether a server may be launched. */
export function launchCard(view: LaunchView, port: CardPort): readonly Node[] {
  const { id } = view;
  const folders = folderPart(view, port);
  const files = filePart(view, port);
  const values = valuePart(view, port);
  const anywhere =
    view.anyFolder.length === 0 ? undefined : folderChoice(anyFolderOffer(view), 'Allow this launch', port);
  const chat = chatChoice(view, port);
  return [
    element('p', { class: 'place' }, 'Defined in ', element('code', {}, ...shownText(view.place))),
    ...(view.isRenewed ? [changedNote('launch')] : []),
    ...warningList(view),
    ...changeList(view.changes),
    launchList(view),
    folders.node,
    ...(files ? [files.node] : []),
    ...(values ? [values.node] : []),
    ...(anywhere ? [anywhere.node] : []),
    ...(chat ? [chat.node] : []),
    element(
      'div',
      { class: 'buttons' },
      answerButton('Allow', view, { isPrimary: true }, (click) =>
        port.answer(
          {
            type: 'answer',
            id,
            answer: 'allow',
            roots: folders.chosen(),
            ...(files && { files: files.chosen() }),
            ...(values && { values: values.chosen() }),
            ...(anywhere && anywhere.chosen().length > 0 && { inAnyFolder: true }),
            ...(chat?.isChosen() && { inChat: true }),
          },
          click,
        ),
      ),
      answerButton("Don't Allow", view, {}, (click) =>
        port.answer({ type: 'answer', id, answer: 'deny' }, click),
      ),
      answerButton('Open the Definition', view, {}, () => port.send({ type: 'openDefinition', id })),
    ),
  ];
}

function warningList({ warnings, warningsMeaning = '' }: LaunchView): readonly Node[] {
  return warnings.length === 0
    ? []
    : [
        element('h3', {}, 'Look at this before you allow it'),
        ...warnings.map((warning) => note('warning', shownText(warning))),
        element('p', { class: 'hint' }, warningsMeaning),
      ];
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

function launchList({ rows, notes }: LaunchView): HTMLElement {
  const list = element('dl', { class: 'launch' });
  for (const { kind, title, values } of rows) {
    const isNumbered = kind === 'arguments';
    const items = values.map((value) => element('li', {}, element('code', {}, ...shownText(value))));
    const only = items.length === 1 && !isNumbered ? items[0]?.firstChild : undefined;
    list.append(
      element('dt', {}, title),
      element('dd', {}, only ?? element(isNumbered ? 'ol' : 'ul', {}, ...items)),
    );
  }
  if (notes.length > 0) {
    const items = notes.map((text) => element('li', {}, ...shownText(text)));
    list.append(
      element('dt', {}, 'Good to know'),
      element('dd', { class: 'hint' }, element('ul', {}, ...items)),
    );
  }
  return list;
}

/** The folders to choose from; where something has decided beforehand, what it shares. */
function folderPart(view: LaunchView, port: CardPort): FolderChoice {
  const { folders, sharing, meaning } = view;
  if (folders.length > 0) {
    return folderChoice(view, 'Share with this server', port);
  }
  const node = element(
    'div',
    {},
    ...(sharing
      ? [element('p', {}, ...shownText(sharing)), element('p', { class: 'hint meaning' }, meaning)]
      : [element('p', { class: 'hint' }, 'No folder of the workspace can be shared with this server.')]),
  );
  return { node, chosen: () => [] };
}

/** The files that the launch names, to be compared at each start. */
function filePart(view: LaunchView, port: CardPort): FolderChoice | undefined {
  return view.files.length === 0
    ? undefined
    : folderChoice(
        filesOffer(view),
        view.files.length === 1
          ? 'Ask again when this file changes'
          : 'Ask again when one of these files changes',
        port,
      );
}

/** The variables that have changed in the `envFile`, and may do so without a question. */
function valuePart(view: LaunchView, port: CardPort): FolderChoice | undefined {
  return view.values.length === 0
    ? undefined
    : folderChoice(
        valuesOffer(view),
        view.values.length === 1 ? "Don't ask when this value changes" : "Don't ask when these values change",
        port,
      );
}
