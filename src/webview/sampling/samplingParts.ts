import { html } from 'lit';
import type { SamplingPartView, SamplingView } from '../../host/sampling/review/samplingProtocol.ts';
import { bullets, titledList } from '../card.ts';
import { code, plainText, shownText, type Content } from '../elements.ts';
import { foldedText } from '../foldedText.ts';
import { EditableText, type TextPort } from './editableText.ts';

/** Parts of a message or an answer, and their editable texts. */
export interface ShownParts {
  readonly texts: readonly EditableText[];
  view(): Content;
}

export function shownParts(parts: readonly SamplingPartView[], id: string, port: TextPort): ShownParts {
  const editable = parts.map((part) =>
    part.kind === 'text' ? new EditableText(part.text, id, port) : undefined,
  );
  return {
    texts: editable.flatMap((text) => text ?? []),
    view: () => parts.map((part, index) => editable[index]?.view() ?? fixedPart(part, `${id}-data-${index}`)),
  };
}

/** The whole request: system prompt, messages, tools, and the rest. */
export function shownRequest(view: SamplingView, port: TextPort): ShownParts {
  const { id, system, messages } = view;
  const blocks = [
    ...(system
      ? [{ title: 'System prompt', ...shownParts([{ kind: 'text', text: system }], id, port) }]
      : []),
    ...messages.map(({ title, parts }, index) => ({ title, ...shownParts(parts, `${id}-${index}`, port) })),
  ];
  return {
    texts: blocks.flatMap(({ texts }) => texts),
    view: () => [
      blocks.map((block) => [html`<h3>${block.title}</h3>`, block.view()]),
      toolList(view),
      factList(view, false),
    ],
  };
}

/** The rest of a request: what the server wrote or is unusual, or its numbers, which are among the details. */
export function factList({ facts }: SamplingView, areDetails: boolean): Content {
  return titledList(
    facts
      .filter(({ isDetail }) => isDetail === areDetails)
      .map(({ title, values, isQuoted }) => [title, bullets(values.map(isQuoted ? code : shownText))]),
  );
}

function fixedPart(part: SamplingPartView, id: string): Content {
  switch (part.kind) {
    case 'text':
      return undefined;
    case 'image':
      // Only embedded data is shown; the page's policy allows nothing else either.
      return html`<figure>
        ${
          part.source?.startsWith('data:image/') === true
            ? html`<img src=${part.source} alt=${part.words} decoding="async" />`
            : undefined
        }
        <figcaption class="hint">${part.words}</figcaption>
      </figure>`;
    case 'data':
      return html`<div>
        <p class="data">${shownText(part.title)}</p>
        ${foldedText(part.text, plainText(part.title), id, 'code')}
      </div>`;
  }
}

/** The tools that the model would get. */
function toolList({ id, tools }: SamplingView): Content {
  if (tools.length === 0) {
    return undefined;
  }
  return html`<h3>Tools of the server that the model may ask for</h3>
    ${tools.map(
      ({ name, description, schema }, index) =>
        html`<details class="tool">
          <summary>${code(name)}</summary>
          ${
            description.characters > 0
              ? foldedText(description, 'the description', `${id}-tool-${index}`, 'prose')
              : undefined
          }
          ${foldedText(schema, 'the schema', `${id}-schema-${index}`)}
        </details>`,
    )}`;
}
