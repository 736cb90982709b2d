/** Milliseconds at least between two times at which the host gets what you write, and after the last key until it does. */
const DRAFT_MS = 300;

/** What you write into a page, as the message that gives it to the host, which keeps it: a hidden page is gone. */
export class Draft<Message> {
  readonly #written: () => Message | undefined;
  readonly #send: (message: Message) => void;
  #timer: number | undefined;
  #isDue = false;
  #sentAt = -Infinity;

  /** `written` gives what is written; undefined if nothing can be. */
  constructor(written: () => Message | undefined, send: (message: Message) => void) {
    this.#written = written;
    this.#send = send;
  }

  /** Called for each key; `isDone` when the editing ends. */
  changed(isDone: boolean): void {
    this.end();
    this.#isDue = true;
    if (isDone || performance.now() - this.#sentAt > DRAFT_MS) {
      this.send();
    } else {
      this.#timer = window.setTimeout(() => this.send(), DRAFT_MS);
    }
  }

  /** Sends what is written at once, unless the host has it already. */
  send(): void {
    const written = this.#isDue ? this.#written() : undefined;
    this.end();
    if (written !== undefined) {
      this.#sentAt = performance.now();
      this.#send(written);
    }
  }

  /** Sends nothing of what is written so far. */
  end(): void {
    window.clearTimeout(this.#timer);
    this.#isDue = false;
  }
}
