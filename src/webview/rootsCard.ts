import { html } from 'lit';
import { answerButton, changedNote, type CardPort } from './card.ts';
import { code, shownText, type Content } from './elements.ts';
import { chosenFolders, folderChoice } from './folderChoice.ts';
import type { RootsQuestionView } from '../host/roots/rootsQuestion.ts';

/** The question which folders servers may see that have asked for them. */
export function rootsCard(view: RootsQuestionView, port: CardPort): Content {
  const { id, servers, folders } = view;
  const chosen = chosenFolders(view, port);
  const all = folders.map(({ uri }) => uri);
  const share = (roots: readonly string[]) => (click: MouseEvent) =>
    port.answer({ type: 'answer', id, answer: 'share', roots }, click);
  const notNow = (click: MouseEvent): void => port.answer({ type: 'answer', id, answer: 'notNow' }, click);
  const legend = servers.length === 1 ? 'Share with this server' : 'Share with these servers';
  const isNone = chosen.length === 0;
  return html`
    ${placesOf(view)} ${changedNote(view, 'question')} ${folderChoice(view, legend, port)}
    <p class="hint">${view.meaningOfNone}</p>
    <div class="buttons">
      ${answerButton('Share Selected', view, share(chosen), { isPrimary: true, isDisabled: isNone })}
      ${answerButton('Share All', view, share(all))} ${answerButton("Don't Share", view, share([]))}
      ${answerButton('Not Now', view, notNow)}
    </div>
  `;
}

/** Where each of the servers is defined. */
function placesOf({ servers }: RootsQuestionView): Content {
  const [only, ...others] = servers;
  if (only && others.length === 0) {
    return html`<p class="place">Defined in ${code(only.place)}</p>`;
  }
  return html`<ul class="places">
    ${servers.map(({ label, place }) => html`<li>${shownText(label)}, defined in ${code(place)}</li>`)}
  </ul>`;
}
