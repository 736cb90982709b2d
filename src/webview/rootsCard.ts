import { answerButton, changedNote, type CardPort } from './card.ts';
import { element, shownText } from './elements.ts';
import { folderChoice } from './folderChoice.ts';
import type { RootsQuestionView } from '../host/roots/rootsQuestion.ts';

/** The question which folders servers may see that have asked for them. */
export function rootsCard(view: RootsQuestionView, port: CardPort): readonly Node[] {
  const { id, servers, folders } = view;
  const legend = servers.length === 1 ? 'Share with this server' : 'Share with these servers';
  const choice = folderChoice(view, legend, port);
  const all = folders.map(({ uri }) => uri);
  const share = (roots: () => readonly string[]) => (click: MouseEvent) =>
    port.answer({ type: 'answer', id, answer: 'share', roots: roots() }, click);
  const selected = answerButton('Share Selected', view, { isPrimary: true }, share(choice.chosen));
  const update = (): void => {
    selected.disabled = choice.chosen().length === 0;
  };
  choice.node.addEventListener('change', update);
  update();
  return [
    placesOf(view),
    ...(view.isRenewed ? [changedNote('question')] : []),
    choice.node,
    element('p', { class: 'hint' }, view.meaningOfNone),
    element(
      'div',
      { class: 'buttons' },
      selected,
      answerButton(
        'Share All',
        view,
        {},
        share(() => all),
      ),
      answerButton(
        "Don't Share",
        view,
        {},
        share(() => []),
      ),
      answerButton('Not Now', view, {}, (click) =>
        port.answer({ type: 'answer', id, answer: 'notNow' }, click),
      ),
    ),
  ];
}

/** Where each of the servers is defined. */
function placesOf({ servers }: RootsQuestionView): HTMLElement {
  const [only, ...others] = servers;
  if (only && others.length === 0) {
    return element('p', { class: 'place' }, 'Defined in ', element('code', {}, ...shownText(only.place)));
  }
  return element(
    'ul',
    { class: 'places' },
    ...servers.map(({ label, place }) =>
      element('li', {}, ...shownText(label), ', defined in ', element('code', {}, ...shownText(place))),
    ),
  );
}
