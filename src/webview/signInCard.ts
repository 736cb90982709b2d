import type { ScopeView, SignInQuestionView } from '../host/auth/signInQuestion.ts';
import type { PanelText } from '../host/questions/panelText.ts';
import { answerButton, changedNote, note, type CardPort } from './card.ts';
import { element, shownText } from './elements.ts';

/** The question whether you sign in to a server, or grant it more. */
export function signInCard(view: SignInQuestionView, port: CardPort): readonly Node[] {
  const { id } = view;
  return [
    ...(view.reason ? [element('p', {}, ...shownText(view.reason))] : []),
    element('p', { class: 'flow' }, ...shownText(view.flow)),
    element('p', { class: 'place' }, 'Defined in ', element('code', {}, ...shownText(view.place))),
    ...(view.isRenewed ? [changedNote('question')] : []),
    ...warningList(view),
    partList(view),
    element('p', { class: 'hint' }, view.meaning),
    element(
      'div',
      { class: 'buttons' },
      answerButton('Sign In', view, { isPrimary: true }, (click) =>
        port.answer({ type: 'answer', id, answer: 'signIn' }, click),
      ),
      answerButton('Not Now', view, {}, (click) =>
        port.answer({ type: 'answer', id, answer: 'notNow' }, click),
      ),
    ),
  ];
}

function warningList({ warnings = [] }: SignInQuestionView): readonly Node[] {
  return warnings.length === 0
    ? []
    : [
        element('h3', {}, 'Look at this before you sign in'),
        ...warnings.map((warning) => note('warning', shownText(warning))),
      ];
}

/** Who takes part, and what for: addresses and scopes character by character. */
function partList(view: SignInQuestionView): HTMLElement {
  const rows: readonly (readonly [title: string, ...values: readonly Node[]])[] = [
    ['Server', element('span', {}, ...shownText(view.label), ' at '), code(view.address)],
    ['Who signs you in', code(view.issuer), element('span', {}, ', on the host '), code(view.host)],
    ['Asked for', scopeList(view.scopes)],
    ...(view.resource ? [['The token is only for', code(view.resource)] as const] : []),
    [
      'Good to know',
      element(
        'ul',
        {},
        element('li', {}, ...shownText(view.oauthClient)),
        element('li', {}, ...shownText(view.answer)),
      ),
    ],
  ];
  return element(
    'dl',
    { class: 'launch' },
    ...rows.flatMap(([title, ...values]) => [element('dt', {}, title), element('dd', {}, ...values)]),
  );
}

function scopeList(scopes: readonly ScopeView[]): HTMLElement {
  if (scopes.length === 0) {
    return element('span', {}, 'nothing in particular: the issuer decides what the token allows');
  }
  const items = scopes.map(({ scope, words, isAdded }) =>
    element(
      'li',
      {},
      element('code', {}, ...shownText(scope)),
      ...(words === undefined ? [] : [` ${words}`]),
      ...(isAdded ? [element('strong', { class: 'added' }, ' (new)')] : []),
    ),
  );
  return element('ul', {}, ...items);
}

function code(text: PanelText): HTMLElement {
  return element('code', {}, ...shownText(text));
}
