import { html, nothing } from 'lit';
import type {
  AskedView,
  FromRequestForm,
  ProgressView,
  RunView,
} from '../../host/requestForms/requestFormProtocol.ts';
import { button, note } from '../card.ts';
import { shownText, type Content } from '../elements.ts';
import { durationText } from '../sampling/rhythm.ts';

/** A request that is under way: how far it has come, or what it waits for. */
export class RunProgress {
  readonly #send: (message: FromRequestForm) => void;
  readonly #refresh: () => void;
  readonly #began: number;
  readonly #timer: number;
  #progress: ProgressView;
  #asked: AskedView | undefined;
  #waitingSince = 0;

  constructor(
    { elapsedMs, progress, asked }: Extract<RunView, { kind: 'running' }>,
    send: (message: FromRequestForm) => void,
    refresh: () => void,
  ) {
    this.#began = performance.now() - elapsedMs;
    this.#send = send;
    this.#refresh = refresh;
    this.#progress = progress;
    this.#take(asked);
    // Not announced to screen readers, which would read nothing else.
    this.#timer = window.setInterval(refresh, 1_000);
  }

  end(): void {
    window.clearInterval(this.#timer);
  }

  view(): Content {
    const { share, message } = this.#progress;
    const asked = this.#asked;
    const waited = html`<span class="waited"
      >The server has waited for ${sinceText(this.#waitingSince)}.</span
    >`;
    const question =
      asked &&
      html`<div class="question">
        ${note('warning', shownText(asked.text))}
        <p class="hint">${waited} ${asked.hint}</p>
      </div>`;
    const working = html`<div class="running">
        <progress aria-label="Progress" value=${share ?? nothing}></progress>
        <span class="waited">${sinceText(this.#began)}</span>
      </div>
      <p class="hint">${message && shownText(message)}</p>`;
    return html`
      ${question ?? working}
      <div class="buttons">
        ${asked ? button('Review', () => this.#send({ type: 'review' }), { isPrimary: true }) : undefined}
        ${button('Cancel', () => this.#send({ type: 'cancel' }))}
      </div>
      <p class="hint">Closing this tab cancels it, too.</p>
    `;
  }

  progress({ share, message }: ProgressView): void {
    const before = this.#progress;
    this.#progress = { ...before, ...(share !== undefined && { share }), ...(message && { message }) };
    this.#refresh();
  }

  /** Shows what it waits for; undefined if the server goes on. */
  asked(asked: AskedView | undefined): void {
    this.#take(asked);
    this.#refresh();
    document.querySelector('.run > :last-child')?.scrollIntoView({ block: 'nearest' });
  }

  #take(asked: AskedView | undefined): void {
    this.#asked = asked;
    this.#waitingSince = performance.now() - (asked?.waitedMs ?? 0);
  }
}

function sinceText(began: number): string {
  return durationText(performance.now() - began);
}
