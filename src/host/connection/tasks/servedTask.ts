import type { CallToolResult } from '@modelcontextprotocol/client';
import { isRecord } from '../../../base/values/record.ts';
import { HostError } from '../../errors/hostError.ts';
import type { TaskRequests } from './taskRequests.ts';
import { callResult, endedTask, type TaskState } from './taskState.ts';

/** Requests that one task may make while it runs; each server is also limited in how often it asks. */
const MOST_INPUTS = 100;

/**
 * A task of 2026-07-28 (extension tasks), which the server has made of a call. Its result, its failure and what it requires
 * come with its state; what it requires is answered by `tasks/update`, each key once.
 */
export class ServedTask {
  readonly #requests: TaskRequests;
  /** The keys of what it has required. */
  readonly #inputs = new Set<string>();
  /** The answers that the server doesn't have yet, by their keys. */
  readonly #answers = new Map<string, object>();
  #failure: { readonly error: unknown } | undefined;
  #news = Promise.withResolvers<void>();

  constructor(requests: TaskRequests) {
    this.#requests = requests;
  }

  /** Settles when a look is worth while before its time. */
  get early(): Promise<unknown> {
    return this.#news.promise;
  }

  /** Whether the next look may succeed after this failure. */
  isPassing(error: unknown): boolean {
    return this.#failure === undefined && this.#requests.isPassing(error);
  }

  /** The next state. @throws HostError; what kept its input from being answered */
  async look(): Promise<TaskState> {
    this.#news = Promise.withResolvers();
    if (this.#failure) {
      throw this.#failure.error;
    }
    await this.#sendAnswers();
    return this.#requests.look();
  }

  /** The result of the call, or undefined while the task goes on. @throws HostError if there will be none */
  async resultOf(state: TaskState): Promise<CallToolResult | undefined> {
    switch (state.status) {
      case 'working':
        return undefined;
      case 'input_required':
        this.#askFor(state.inputRequests);
        return undefined;
      case 'completed':
        return callResult(state.result, 'tasks/get');
      case 'failed':
        throw endedTask('failed', errorWords(state.error) ?? state.message);
      case 'cancelled':
        throw endedTask('was cancelled by the server', state.message);
    }
  }

  /** "Clients SHOULD deduplicate `inputRequests` keys across consecutive polls." */
  #askFor(inputs: unknown): void {
    for (const [key, request] of isRecord(inputs) ? Object.entries(inputs) : []) {
      if (!this.#inputs.has(key)) {
        if (this.#inputs.size >= MOST_INPUTS) {
          throw new HostError('protocol', 'the task of the server asks for too much');
        }
        this.#inputs.add(key);
        void this.#answer(key, request);
      }
    }
  }

  /** A call that gets no answer fails, with a task as without one (2026-07-28, basic/patterns/mrtr). */
  async #answer(key: string, request: unknown): Promise<void> {
    try {
      this.#answers.set(key, await this.#requests.answer(request));
    } catch (error) {
      this.#failure ??= { error };
    }
    this.#news.resolve();
  }

  async #sendAnswers(): Promise<void> {
    if (this.#answers.size > 0) {
      const inputResponses = Object.fromEntries(this.#answers);
      await this.#requests.ask('tasks/update', { inputResponses });
      Object.keys(inputResponses).forEach((key) => this.#answers.delete(key));
    }
  }
}

/** What a JSON-RPC error says; undefined if it says nothing. */
function errorWords(error: unknown): string | undefined {
  const { code, message } = isRecord(error) ? error : {};
  return typeof message === 'string' ? `the server answered: ${message} (${String(code)})` : undefined;
}
