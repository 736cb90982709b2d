/** Milliseconds in which a page must report that it is ready; it comes from a machine that may be busy or far away. */
const READY_MS = 15_000;
/** The same after one has failed: then the window probably shows none. */
const AGAIN_MS = 5_000;

/** Whether a page of the editor shows its content; one that does not report so in time has failed. */
export class ReadyPage {
  static #lastHasFailed = false;
  readonly #failed: () => void;
  readonly #readyMs: number;
  #isReady = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(failed: () => void, readyMs = ReadyPage.#lastHasFailed ? AGAIN_MS : READY_MS) {
    this.#failed = () => {
      ReadyPage.#lastHasFailed = true;
      failed();
    };
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
    ReadyPage.#lastHasFailed = false;
    this.#isReady = true;
  }

  /** The page is out of sight, and its content gone. */
  hidden(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isReady = false;
  }
}
