import type { CallView } from '../host/approval/reviewProtocol.ts';
import { answerButton, type CardPort } from './card.ts';
import { element, shownText } from './elements.ts';

/** A request of a model or another extension to a server. */
export function callCard(view: CallView, port: CardPort): readonly Node[] {
  const { id } = view;
  return [
    ...view.arguments.map(({ name, value }) =>
      element('p', {}, ...shownText(name), ': ', element('code', {}, ...shownText(value))),
    ),
    element(
      'div',
      { class: 'buttons' },
      answerButton('Allow Once', view, { isPrimary: true }, (click) =>
        port.answer({ type: 'answer', id, answer: 'run', span: 'once', scope: 'one' }, click),
      ),
      answerButton("Don't Allow", view, {}, (click) =>
        port.answer({ type: 'answer', id, answer: 'refuse', span: 'once', scope: 'one' }, click),
      ),
    ),
  ];
}
