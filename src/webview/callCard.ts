import { html } from 'lit';
import { answerButton, changedNote, menu, moreAbout, warningNotes, type CardPort } from './card.ts';
import { code, plainText, shownText, type Content } from './elements.ts';
import { foldedText } from './foldedText.ts';
import type { CallAnswer, CallChoice, CallView } from '../host/gate/callQuestion.ts';

/** A request of a model or another extension to a server. */
export function callCard(view: CallView, port: CardPort): Content {
  const { id, asker } = view;
  const answering = (answer: CallAnswer) => (click: MouseEvent) =>
    port.answer({ type: 'answer', id, ...answer }, click);
  const items = (choices: readonly CallChoice[]) =>
    choices.map(({ answer, label }) => ({ label: plainText(label), press: answering(answer) }));
  return html`
    ${asker && html`<p class="place">Asked by ${code(asker)}</p>`} ${changedNote(view, 'request')}
    ${warningNotes(view.warnings)} ${requestOf(view)}
    <div class="buttons">
      ${answerButton('Allow', view, answering({ answer: 'run', span: 'once', scope: 'one' }), { isPrimary: true })}
      ${menu('Other ways to allow', view, items(view.allow), port)}
      ${answerButton("Don't Allow", view, answering({ answer: 'refuse', span: 'once', scope: 'one' }))}
      ${menu('Other ways to refuse', view, items(view.refuse), port)}
    </div>
    ${moreAbout(view, port, shownText(view.hint), saidOf(view))}
  `;
}

/** What the server would get. */
function requestOf({ id, resource, arguments: given }: CallView): Content {
  if (resource) {
    return foldedText(resource, 'the address', `${id}-resource`);
  }
  const rows = given.map(
    ({ name, value }, index) =>
      html`<dt>${shownText(name)}</dt>
        <dd>${foldedText(value, plainText(name), `${id}-${index}`)}</dd>`,
  );
  return given.length === 0
    ? html`<p>Without arguments</p>`
    : html`<dl class="launch arguments">${rows}</dl>`;
}

/** What the server says about it: set apart, because anyone could have written it. */
function saidOf({ id, description, claims }: CallView): Content {
  const texts = description.map((text, index) => foldedText(text, 'it', `${id}-said-${index}`, 'prose'));
  const said = html`<h3>What the server says about it</h3>
    <div class="said">${texts}</div>`;
  return [
    texts.length > 0 ? said : undefined,
    claims.length > 0 ? html`<p>${shownText(claims)}</p>` : undefined,
  ];
}
