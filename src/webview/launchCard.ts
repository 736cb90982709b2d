import { html } from 'lit';
import { answerButton, bullets, changedNote, note, titledList, type CardPort } from './card.ts';
import { chatChoice, isChosenInChat } from './chatChoice.ts';
import { code, shownText, type Content } from './elements.ts';
import { anyFolderOffer, chosenFolders, filesOffer, folderChoice, valuesOffer } from './folderChoice.ts';
import type { LaunchView } from '../host/launch/question/launchQuestion.ts';

/** The question whether a server may be launched. */
export function launchCard(view: LaunchView, port: CardPort): Content {
  const { id, files, values } = view;
  const deny = (click: MouseEvent): void => port.answer({ type: 'answer', id, answer: 'deny' }, click);
  return html`
    <p class="place">Defined in ${code(view.place)}</p>
    ${changedNote(view, 'launch')} ${warningList(view)} ${changeList(view)} ${launchList(view)}
    ${view.folders.length > 0 ? folderChoice(view, 'Share with this server', port) : sharingOf(view)}
    ${folderChoice(
      filesOffer(view),
      files.length === 1 ? 'Ask again when this file changes' : 'Ask again when one of these files changes',
      port,
    )}
    ${folderChoice(
      valuesOffer(view),
      values.length === 1 ? "Don't ask when this value changes" : "Don't ask when these values change",
      port,
    )}
    ${folderChoice(anyFolderOffer(view), 'Allow this launch', port)} ${chatChoice(view, port)}
    <div class="buttons">
      ${answerButton('Allow', view, (click) => allow(view, port, click), { isPrimary: true })}
      ${answerButton("Don't Allow", view, deny)}
      ${answerButton('Open the Definition', view, () => port.send({ type: 'openDefinition', id }))}
    </div>
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

function warningList({ warnings, warningsMeaning }: LaunchView): Content {
  return warnings.length > 0
    ? html`<h3>Look at this before you allow it</h3>
        ${warnings.map((warning) => note('warning', shownText(warning)))}
        <p class="hint">${warningsMeaning}</p>`
    : undefined;
}

function changeList({ changes }: LaunchView): Content {
  return changes.length > 0
    ? html`<h3>Changed since you last allowed it</h3>
        <ul class="changes">
          ${changes.map((change) => html`<li>${shownText(change)}</li>`)}
        </ul>`
    : undefined;
}

function launchList({ rows, notes }: LaunchView): Content {
  const hints = html`<div class="hint">${bullets(notes.map(shownText))}</div>`;
  return titledList([
    ...rows.map(({ kind, title, values }) => [title, valuesOf(kind, values.map(code))] as const),
    notes.length > 0 ? ['Good to know', hints] : undefined,
  ]);
}

/** Arguments are numbered. */
function valuesOf(kind: LaunchView['rows'][number]['kind'], values: readonly Content[]): Content {
  if (kind === 'arguments') {
    return html`<ol>
      ${values.map((value) => html`<li>${value}</li>`)}
    </ol>`;
  }
  return values.length === 1 ? values : bullets(values);
}

/** What is shared where nothing is left to choose. */
export function sharingOf({ sharing, meaning }: Pick<LaunchView, 'sharing' | 'meaning'>): Content {
  return sharing
    ? html`<div>
        <p>${shownText(sharing)}</p>
        <p class="hint meaning">${meaning}</p>
      </div>`
    : html`<p class="hint">No folder of the workspace can be shared with this server.</p>`;
}
