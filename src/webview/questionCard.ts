import { html } from 'lit';
import type { CardContent } from './card.ts';
import { chevron, shownText, type Content } from './elements.ts';
import type { QuestionView } from '../host/questions/question.ts';

/** A question in the list. */
export interface QuestionCard {
  readonly question: QuestionView;
  readonly content: CardContent;
  isOpen: boolean;
}

/** One question: its heading and its content, which opens and closes where several wait; `box` selects it. */
export function questionCard(
  { question, content, isOpen }: QuestionCard,
  isFoldable: boolean,
  box: Content,
  toggled: () => void,
): Content {
  const { id } = question;
  const title = shownText(content.title ?? question.title);
  const brief = content.brief?.(isOpen);
  const state = isOpen || brief !== undefined ? '' : stateOf(question);
  const toggle = html`<button
    class="toggle"
    type="button"
    aria-controls="content-${id}"
    aria-expanded=${isOpen}
    @click=${toggled}
  >
    ${chevron()}<span>${title}</span>
  </button>`;
  return html`<section class="card" aria-labelledby="title-${id}">
    <div class="head">
      ${box}
      <h2 id="title-${id}" tabindex="-1">${isFoldable ? toggle : title}</h2>
    </div>
    <p class="state" ?hidden=${state === ''}>${state}</p>
    ${brief && html`<div class="brief">${brief}</div>`}
    <div id="content-${id}" class="content" ?hidden=${!isOpen}>${content.view()}</div>
  </section>`;
}

/** What one should know of a question that is closed, besides its title. */
function stateOf(question: QuestionView): string {
  const { warnings = [], isRenewed } = question;
  return [
    ...(isRenewed ? ['Changed since you last looked'] : []),
    ...(warnings.length > 0 ? [`${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}`] : []),
  ].join(', ');
}
