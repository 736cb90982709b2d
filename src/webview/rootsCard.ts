import { html } from 'lit';
import { answerButton, changedNote, details, placeRow, titledList, type CardPort } from './card.ts';
import { code, shownText, type Content } from './elements.ts';
import { chosenFolders, folderChoice, foldersOffer, knownMeaning } from './folderChoice.ts';
import type { RootsQuestionView } from '../host/roots/rootsQuestion.ts';

/** The question which folders servers may see that have asked for them. */
export function rootsCard(view: RootsQuestionView, port: CardPort): Content {
  const { id, folders } = view;
  const chosen = chosenFolders(view, port);
  const all = folders.map(({ uri }) => uri);
  const share = (roots: readonly string[]) => (click: MouseEvent) =>
    port.answer({ type: 'answer', id, answer: 'share', roots }, click);
  const notNow = (click: MouseEvent): void => port.answer({ type: 'answer', id, answer: 'notNow' }, click);
  const isNone = chosen.length === 0;
  return html`
    ${changedNote(view, 'question')} ${folderChoice(foldersOffer(view, port), 'Share folders', port)}
    <div class="buttons">
      ${answerButton('Share Selected', view, share(chosen), { isPrimary: true, isDisabled: isNone })}
      ${answerButton('Share All', view, share(all))} ${answerButton("Don't Share", view, share([]))}
      ${answerButton('Not Now', view, notNow)}
    </div>
    ${details([placesOf(view, port), knownMeaning(view, port), html`<p class="hint">${view.meaningOfNone}</p>`])}
  `;
}

/** Where each of the servers is defined. */
function placesOf({ id, servers }: RootsQuestionView, port: CardPort): Content {
  const [only, ...others] = servers;
  return only && others.length === 0
    ? titledList([placeRow({ id, place: only.place }, port)])
    : html`<ul class="places">
        ${servers.map(({ label, place }) => html`<li>${shownText(label)}, defined in ${code(place)}</li>`)}
      </ul>`;
}
