import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';

/** Milliseconds in which a page must report that it is ready; it comes from a machine that may be busy or far away. */
const READY_MS = 30_000;
/** The same after one has failed: then the window probably shows none. */
const AGAIN_MS = 10_000;

/** What a session needs of the panel that its page is in. */
export interface PagePort<ToPage> {
  post(message: ToPage): void;
  /** The page did not report in time that it is ready. */
  failed(): void;
}

/** A page shows nothing yet, and can. */
export interface ReadyMessage {
  readonly type: 'ready';
}

/** The host's side of a page in a panel: what the page shows, and what its messages mean. */
export abstract class PageSession<ToPage, FromPage extends { readonly type: string }> implements Disposable {
  static #lastHasFailed = false;
  protected readonly store = new DisposableStore();
  readonly #port: PagePort<ToPage>;
  readonly #readyMs: number;
  #isReady = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(port: PagePort<ToPage>, readyMs = PageSession.#lastHasFailed ? AGAIN_MS : READY_MS) {
    this.#port = port;
    this.#readyMs = readyMs;
  }

  /** True while the page shows what is posted. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** The page comes into sight: from now on it has some seconds to report that it is ready. */
  opened(): void {
    this.#timer ??= setTimeout(() => {
      PageSession.#lastHasFailed = true;
      this.#port.failed();
    }, this.#readyMs);
  }

  /** The page is out of sight, and its content gone. */
  hidden(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isReady = false;
  }

  dispose(): void {
    this.hidden();
    this.store.dispose();
  }

  /** Takes a message of the page; anything else is ignored. */
  async receive(received: unknown): Promise<void> {
    const message = this.store.isDisposed ? undefined : this.read(received);
    if (!message) {
      return;
    }
    if (!isReadyMessage(message)) {
      await this.take(message);
      return;
    }
    clearTimeout(this.#timer);
    PageSession.#lastHasFailed = false;
    this.#isReady = true;
    await this.show();
  }

  /** Sends a message to the page if it is ready; otherwise it gets everything once it is. */
  protected post(message: ToPage): void {
    if (this.#isReady) {
      this.#port.post(message);
    }
  }

  /** Checks what came from the page; undefined for anything that is not exactly a message of it. */
  protected abstract read(received: unknown): FromPage | ReadyMessage | undefined;

  /** Posts everything: the page is ready, and shows nothing. */
  protected abstract show(): Promise<void> | void;

  /** Does what a message says. */
  protected abstract take(message: FromPage): Promise<void> | void;
}

function isReadyMessage(message: { readonly type: string }): message is ReadyMessage {
  return message.type === 'ready';
}
