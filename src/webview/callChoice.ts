import type { CardPort } from './card.ts';
import { element, shownText } from './elements.ts';
import type { CallAnswer, CallSpan, CallView } from '../host/gate/callQuestion.ts';

/** For how long an answer holds, and for what. */
export interface CallChoice {
  readonly nodes: readonly Node[];
  readonly chosen: () => { readonly span: CallSpan; readonly scope: CallAnswer['scope'] };
}

/** One thing out of several. */
interface OneOf<T extends string> {
  readonly node: HTMLElement;
  readonly chosen: () => T;
}

/** The choice as it was made last, or the least that it can be; nothing to choose where there is but one. */
export function callChoice({ id, spans, scopes }: CallView, port: CardPort): CallChoice {
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
