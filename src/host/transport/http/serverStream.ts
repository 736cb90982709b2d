import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../../base/logging/logger.ts';
import { HostError, messageOf } from '../../errors/hostError.ts';
import { continuedEvents, MAX_FAILURES, type Continuation, type Opening } from './continuedEvents.ts';
import { isEventStream, isInSession, withWords, type Exchange, type GuardOptions } from './exchange.ts';
import { handOnEvent } from './handOn.ts';
import { lostSession } from './httpLife.ts';
import { mayPass } from './networkFailure.ts';
import { isAboutRights, isRefusedForNow, refusal } from './refusal.ts';
import { refusalWords } from './refusalWords.ts';

/** Failures in a row after which the log says that the stream is down. */
const OUTAGE = 5;
/** Milliseconds to wait for the headers of the stream, which some servers send only with the first event. */
const HEADERS_MS = 1_000;

/** How the stream is opened again. */
export interface ServerStreamWays extends Pick<Continuation, 'wait'> {
  readonly open: (get: Exchange, lastEventId: string | undefined, signal: AbortSignal) => Promise<Opening>;
  /** Resolves when the server responds to a request, or the signal aborts. */
  readonly answered: (signal: AbortSignal) => Promise<void>;
}

/** `early`: refused, but perhaps only because `notifications/initialized` wasn't sent yet. */
type FirstOpening = Exclude<Opening, { readonly kind: 'never' }> | { readonly kind: 'early' | 'none' };

/**
 * The stream for messages that a legacy server sends on its own initiative (GET; 2025-03-26, basic/transports, listening
 * for messages from the server): open as long as the transport, unless the server has none. After many failures it is
 * opened only when the server responds to a request.
 */
export class ServerStream {
  readonly #options: GuardOptions;
  readonly #ways: ServerStreamWays;
  readonly #initialized = Promise.withResolvers<void>();
  #begun: Promise<void> | undefined;
  /** `none` also before it is asked for. */
  #state: 'none' | 'opening' | 'open' | 'down' = 'none';
  #opened = Promise.withResolvers<void>();
  /** Resolves when it is open, if it wasn't yet when `notifications/initialized` was sent. */
  late: Promise<void> | undefined;

  constructor(options: GuardOptions, ways: ServerStreamWays) {
    this.#options = options;
    this.#ways = ways;
  }

  /** Whether it was open, and will be opened again: what the server asks on it now is lost. */
  get isDown(): boolean {
    return this.#state === 'down';
  }

  /** Resolves when it is open, or open again. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  /**
   * Opens it before `notifications/initialized`, after which a server may ask at once, and discards what it asks if
   * there is no stream. Resolves when that may be sent.
   */
  begin(get: Exchange): Promise<void> {
    this.#begun ??= this.#begin(get);
    return this.#begun;
  }

  /** Call when the server has accepted `notifications/initialized`. */
  initialized(): void {
    this.#initialized.resolve();
  }

  async #begin(get: Exchange): Promise<void> {
    this.#state = 'opening';
    const first = this.#ask(get, true);
    void this.#listen(get, first);
    await Promise.race([first, delay(HEADERS_MS, undefined, { ref: false })]);
    if (this.#state === 'opening' || this.#state === 'down') {
      this.late = this.opened;
    }
  }

  async #listen(get: Exchange, first: Promise<FirstOpening>): Promise<void> {
    const signal = get.init.signal ?? new AbortController().signal;
    let opening = await first;
    if (opening.kind === 'early') {
      this.#state = 'none';
      await this.#initialized.promise;
      opening = await this.#ask(get, false);
    }
    if (opening.kind === 'none') {
      this.#state = 'none';
      return;
    }
    const response = opening.kind === 'open' ? opening.response : undefined;
    if (response) {
      this.#hasOpened();
    }
    const { life, logger } = this.#options;
    const { open, answered, wait } = this.#ways;
    const outages = outageLog(logger);
    const continuation: Continuation = {
      open: (lastEventId) => open(get, lastEventId, signal),
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
        await handOnEvent(event, life, () => {});
      }
    } catch (error) {
      givenUp(logger, error);
    }
    this.#state = 'none';
  }

  /** `isEarly`: before `notifications/initialized`. */
  async #ask(get: Exchange, isEarly: boolean): Promise<FirstOpening> {
    try {
      const response = await this.#options.fetch(get.url, get.init);
      return isEventStream(response)
        ? { kind: 'open', response }
        : await this.#refused(get, response, isEarly);
    } catch (error) {
      if (error instanceof HostError && !mayPass(error)) {
        givenUp(this.#options.logger, error);
        return { kind: 'none' };
      }
      return { kind: 'notNow' };
    }
  }

  async #refused(get: Exchange, response: Response, isEarly: boolean): Promise<FirstOpening> {
    const { logger, life, hasAuthorization } = this.#options;
    const { status } = response;
    const { words } = await withWords(response, get);
    if (isEarly && [400, 404, 409].includes(status)) {
      return { kind: 'early' };
    }
    if (isAboutRights(status)) {
      givenUp(logger, refusal(status, { authorization: hasAuthorization, body: words }));
    } else if (status === 404 && isInSession(get) && /\bsession/i.test(words)) {
      life.end(lostSession(refusalWords(words)));
    } else if (isRefusedForNow(status)) {
      return { kind: 'notNow' };
    } else {
      // 405 by the specification; a server without a route for it responds with 404 or 400.
      logger.log('debug', `The server has no event stream of its own (status ${status}).`);
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
