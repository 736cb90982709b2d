/** Milliseconds in which a page must report that it is ready. */
const READY_MS = 5_000;

/** Whether a page of the editor shows its content; one that does not report so in time has failed. */
export class ReadyPage {
  readonly #failed: () => void;
  readonly #readyMs: number;
  #isReady = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(failed: () => void, readyMs: number = READY_MS) {
    this.#failed = failed;
    this.#readyMs = readyMs;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** The page comes into sight: from now on it has some seconds to report that it is ready. */
  opened(): void {
    this.#timer ??= setTimeout(this.#failed, this.#readyMs);
  }

  /** The page has reported that it is ready. */
  ready(): void {
    clearTimeout(this.#timer);
    this.#isReady = true;
  }

  /** The page is out of sight, and its content gone. */
  hidden(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isReady = false;
  }
}
