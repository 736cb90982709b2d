import type { CallToolResult } from '@modelcontextprotocol/client';
import { isRecord } from '../../../base/values/record.ts';
import { HostError } from '../../errors/hostError.ts';
import { callResult } from './callResult.ts';
import type { FollowedTask } from './followTask.ts';
import type { TaskLink } from './taskLink.ts';
import { endedTask, taskStateOf, type TaskState } from './taskState.ts';

/** Requests that one task may make while it runs; each server is also limited in how often it asks. */
const MOST_INPUTS = 100;

/** What the task required: being answered, or answered, and whether the server has the answer. */
type Input = 'asked' | 'answered' | { readonly answer: object };

/**
 * A task of 2026-07-28 (extension tasks), which the server has made of a call. Its result, its failure and what it requires
 * come with its state; what it requires is answered by `tasks/update`, each key once.
 */
export class ServedTask implements FollowedTask {
  readonly #id: string;
  readonly #link: TaskLink;
  #latest: unknown;
  readonly #inputs = new Map<string, Input>();
  #failure: { readonly error: unknown } | undefined;
  #news = Promise.withResolvers<void>();

  /** `first` is the result that made the task. */
  constructor(id: string, first: unknown, link: TaskLink) {
    this.#id = id;
    this.#latest = first;
    this.#link = link;
  }

  get early(): Promise<unknown> {
    return this.#news.promise;
  }

  isPassing(error: unknown): boolean {
    return this.#failure === undefined && this.#link.isPassing(error);
  }

  async look(): Promise<TaskState> {
    this.#news = Promise.withResolvers();
    this.#throwFailure();
    await this.#sendAnswers();
    this.#latest = await this.#link.ask('tasks/get', { taskId: this.#id });
    return taskStateOf(this.#latest, this.#id);
  }

  async resultOf({ status, message }: TaskState): Promise<CallToolResult | undefined> {
    const { result, error, inputRequests } = isRecord(this.#latest) ? this.#latest : {};
    switch (status) {
      case 'working':
        return undefined;
      case 'input_required':
        this.#askFor(inputRequests);
        return undefined;
      case 'completed':
        return callResult(result, 'tasks/get');
      case 'failed':
        throw endedTask('failed', errorWords(error) ?? message);
      case 'cancelled':
        throw endedTask('was cancelled by the server', message);
    }
  }

  /** "Clients SHOULD deduplicate `inputRequests` keys across consecutive polls." */
  #askFor(inputs: unknown): void {
    for (const [key, request] of isRecord(inputs) ? Object.entries(inputs) : []) {
      if (!this.#inputs.has(key)) {
        if (this.#inputs.size >= MOST_INPUTS) {
          throw new HostError('protocol', 'the task of the server asks for too much');
        }
        this.#inputs.set(key, 'asked');
        void this.#answer(key, request);
      }
    }
  }

  /** A call that gets no answer fails, with a task as without one (2026-07-28, basic/patterns/mrtr). */
  async #answer(key: string, request: unknown): Promise<void> {
    try {
      this.#inputs.set(key, { answer: await this.#link.answer(request, this.#id) });
    } catch (error) {
      this.#failure ??= { error };
    }
    this.#news.resolve();
  }

  #throwFailure(): void {
    if (this.#failure) {
      throw this.#failure.error;
    }
  }

  async #sendAnswers(): Promise<void> {
    const ready = [...this.#inputs].flatMap(([key, input]) =>
      typeof input === 'string' ? [] : [[key, input.answer] as const],
    );
    if (ready.length > 0) {
      const inputResponses = Object.fromEntries(ready);
      await this.#link.ask('tasks/update', { taskId: this.#id, inputResponses });
      ready.forEach(([key]) => this.#inputs.set(key, 'answered'));
    }
  }
}

/** What a JSON-RPC error says; undefined if it says nothing. */
function errorWords(error: unknown): string | undefined {
  const { code, message } = isRecord(error) ? error : {};
  return typeof message === 'string' ? `the server answered: ${message} (${String(code)})` : undefined;
}
