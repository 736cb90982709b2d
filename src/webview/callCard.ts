import { html } from 'lit';
import { live } from 'lit/directives/live.js';
import { answerButton, changedNote, placeLine, warningNotes, type CardPort } from './card.ts';
import { code, plainText, shownText, type Content } from './elements.ts';
import { foldedText } from './foldedText.ts';
import type { CallAnswer, CallSpan, CallView } from '../host/gate/callQuestion.ts';
import type { PanelText } from '../host/questions/panelText.ts';

/** A request of a model or another extension to a server. */
export function callCard(view: CallView, port: CardPort): Content {
  const { id, asker, canRefuseAlways } = view;
  const { span, scope } = chosenIn(view, port);
  const answering = (answer: CallAnswer) => (click: MouseEvent) =>
    port.answer({ type: 'answer', id, ...answer }, click);
  const never = answering({ answer: 'refuse', span: 'always', scope });
  return html`
    ${placeLine(view.place, asker && ['Asked by ', code(asker), '. '])} ${changedNote(view, 'request')}
    ${warningNotes(view.warnings)} ${requestOf(view)} ${saidOf(view)} ${choices(view, port)}
    <div class="buttons">
      ${answerButton('Allow', view, answering({ answer: 'run', span, scope }), { isPrimary: true })}
      ${answerButton("Don't Allow", view, answering({ answer: 'refuse', span: 'once', scope: 'one' }))}
      ${canRefuseAlways ? answerButton('Never Allow', view, never) : undefined}
      ${answerButton('Open the Definition', view, () => port.send({ type: 'openDefinition', id }))}
    </div>
    <p class="hint">${shownText(view.hint)}</p>
  `;
}

/** What the server would get. */
function requestOf({ id, resource, arguments: given }: CallView): Content {
  if (resource) {
    return [html`<h3>Resource</h3>`, foldedText(resource, 'the address', `${id}-resource`)];
  }
  if (given.length === 0) {
    return html`<p>Without arguments</p>`;
  }
  const rows = given.map(
    ({ name, value }, index) =>
      html`<dt>${shownText(name)}</dt>
        <dd>${foldedText(value, plainText(name), `${id}-${index}`)}</dd>`,
  );
  return html`<h3>Arguments</h3>
    <dl class="arguments">${rows}</dl>`;
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

/** For how long an answer holds, and for what: as it was chosen last, or the least that it can be. */
function chosenIn({ id, spans, scopes }: CallView, port: CardPort) {
  const kept = port.chosen(id) ?? [];
  const span: CallSpan = spans.find(({ value }) => kept.includes(value))?.value ?? 'once';
  const scope = (scopes.find(({ value }) => kept.includes(value)) ?? scopes[0])?.value ?? 'one';
  return { span, scope };
}

/** Nothing to choose where there is but one. */
function choices(view: CallView, port: CardPort): Content {
  const { id, spans, scopes } = view;
  const chosen = chosenIn(view, port);
  const oneOf = (
    what: 'span' | 'scope',
    legend: string,
    options: readonly { readonly value: string; readonly label: PanelText | string }[],
  ): Content => {
    const choose = (value: string) => () => port.keep(id, Object.values({ ...chosen, [what]: value }));
    const shown = options.map(({ value, label }) => {
      const input = html`<input
        type="radio"
        name="${id}-${what}"
        value=${value}
        .checked=${live(chosen[what] === value)}
        @change=${choose(value)}
      />`;
      return html`<label
        >${input}<span>${typeof label === 'string' ? label : shownText(label)}</span></label
      >`;
    });
    return html`<fieldset>
      <legend>${legend}</legend>
      ${shown}
    </fieldset>`;
  };
  const scope = scopes.length > 1 ? oneOf('scope', 'Allow or never allow what', scopes) : undefined;
  return spans.length > 1
    ? html`<div class="choices">${oneOf('span', 'Allow for how long', spans)} ${scope}</div>`
    : undefined;
}
