import { html } from 'lit';
import type { ScopeView, SignInQuestionView } from '../host/auth/signInQuestion.ts';
import {
  answerButton,
  bullets,
  changedNote,
  details,
  placeRow,
  titledList,
  warningNotes,
  type CardPort,
} from './card.ts';
import { code, shownText, type Content } from './elements.ts';

/** The question whether you sign in to a server, or grant it more. */
export function signInCard(view: SignInQuestionView, port: CardPort): Content {
  const { id, reason, resource, warnings = [] } = view;
  const answering = (answer: 'signIn' | 'notNow') => (click: MouseEvent) =>
    port.answer({ type: 'answer', id, answer }, click);
  return html`
    ${reason && html`<p>${shownText(reason)}</p>`}
    <p class="flow">${shownText(view.flow)}</p>
    ${changedNote(view, 'question')} ${warningNotes(warnings)} ${scopeList(view.scopes)}
    <div class="buttons">
      ${answerButton('Sign In', view, answering('signIn'), { isPrimary: true })}
      ${answerButton('Not Now', view, answering('notNow'))}
    </div>
    ${details([
      titledList([
        // Who takes part: addresses character by character.
        ['Server', shownText(view.label), ' at ', code(view.address)],
        ['Issuer', code(view.issuer), ', on the host ', code(view.host)],
        resource && ['The token is only for', code(resource)],
        placeRow(view, port),
        ['Notes', bullets([shownText(view.oauthClient), shownText(view.answer)])],
      ]),
      html`<p class="hint">${view.meaning}</p>`,
    ])}
  `;
}

function scopeList(scopes: readonly ScopeView[]): Content {
  return scopes.length === 0
    ? html`<p>No specific permissions</p>`
    : titledList([
        [
          'Permissions',
          bullets(
            scopes.map(({ scope, words, isAdded }) => [
              code(scope),
              words === undefined ? undefined : ` ${words}`,
              isAdded ? html`<strong class="added"> (new)</strong>` : undefined,
            ]),
          ),
        ],
      ]);
}
