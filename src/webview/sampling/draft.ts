import type { SamplingAct } from '../../host/sampling/review/samplingProtocol.ts';

/** Milliseconds after the last key until the host gets the text. */
const DRAFT_MS = 300;

/** What you write into a card. The host keeps it, so that it isn't lost with the page. */
export class Draft {
  readonly #drafted: () => { readonly of: string; readonly act: SamplingAct } | undefined;
  readonly #send: (act: SamplingAct) => void;
  #timer: number | undefined;
  /** What was sent to the host last. */
  #last = '';

  /** `drafted` gives the text in the card, and the answer it belongs to; undefined if nothing can be written. */
  constructor(
    drafted: () => { readonly of: string; readonly act: SamplingAct } | undefined,
    send: (act: SamplingAct) => void,
  ) {
    this.#drafted = drafted;
    this.#send = send;
  }

  /** Called for each key; `isDone` when the editing ends. */
  changed(isDone: boolean): void {
    window.clearTimeout(this.#timer);
    if (isDone) {
      this.send();
    } else {
      this.#timer = window.setTimeout(() => this.send(), DRAFT_MS);
    }
  }

  /** Sends the text at once, unless the host has it already. */
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
