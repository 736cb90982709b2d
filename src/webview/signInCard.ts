import { html } from 'lit';
import type { ScopeView, SignInQuestionView } from '../host/auth/signInQuestion.ts';
import { answerButton, bullets, changedNote, note, titledList, type CardPort } from './card.ts';
import { code, shownText, type Content } from './elements.ts';

/** The question whether you sign in to a server, or grant it more. */
export function signInCard(view: SignInQuestionView, port: CardPort): Content {
  const { id, reason, resource, warnings = [] } = view;
  const answering = (answer: 'signIn' | 'notNow') => (click: MouseEvent) =>
    port.answer({ type: 'answer', id, answer }, click);
  const looks = html`<h3>Look at this before you sign in</h3>
    ${warnings.map((warning) => note('warning', shownText(warning)))}`;
  return html`
    ${reason && html`<p>${shownText(reason)}</p>`}
    <p class="flow">${shownText(view.flow)}</p>
    <p class="place">Defined in ${code(view.place)}</p>
    ${changedNote(view, 'question')} ${warnings.length > 0 ? looks : undefined}
    ${titledList([
      // Who takes part, and what for: addresses and scopes character by character.
      ['Server', shownText(view.label), ' at ', code(view.address)],
      ['Who signs you in', code(view.issuer), ', on the host ', code(view.host)],
      ['Asked for', scopeList(view.scopes)],
      resource && ['The token is only for', code(resource)],
      ['Good to know', bullets([shownText(view.oauthClient), shownText(view.answer)])],
    ])}
    <p class="hint">${view.meaning}</p>
    <div class="buttons">
      ${answerButton('Sign In', view, answering('signIn'), { isPrimary: true })}
      ${answerButton('Not Now', view, answering('notNow'))}
    </div>
  `;
}

function scopeList(scopes: readonly ScopeView[]): Content {
  return scopes.length === 0
    ? 'nothing in particular: the issuer decides what the token allows'
    : bullets(
        scopes.map(({ scope, words, isAdded }) => [
          code(scope),
          words === undefined ? undefined : ` ${words}`,
          isAdded ? html`<strong class="added"> (new)</strong>` : undefined,
        ]),
      );
}
