import type {
  AskedView,
  FromRequestForm,
  ProgressView,
  RunView,
} from '../../host/requestForms/requestFormProtocol.ts';
import { button, element, hide, note, shownText } from '../dom.ts';
import { durationText } from '../sampling/rhythm.ts';

/** A request that is under way: how far it has come, or what it waits for. */
export class RunningRequest {
  readonly nodes: readonly HTMLElement[];
  readonly #bar = element('progress', { 'aria-label': 'Progress' });
  readonly #elapsed = element('span', { class: 'waited' });
  readonly #working = element('div', { class: 'running' }, this.#bar, this.#elapsed);
  readonly #message = element('p', { class: 'hint' });
  readonly #question = element('div', { class: 'question' });
  readonly #waited = element('span', { class: 'waited' });
  readonly #review: HTMLElement;
  readonly #began: number;
  readonly #timer: number;
  #waitingSince = 0;

  constructor(
    { elapsedMs, progress, asked }: Extract<RunView, { kind: 'running' }>,
    send: (message: FromRequestForm) => void,
  ) {
    this.#began = performance.now() - elapsedMs;
    this.#review = button('Review', { isPrimary: true }, () => send({ type: 'review' }));
    const cancel = button('Cancel', {}, () => send({ type: 'cancel' }));
    this.nodes = [
      this.#working,
      this.#message,
      this.#question,
      element('div', { class: 'buttons' }, this.#review, cancel),
      element('p', { class: 'hint' }, 'Closing this tab cancels it, too.'),
    ];
    this.progress(progress);
    this.#show(asked);
    this.#timer = window.setInterval(() => this.#count(), 1_000);
  }

  end(): void {
    window.clearInterval(this.#timer);
  }

  progress({ share, message }: ProgressView): void {
    if (share !== undefined) {
      this.#bar.value = share;
    }
    if (message) {
      this.#message.replaceChildren(...shownText(message));
    }
  }

  /** Shows what it waits for; undefined if the server goes on. */
  asked(asked: AskedView | undefined): void {
    this.#show(asked);
    this.nodes.at(-1)?.scrollIntoView({ block: 'nearest' });
  }

  #show(asked: AskedView | undefined): void {
    hide(this.#working, asked !== undefined);
    hide(this.#message, asked !== undefined);
    hide(this.#question, asked === undefined);
    hide(this.#review, asked === undefined);
    if (asked) {
      this.#waitingSince = performance.now() - asked.waitedMs;
      this.#question.replaceChildren(
        note('warning', shownText(asked.text)),
        element('p', { class: 'hint' }, this.#waited, ` ${asked.hint}`),
      );
    }
    this.#count();
  }

  /** Not announced to screen readers, which would read nothing else. */
  #count(): void {
    const now = performance.now();
    this.#elapsed.textContent = durationText(now - this.#began);
    this.#waited.textContent = `The server has waited for ${durationText(now - this.#waitingSince)}.`;
  }
}
