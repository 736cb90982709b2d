import type { Writable } from 'node:stream';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import type { Disposable } from '../../base/lifetime/disposable.ts';

/** Milliseconds between two checks of a process that owes a response. */
const LOOK_MS = 1_000;

/**
 * Detects that a process closed its stdin while it owes a response: what was written right before is lost without an
 * error, and nothing else may be written for a long time. An empty write sends nothing, and fails if stdin is closed. A
 * process that keeps its stdin open and never reads it looks like a slow one.
 */
export class StdinWatch implements Disposable {
  readonly #stdin: Writable;
  readonly #owed = new Set<RequestId>();
  #timer: NodeJS.Timeout | undefined;

  constructor(stdin: Writable) {
    this.#stdin = stdin;
  }

  sent(message: JSONRPCMessage): void {
    if (!('method' in message)) {
      return;
    }
    if ('id' in message) {
      this.#owed.add(message.id);
    } else if (message.method === 'notifications/cancelled') {
      this.#owed.delete(message.params?.['requestId'] as RequestId);
    }
    this.#follow();
  }

  received(message: JSONRPCMessage): void {
    // A batch may have anything in it.
    const { id, method } = (message ?? {}) as { readonly id?: RequestId; readonly method?: unknown };
    if (method === undefined && id !== undefined) {
      this.#owed.delete(id);
    }
  }

  dispose(): void {
    this.#owed.clear();
    this.#end();
  }

  #follow(): void {
    // On Windows a process may take an empty write for the end of its input.
    if (this.#owed.size > 0 && process.platform !== 'win32') {
      this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
    }
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    if (this.#owed.size === 0) {
      // Not at each response: calls follow each other.
      this.#end();
    } else if (this.#stdin.writable && this.#stdin.writableLength === 0) {
      this.#stdin.write('');
    }
  }
}
