import { callChoice, type CallChoice } from './callChoice.ts';
import { answerButton, changedNote, note, type CardPort } from './card.ts';
import { element, shownText } from './elements.ts';
import { foldedText } from './foldedText.ts';
import type { CallView } from '../host/gate/callQuestion.ts';

/** A request of a model or another extension to a server. */
export function callCard(view: CallView, port: CardPort): readonly Node[] {
  const { id } = view;
  const choice = callChoice(view, port);
  const answer = { type: 'answer', id } as const;
  return [
    placeOf(view),
    ...(view.isRenewed ? [changedNote('request')] : []),
    ...view.warnings.map((warning) => note('warning', ['Warning: ', ...shownText(warning)])),
    ...requestOf(view),
    ...saidOf(view),
    ...choice.nodes,
    element(
      'div',
      { class: 'buttons' },
      answerButton('Allow', view, { isPrimary: true }, (click) =>
        port.answer({ ...answer, answer: 'run', ...choice.chosen() }, click),
      ),
      answerButton("Don't Allow", view, {}, (click) =>
        port.answer({ ...answer, answer: 'refuse', span: 'once', scope: 'one' }, click),
      ),
      ...(view.canRefuseAlways ? [neverButton(view, port, choice)] : []),
      answerButton('Open the Definition', view, {}, () => port.send({ type: 'openDefinition', id })),
    ),
    element('p', { class: 'hint' }, ...shownText(view.hint)),
  ];
}

function neverButton(view: CallView, port: CardPort, { chosen }: CallChoice): HTMLElement {
  return answerButton('Never Allow', view, {}, (click) => {
    const { scope } = chosen();
    port.answer({ type: 'answer', id: view.id, answer: 'refuse', span: 'always', scope }, click);
  });
}

function placeOf({ asker, place }: CallView): HTMLElement {
  return element(
    'p',
    { class: 'place' },
    ...(asker ? ['Asked by ', element('code', {}, ...shownText(asker)), '. '] : []),
    'Server defined in ',
    element('code', {}, ...shownText(place)),
  );
}

/** What the server would get. */
function requestOf({ id, resource, arguments: given }: CallView): readonly Node[] {
  if (resource) {
    return [element('h3', {}, 'Resource'), foldedText(resource, 'the address', `${id}-resource`)];
  }
  if (given.length === 0) {
    return [element('p', {}, 'Without arguments')];
  }
  const list = element('dl', { class: 'arguments' });
  given.forEach(({ name, value }, index) => {
    const title = element('dt', {}, ...shownText(name));
    list.append(title, element('dd', {}, foldedText(value, title.textContent, `${id}-${index}`)));
  });
  return [element('h3', {}, 'Arguments'), list];
}

/** What the server says of it: set apart, because anyone could have written it. */
function saidOf({ id, description, claims }: CallView): readonly Node[] {
  return [
    ...(description.length > 0
      ? [
          element('h3', {}, 'What the server says of it'),
          element(
            'div',
            { class: 'said' },
            ...description.map((text, index) => foldedText(text, 'it', `${id}-said-${index}`, 'prose')),
          ),
        ]
      : []),
    ...(claims.length > 0 ? [element('p', {}, ...shownText(claims))] : []),
  ];
}
