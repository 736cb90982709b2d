import type { SamplingAct } from '../../host/sampling/review/samplingProtocol.ts';

/** Milliseconds after the last key before the host hears of what was typed. */
const DRAFT_MS = 300;

/** What the person writes into a card. The host hears of it, so that it is not lost with the page. */
export class Draft {
  readonly #drafted: () => { readonly of: string; readonly act: SamplingAct } | undefined;
  readonly #send: (act: SamplingAct) => void;
  #timer: number | undefined;
  /** What the host heard of last. */
  #last = '';

  /** `drafted` gives what stands in the card, and of which answer it is; undefined for nothing to write. */
  constructor(
    drafted: () => { readonly of: string; readonly act: SamplingAct } | undefined,
    send: (act: SamplingAct) => void,
  ) {
    this.#drafted = drafted;
    this.#send = send;
  }

  /** Each key comes here; `isDone` at the end of it. */
  changed(isDone: boolean): void {
    window.clearTimeout(this.#timer);
    if (isDone) {
      this.send();
    } else {
      this.#timer = window.setTimeout(() => this.send(), DRAFT_MS);
    }
  }

  /** At once, unless the host has heard of it already. */
  send(): void {
    window.clearTimeout(this.#timer);
    const drafted = this.#drafted();
    const text = JSON.stringify(drafted);
    if (drafted && text !== this.#last) {
      this.#last = text;
      this.#send(drafted.act);
    }
  }

  end(): void {
    window.clearTimeout(this.#timer);
  }
}
