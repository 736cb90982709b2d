import { setTimeout as delay } from 'node:timers/promises';
import type { CompleteRequestParams } from '@modelcontextprotocol/client';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import { messageOf } from '../errors/hostError.ts';
import { textBounds } from '../json/bounds.ts';
import { fitToSuggest, noSuggestions, type Suggestions } from './suggestions.ts';

/** What is completed: a prompt by its name, or a template by its text as the server listed it. */
export type CompletionReference = CompleteRequestParams['ref'];

/**
 * Gets values for one argument from what is typed so far; none after a failure.
 *
 * @throws CancellationError when the signal aborts, as it does when you type on.
 */
export type Suggest = (typed: string, signal: AbortSignal) => Promise<Suggestions>;

/** The part of a connection that completes. */
export type CompletingServer = Pick<ServerConnection, 'canComplete' | 'complete' | 'logger' | 'state'>;

/** How often a server gets a request. */
export interface CompletionPace {
  /** Milliseconds without typing before a request is sent. */
  readonly quietMs: number;
  /** Requests within `windowMs` milliseconds; the next one waits. */
  readonly maxInWindow: number;
  readonly windowMs: number;
  /** Milliseconds after which an answer is too late to be useful. */
  readonly patienceMs: number;
  /** Milliseconds for which an answer is used again. */
  readonly freshMs: number;
}

const defaultPace: CompletionPace = {
  quietMs: 150,
  maxInWindow: 30,
  windowMs: 10_000,
  patienceMs: 10_000,
  freshMs: 60_000,
};

const MAX_CACHED = 100;
/** The first revision whose requests carry the earlier answers. */
const WITH_CONTEXT = '2025-06-18';

/**
 * Asks one server for the values of the arguments of one prompt or template (server/utilities/completion),
 * debounced, at a bounded rate, and each request once while its answer is fresh.
 */
export class ArgumentCompleter {
  readonly #server: CompletingServer;
  readonly #ref: CompletionReference;
  readonly #pace: CompletionPace;
  readonly #heard = new Map<string, { readonly at: number; readonly suggestions: Suggestions }>();
  /** When the last requests were sent, in milliseconds of `performance.now()`. */
  #sentAt: readonly number[] = [];

  constructor(server: CompletingServer, ref: CompletionReference, pace: CompletionPace = defaultPace) {
    this.#server = server;
    this.#ref = ref;
    this.#pace = pace;
  }

  /**
   * Completes one argument, given the earlier answers; undefined when the server has no completions.
   * The first request is sent at once, because the box has just opened.
   */
  suggestFor(argument: string, answers: Readonly<Record<string, string>>): Suggest | undefined {
    if (!this.#server.canComplete) {
      return undefined;
    }
    let quietMs = 0;
    return async (typed, signal) => {
      if (typed.length > textBounds.typed) {
        return noSuggestions;
      }
      const key = JSON.stringify([argument, typed, answers]);
      const heard = this.#heard.get(key);
      if (heard && performance.now() - heard.at < this.#pace.freshMs) {
        return heard.suggestions;
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
    this.#heard.set(key, { at: performance.now(), suggestions });
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(Math.max(0, ms), undefined, { signal });
  } catch {
    throw new CancellationError();
  }
}
