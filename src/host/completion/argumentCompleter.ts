import { setTimeout as delay } from 'node:timers/promises';
import type { CompleteRequestParams } from '@modelcontextprotocol/client';
import { CancellationError } from '../../base/cancellation.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import { messageOf } from '../errors/hostError.ts';
import { fitToSuggest, noSuggestions, type Suggestions } from './suggestions.ts';

/** What is completed: a prompt by its name, or a template by its text as the server listed it. */
export type CompletionReference = CompleteRequestParams['ref'];

/**
 * Gives values for one argument that has been typed so far. A failure gives none.
 *
 * @throws CancellationError when the signal aborts, as it does when typing goes on.
 */
export type Suggest = (typed: string, signal: AbortSignal) => Promise<Suggestions>;

/** The part of a connection that completes. */
export type CompletingServer = Pick<ServerConnection, 'canComplete' | 'complete' | 'logger' | 'state'>;

/** How often a server is asked. */
export interface CompletionPace {
  /** Milliseconds without typing before the server is asked. */
  readonly quietMs: number;
  /** Questions within `windowMs` milliseconds; the next one waits. */
  readonly maxInWindow: number;
  readonly windowMs: number;
  /** Milliseconds after which an answer comes too late to be of use. */
  readonly patienceMs: number;
}

export const defaultPace: CompletionPace = {
  quietMs: 150,
  maxInWindow: 30,
  windowMs: 10_000,
  patienceMs: 10_000,
};

/** Characters typed beyond which a server is not asked. */
const MAX_TYPED = 1_000;
const MAX_CACHED = 100;
/** The first revision whose questions carry what was answered before. */
const WITH_CONTEXT = '2025-06-18';

/**
 * Asks one server for the values of the arguments of one prompt or template (server/utilities/completion),
 * debounced, at a bounded rate, and each question once. Meant for one round of questions to the person:
 * what it has heard does not grow old.
 */
export class ArgumentCompleter {
  readonly #server: CompletingServer;
  readonly #ref: CompletionReference;
  readonly #pace: CompletionPace;
  readonly #heard = new Map<string, Suggestions>();
  /** When the last questions were sent, in milliseconds of the clock of `performance`. */
  #sentAt: readonly number[] = [];

  constructor(server: CompletingServer, ref: CompletionReference, pace: CompletionPace = defaultPace) {
    this.#server = server;
    this.#ref = ref;
    this.#pace = pace;
  }

  /**
   * What completes one argument, given the answers so far; undefined when the server completes nothing.
   * Its first question is sent at once, for the box has just been opened.
   */
  suggestFor(argument: string, answers: Readonly<Record<string, string>>): Suggest | undefined {
    if (!this.#server.canComplete) {
      return undefined;
    }
    let quietMs = 0;
    return async (typed, signal) => {
      if (typed.length > MAX_TYPED) {
        return noSuggestions;
      }
      const key = JSON.stringify([argument, typed, answers]);
      const heard = this.#heard.get(key);
      if (heard) {
        return heard;
      }
      const wait = quietMs;
      quietMs = this.#pace.quietMs;
      await pause(wait, signal);
      await this.#takeTurn(signal);
      const asked = await this.#ask(argument, typed, answers, signal);
      if (asked) {
        this.#keep(key, asked);
      }
      return asked ?? noSuggestions;
    };
  }

  /** Undefined when the server gave no answer. */
  async #ask(
    name: string,
    value: string,
    answers: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Suggestions | undefined> {
    const { complete, logger, state } = this.#server;
    const knowsContext = state.kind === 'running' && state.revision >= WITH_CONTEXT;
    try {
      const result = await complete.call(
        this.#server,
        {
          ref: this.#ref,
          argument: { name, value },
          ...(knowsContext && Object.keys(answers).length > 0 && { context: { arguments: { ...answers } } }),
        },
        AbortSignal.any([signal, AbortSignal.timeout(this.#pace.patienceMs)]),
      );
      return fitToSuggest(result);
    } catch (error) {
      if (signal.aborted) {
        throw new CancellationError();
      }
      const reason = error instanceof CancellationError ? 'the server took too long' : messageOf(error);
      logger.log('debug', `There are no suggestions for ${JSON.stringify(name)}: ${reason}`);
      return undefined;
    }
  }

  async #takeTurn(signal: AbortSignal): Promise<void> {
    const { maxInWindow, windowMs } = this.#pace;
    for (;;) {
      const now = performance.now();
      const recent = this.#sentAt.filter((sent) => now - sent < windowMs);
      const [oldest] = recent;
      if (oldest === undefined || recent.length < maxInWindow) {
        this.#sentAt = [...recent, now];
        return;
      }
      await pause(oldest + windowMs - now, signal);
    }
  }

  #keep(key: string, suggestions: Suggestions): void {
    const [oldest] = this.#heard.keys();
    if (this.#heard.size >= MAX_CACHED && oldest !== undefined) {
      this.#heard.delete(oldest);
    }
    this.#heard.set(key, suggestions);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(Math.max(0, ms), undefined, { signal });
  } catch {
    throw new CancellationError();
  }
}
