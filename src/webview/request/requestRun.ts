import { html } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type {
  AskedView,
  FromRequestForm,
  ProgressView,
  RemedyName,
  RunView,
  RequestWords,
} from '../../host/requestForms/requestFormProtocol.ts';
import { button, note } from '../card.ts';
import { plainText, shownText, type Content } from '../elements.ts';
import { foldedText } from '../foldedText.ts';
import { dataNode } from './dataNode.ts';
import { RunProgress } from './runProgress.ts';

type Send = (message: FromRequestForm) => void;
type Section = Extract<RunView, { kind: 'result' }>['result']['sections'][number];

const remedyLabels: Readonly<Record<RemedyName, string>> = {
  reviewChange: 'Review Change',
  signIn: 'Sign In…',
  setToken: 'Set Token…',
  startServer: 'Start Server',
  showLog: 'Show Log',
};

/** The call below a form: how it goes on, and its result. */
export class RequestRun {
  readonly #send: Send;
  readonly #refresh: () => void;
  #run: RunView = { kind: 'none' };
  #words: RequestWords | undefined;
  #running: RunProgress | undefined;

  constructor(send: Send, refresh: () => void) {
    this.#send = send;
    this.#refresh = refresh;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  view(): Content {
    const isShown = this.#run.kind !== 'none' && this.#run.kind !== 'cancelled';
    // A result is drawn once, however often what is above it changes.
    const content = this.#running?.view() ?? guard([this.#run], () => this.#content(this.#run));
    return html`<section class="run" aria-label="Result" ?hidden=${!isShown}>${content}</section>`;
  }

  show(run: RunView, words: RequestWords): void {
    this.#words = words;
    this.#run = run;
    this.#running?.end();
    this.#running = run.kind === 'running' ? new RunProgress(run, this.#send, this.#refresh) : undefined;
    this.#refresh();
    document.querySelector('.run > *')?.scrollIntoView({ block: 'nearest' });
  }

  progress(progress: ProgressView): void {
    this.#running?.progress(progress);
  }

  asked(asked: AskedView | undefined): void {
    this.#running?.asked(asked);
  }

  #content(run: RunView): Content {
    switch (run.kind) {
      case 'none':
      case 'cancelled':
      case 'running':
        return undefined;
      case 'failed':
        return [
          note('warning', shownText(run.message)),
          remedyButtons(run.remedies, (remedy) => this.#send({ type: 'remedy', remedy })),
        ];
      case 'result':
        return this.#result(run);
    }
  }

  #result({ result, took, notes, actions }: Extract<RunView, { kind: 'result' }>): Content {
    const { title, about, sections, leftOut } = result;
    const [only, ...others] = sections;
    const isPlain = others.length === 0 && only?.title === 'Text';
    return html`
      <h2 tabindex="-1">${title}</h2>
      <p class="hint">${about === undefined ? `Took ${took}.` : `Took ${took}. ${about}`}</p>
      ${notes.map((text) => note('warning', shownText(text)))}
      ${sections.length === 0 ? html`<p>${this.#words?.noContent}</p>` : undefined}
      ${sections.map((section, index) => sectionView(section, index, !isPlain, this.#send))}
      ${leftOut === undefined ? undefined : html`<p class="hint">${leftOut}</p>`}
      <div class="buttons">
        ${actions.map(({ action, label }) => button(label, () => this.#send({ type: 'use', action })))}
      </div>
    `;
  }
}

/** Buttons that help after a failure. */
export function remedyButtons(remedies: readonly RemedyName[], press: (remedy: RemedyName) => void): Content {
  const buttons = remedies.map((remedy) => button(remedyLabels[remedy], () => press(remedy)));
  return html`<div class="buttons">${buttons}</div>`;
}

function sectionView(
  { title, text, data, pictures, sounds, opens }: Section,
  index: number,
  hasTitle: boolean,
  send: Send,
): Content {
  return [
    hasTitle ? html`<h3>${title}</h3>` : undefined,
    text && foldedText(text, title, `block-${index}`),
    data && dataNode(data, title, `data-${index}`),
    // The extension has checked them; the policy of this page would load nothing else.
    pictures
      .filter(({ source }) => source.startsWith('data:image/'))
      .map(({ source, name }) => html`<figure><img src=${source} alt=${name} /></figure>`),
    sounds.filter(({ source }) => source.startsWith('data:audio/')).map(sound),
    opens.map(({ index: which, label, what }) => {
      const name = `${label}: ${plainText(what)}`;
      return html`<div class="buttons">
        ${button(label, () => send({ type: 'open', index: which }), { name })}
      </div>`;
    }),
  ];
}

/** A sound with the editor's own controls; it plays only when you start it. */
function sound({ source, name }: Section['sounds'][number]): Content {
  return html`<figure>
    <audio src=${source} controls preload="metadata" aria-label=${name} @error=${showFailure}></audio>
    <p class="hint" hidden>${name} can't be played here.</p>
  </figure>`;
}

/** Shows what is hidden beside a sound, in its place. */
function showFailure({ currentTarget: sound }: Event): void {
  if (sound instanceof HTMLAudioElement) {
    sound.hidden = true;
    sound.nextElementSibling?.removeAttribute('hidden');
  }
}
