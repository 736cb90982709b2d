import { html } from 'lit';
import {
  answerButton,
  bullets,
  changedNote,
  details,
  note,
  placeRow,
  titledList,
  type CardContent,
  type CardPort,
} from './card.ts';
import { chatChoice, isChosenInChat } from './chatChoice.ts';
import { code, shownText, type Content } from './elements.ts';
import {
  anyFolderOffer,
  chosenFolders,
  filesOffer,
  folderChoice,
  foldersOffer,
  knownMeaning,
  valuesOffer,
} from './folderChoice.ts';
import type { LaunchView } from '../host/launch/question/launchQuestion.ts';
import type { PanelText } from '../host/questions/panelText.ts';

type Row = LaunchView['rows'][number];

/** The question whether a server may be launched: what decides is in sight, also while it is closed. */
export function launchCard(view: LaunchView, port: CardPort): CardContent {
  return { brief: (isOpen) => brief(view, port, isOpen), view: () => choices(view, port) };
}

/** The whole launch as far as an approval fixes it or it is unusual, and what allowing it would share. */
function brief(view: LaunchView, port: CardPort, isOpen: boolean): Content {
  const { rows, warnings, changes } = view;
  const facts = rows.filter((row) => !isLine(row) && !isDetail(row));
  const line = rows.filter(isLine).flatMap(({ values }) => values);
  return html`<p class="line">${apart(line)}</p>
    ${changedNote(view, 'launch')} ${warnings.map((text) => note('warning', shownText(text)))}
    ${
      changes.length > 0
        ? note('changed', ['Changed since you last allowed it:', bullets(changes.map(shownText))])
        : undefined
    }
    ${titledList(facts.map(({ title, values }) => [title, apart(values)] as const))}
    ${isOpen && view.folders.length > 0 ? undefined : granted(view, port)}`;
}

/** What allowing it gives, in a line. */
function granted(view: LaunchView, port: CardPort): Content {
  const { folders, sharing } = view;
  const uris = chosenFolders(view, port);
  const shared = folders.filter(({ uri }) => uris.includes(uri)).map(({ path }) => path);
  const words = [
    sharing ? shownText(sharing) : shared.length === 0 ? 'Shares no folder' : ['Shares ', apart(shared)],
    isChosenInChat(view, port) ? ' · In chat' : undefined,
  ];
  return html`<p class="hint granted">${words}</p>`;
}

function choices(view: LaunchView, port: CardPort): Content {
  const { id, files, values } = view;
  const deny = (click: MouseEvent): void => port.answer({ type: 'answer', id, answer: 'deny' }, click);
  return html`
    ${folderChoice(foldersOffer(view, port), 'Share folders', port)}
    ${folderChoice(
      valuesOffer(view),
      values.length === 1 ? "Don't ask when this value changes" : "Don't ask when these values change",
      port,
    )}
    ${chatChoice(view, port)}
    <div class="buttons">
      ${answerButton('Allow', view, (click) => allow(view, port, click), { isPrimary: true })}
      ${answerButton("Don't Allow", view, deny)}
    </div>
    ${details([
      titledList([
        ...view.rows.filter(isDetail).map(({ title, values }) => [title, lines(values.map(code))] as const),
        placeRow(view, port),
        view.notes.length > 0 ? ['Notes', lines(view.notes.map(shownText))] : undefined,
      ]),
      folderChoice(
        filesOffer(view),
        files.length === 1 ? 'Ask again when this file changes' : 'Ask again when these files change',
        port,
      ),
      folderChoice(anyFolderOffer(view), 'Allow this launch', port),
      knownMeaning(view, port),
      view.warningsMeaning === undefined ? undefined : html`<p class="hint">${view.warningsMeaning}</p>`,
    ])}
  `;
}

function allow(view: LaunchView, port: CardPort, click: MouseEvent): void {
  const { id, files, values } = view;
  port.answer(
    {
      type: 'answer',
      id,
      answer: 'allow',
      roots: chosenFolders(view, port),
      ...(files.length > 0 && { files: chosenFolders(filesOffer(view), port) }),
      ...(values.length > 0 && { values: chosenFolders(valuesOffer(view), port) }),
      ...(chosenFolders(anyFolderOffer(view), port).length > 0 && { inAnyFolder: true }),
      ...(isChosenInChat(view, port) && { inChat: true }),
    },
    click,
  );
}

/** What runs, or where it is reached. */
function isLine({ kind }: Row): boolean {
  return kind === 'command' || kind === 'arguments' || kind === 'address';
}

/** Neither an approval fixes it, nor is it unusual. */
function isDetail({ kind, isUsual }: Row): boolean {
  return isUsual || kind === 'variables' || kind === 'told';
}

/** Texts side by side, so that one sees where each begins and ends, whatever is in it. */
function apart(texts: readonly PanelText[]): readonly Content[] {
  return texts.flatMap((text) => [code(text), ' ']);
}

function lines(values: readonly Content[]): Content {
  return values.length === 1 ? values : bullets(values);
}
