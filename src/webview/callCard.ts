import { answerButton, changedNote, note, placeLine, type CardPort } from './card.ts';
import { element, shownText } from './elements.ts';
import { foldedText } from './foldedText.ts';
import type { CallAnswer, CallSpan, CallView } from '../host/gate/callQuestion.ts';

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
  return placeLine(place, ...(asker ? ['Asked by ', element('code', {}, ...shownText(asker)), '. '] : []));
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

/** What the server says about it: set apart, because anyone could have written it. */
function saidOf({ id, description, claims }: CallView): readonly Node[] {
  return [
    ...(description.length > 0
      ? [
          element('h3', {}, 'What the server says about it'),
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

/** For how long an answer holds, and for what. */
interface CallChoice {
  readonly nodes: readonly Node[];
  readonly chosen: () => { readonly span: CallSpan; readonly scope: CallAnswer['scope'] };
}

/** One thing out of several. */
interface OneOf<T extends string> {
  readonly node: HTMLElement;
  readonly chosen: () => T;
}

/** The choice as it was made last, or the least that it can be; nothing to choose where there is but one. */
function callChoice({ id, spans, scopes }: CallView, port: CardPort): CallChoice {
  const kept = port.chosen(id) ?? [];
  const isAsked = spans.length > 1;
  const span = oneOf<CallSpan>(`${id}-span`, 'Allow for how long', spans, kept, 'once');
  const scope = oneOf(`${id}-scope`, 'Allow or never allow what', scopes, kept, scopes[0]?.value ?? 'one');
  const chosen = () => ({ span: span.chosen(), scope: scope.chosen() });
  const shown = [...(isAsked ? [span.node] : []), ...(isAsked && scopes.length > 1 ? [scope.node] : [])];
  const node = element('div', { class: 'choices' }, ...shown);
  node.addEventListener('change', () => port.keep(id, Object.values(chosen())));
  return { nodes: isAsked ? [node] : [], chosen };
}

function oneOf<T extends string>(
  name: string,
  legend: string,
  options: readonly { readonly value: T; readonly label: Parameters<typeof shownText>[0] | string }[],
  kept: readonly string[],
  initial: T,
): OneOf<T> {
  const start = options.find(({ value }) => kept.includes(value))?.value ?? initial;
  const buttons = options.map(({ value, label }) => {
    const input = element('input', { type: 'radio', name, value });
    input.checked = value === start;
    const text = typeof label === 'string' ? [label] : shownText(label);
    return { value, input, node: element('label', {}, input, element('span', {}, ...text)) };
  });
  return {
    node: element('fieldset', {}, element('legend', {}, legend), ...buttons.map(({ node }) => node)),
    chosen: () => buttons.find(({ input }) => input.checked)?.value ?? initial,
  };
}
