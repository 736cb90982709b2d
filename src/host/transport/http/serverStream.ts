import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../../base/logging/logger.ts';
import { HostError, messageOf } from '../../errors/hostError.ts';
import { continuedEvents, MAX_FAILURES, type Continuation, type Opening } from './continuedEvents.ts';
import { isEventStream } from './bodies.ts';
import type { ServerEvent } from './eventParser.ts';
import { lostSession } from './lostAnswer.ts';
import { mayPass } from './networkFailure.ts';
import { isAboutRights, isRefusedForNow } from './refusal.ts';
import { refusalWords } from './refusalWords.ts';

/** Failures in a row after which the log says that the stream is down. */
const OUTAGE = 5;
/** Milliseconds to wait for the headers of the stream, which some servers send only with the first event. */
const HEADERS_MS = 1_000;

/** How the stream is opened, and where its events go. */
export interface ServerStreamWays extends Pick<Continuation, 'wait'> {
  /** Asks for the stream. @throws what `fetch` throws. */
  readonly ask: (signal: AbortSignal) => Promise<Response>;
  /** Asks for it again. */
  readonly open: (lastEventId: string | undefined, signal: AbortSignal) => Promise<Opening>;
  /** Resolves when the server responds to a request, or the signal aborts. */
  readonly answered: (signal: AbortSignal) => Promise<void>;
  readonly receive: (event: ServerEvent) => Promise<void>;
  /** The body of a refusal, and the failure that it means. */
  readonly refused: (response: Response) => Promise<{ readonly words: string; readonly failure: HostError }>;
  /** Call when the server says that it doesn't know the session. */
  readonly forgotten: (loss: HostError) => void;
}

/** `early`: refused, but perhaps only because `notifications/initialized` wasn't sent yet. */
type FirstOpening = Exclude<Opening, { readonly kind: 'never' }> | { readonly kind: 'early' | 'none' };

/** `none` also before it is asked for; `down`: it was open, and will be opened again, so what the server asks is lost. */
export type StreamState = 'none' | 'opening' | 'open' | 'down';

/**
 * The stream for messages that a legacy server sends on its own initiative (GET; 2025-03-26, basic/transports, listening
 * for messages from the server): open as long as the transport, unless the server has none. After many failures it is
 * opened only when the server responds to a request.
 */
export class ServerStream {
  readonly #logger: Logger;
  readonly #ways: ServerStreamWays;
  readonly #initialized = Promise.withResolvers<void>();
  #begun: Promise<void> | undefined;
  #state: StreamState = 'none';
  #opened = Promise.withResolvers<void>();
  /** Resolves when it is open, if it wasn't yet when `notifications/initialized` was sent. */
  late: Promise<void> | undefined;

  constructor(logger: Logger, ways: ServerStreamWays) {
    this.#logger = logger;
    this.#ways = ways;
  }

  get state(): StreamState {
    return this.#state;
  }

  /** Resolves when it is open, or open again. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  /**
   * Opens it before `notifications/initialized`, after which a server may ask at once, and discards what it asks if
   * there is no stream. Resolves when that may be sent; the stream ends when the signal aborts.
   */
  begin(signal: AbortSignal): Promise<void> {
    this.#begun ??= this.#begin(signal);
    return this.#begun;
  }

  /** Call when the server has accepted `notifications/initialized`. */
  initialized(): void {
    this.#initialized.resolve();
  }

  async #begin(signal: AbortSignal): Promise<void> {
    this.#state = 'opening';
    const first = this.#ask(signal, true);
    void this.#listen(first, signal);
    await Promise.race([first, delay(HEADERS_MS, undefined, { ref: false })]);
    if (this.#state === 'opening' || this.#state === 'down') {
      this.late = this.opened;
    }
  }

  async #listen(first: Promise<FirstOpening>, signal: AbortSignal): Promise<void> {
    let opening = await first;
    if (opening.kind === 'early') {
      this.#state = 'none';
      await this.#initialized.promise;
      opening = await this.#ask(signal, false);
    }
    if (opening.kind === 'none') {
      this.#state = 'none';
      return;
    }
    const response = opening.kind === 'open' ? opening.response : undefined;
    if (response) {
      this.#hasOpened();
    }
    const { open, answered, receive, wait } = this.#ways;
    const logger = this.#logger;
    const outages = outageLog(logger);
    const continuation: Continuation = {
      open: (lastEventId) => open(lastEventId, signal),
      onEnd: () => this.#hasEnded(),
      onOutage: (failures) => {
        if (failures === 0) {
          this.#hasOpened();
        }
        outages(failures);
      },
      ...(wait && { wait }),
      afterMany: (failures) => {
        if (failures === MAX_FAILURES) {
          logger.log(
            'warn',
            `The server's event stream could not be opened in ${failures} tries. It will be opened again when the server answers a request.`,
          );
        }
        return answered(signal);
      },
    };
    try {
      for await (const event of continuedEvents(response, continuation, signal)) {
        await receive(event);
      }
    } catch (error) {
      givenUp(logger, error);
    }
    this.#state = 'none';
  }

  /** `isEarly`: before `notifications/initialized`. */
  async #ask(signal: AbortSignal, isEarly: boolean): Promise<FirstOpening> {
    try {
      const response = await this.#ways.ask(signal);
      return isEventStream(response) ? { kind: 'open', response } : await this.#refused(response, isEarly);
    } catch (error) {
      if (error instanceof HostError && !mayPass(error)) {
        givenUp(this.#logger, error);
        return { kind: 'none' };
      }
      return { kind: 'notNow' };
    }
  }

  async #refused(response: Response, isEarly: boolean): Promise<FirstOpening> {
    const { status } = response;
    const { words, failure } = await this.#ways.refused(response);
    if (isEarly && [400, 404, 409].includes(status)) {
      return { kind: 'early' };
    }
    if (isAboutRights(status)) {
      givenUp(this.#logger, failure);
    } else if (status === 404 && /\bsession/i.test(words)) {
      this.#ways.forgotten(lostSession(refusalWords(words)));
    } else if (isRefusedForNow(status)) {
      return { kind: 'notNow' };
    } else {
      // 405 by the specification; a server without a route for it responds with 404 or 400.
      this.#logger.log('debug', `The server has no event stream of its own (status ${status}).`);
    }
    return { kind: 'none' };
  }

  #hasOpened(): void {
    this.#state = 'open';
    this.#opened.resolve();
  }

  #hasEnded(): void {
    if (this.#state === 'open') {
      this.#state = 'down';
      this.#opened = Promise.withResolvers();
    }
  }
}

function givenUp(logger: Logger, error: unknown): void {
  logger.log('warn', `The server's event stream was given up: ${messageOf(error)}.`);
}

/** Logs once that the stream is down, and once that it is open again. */
function outageLog(logger: Logger): (failures: number) => void {
  let isSaid = false;
  return (failures) => {
    if (failures >= OUTAGE && !isSaid) {
      isSaid = true;
      logger.log('info', "The server's event stream cannot be opened. Trying again.");
    } else if (failures === 0 && isSaid) {
      isSaid = false;
      logger.log('info', "The server's event stream is open again.");
    }
  };
}
