import type { SamplingPartView, SamplingView } from '../../host/sampling/review/samplingProtocol.ts';
import { EditableText } from './editableText.ts';
import { element, shownText } from '../elements.ts';
import { foldedText } from '../foldedText.ts';

/** Parts of a message or an answer, and their editable texts. */
export interface ShownParts {
  readonly nodes: readonly HTMLElement[];
  readonly texts: readonly EditableText[];
}

export function shownParts(
  parts: readonly SamplingPartView[],
  id: string,
  changed: (isDone: boolean) => void,
): ShownParts {
  const texts: EditableText[] = [];
  const nodes = parts.map((part, index) => {
    switch (part.kind) {
      case 'text': {
        const text = new EditableText(part.text, id, changed);
        texts.push(text);
        return text.node;
      }
      case 'image':
        return imageOf(part);
      case 'data': {
        const title = element('p', { class: 'data' }, ...shownText(part.title));
        return element(
          'div',
          {},
          title,
          foldedText(part.text, title.textContent, `${id}-data-${index}`, 'code'),
        );
      }
    }
  });
  return { nodes, texts };
}

/** The whole request: system prompt, messages, tools, and the rest. */
export function shownRequest(view: SamplingView, changed: (isDone: boolean) => void): ShownParts {
  const { id, system, messages } = view;
  const blocks = [
    ...(system
      ? [{ title: 'System prompt', ...shownParts([{ kind: 'text', text: system }], id, changed) }]
      : []),
    ...messages.map(({ title, parts }, index) => ({
      title,
      ...shownParts(parts, `${id}-${index}`, changed),
    })),
  ];
  return {
    nodes: [
      ...blocks.flatMap(({ title, nodes }) => [element('h3', {}, title), ...nodes]),
      ...toolList(view),
      factList(view),
    ],
    texts: blocks.flatMap(({ texts }) => texts),
  };
}

function imageOf({ words, source }: SamplingPartView & { readonly kind: 'image' }): HTMLElement {
  // Only embedded data is shown; the page's policy allows nothing else either.
  const image =
    source?.startsWith('data:image/') === true
      ? [element('img', { src: source, alt: words, decoding: 'async' })]
      : [];
  return element('figure', {}, ...image, element('figcaption', { class: 'hint' }, words));
}

/** The tools that the model would get. */
function toolList({ id, tools }: SamplingView): readonly HTMLElement[] {
  if (tools.length === 0) {
    return [];
  }
  const items = tools.map(({ name, description, schema }, index) =>
    element(
      'details',
      { class: 'tool' },
      element('summary', {}, element('code', {}, ...shownText(name))),
      ...(description.characters > 0
        ? [foldedText(description, 'the description', `${id}-tool-${index}`, 'prose')]
        : []),
      foldedText(schema, 'the schema', `${id}-schema-${index}`),
    ),
  );
  return [element('h3', {}, 'Tools of the server that the model may ask for'), ...items];
}

/** The other parameters of the request. */
function factList({ facts }: SamplingView): HTMLElement {
  const list = element('dl', { class: 'launch' });
  for (const { title, values, isQuoted } of facts) {
    const shown = values.map((value) => element(isQuoted ? 'code' : 'span', {}, ...shownText(value)));
    const items = shown.map((value) => element('li', {}, value));
    list.append(element('dt', {}, title), element('dd', {}, element('ul', {}, ...items)));
  }
  return list;
}
