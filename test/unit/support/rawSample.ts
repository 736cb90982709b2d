import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const sampleScript = fileURLToPath(new URL('../../../src/sample/main.ts', import.meta.url));

export interface Message {
  readonly jsonrpc?: string;
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The sample server as a process, spoken to line by line. */
export class RawSample {
  readonly process: ChildProcessWithoutNullStreams;
  readonly exited: Promise<unknown[]>;
  readonly #lines: AsyncIterator<string>;

  constructor() {
    this.process = spawn(process.execPath, [sampleScript], { stdio: 'pipe' });
    this.exited = once(this.process, 'exit');
    this.#lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  sendText(text: string): void {
    this.process.stdin.write(text);
  }

  send(...messages: readonly object[]): void {
    this.sendText(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
  }

  /** The next message of the server. */
  async next(): Promise<Message> {
    const { value, done } = await this.#lines.next();
    if (done === true) {
      throw new Error('The server has ended');
    }
    return JSON.parse(value) as Message;
  }

  async ask(method: string, params?: object): Promise<Message> {
    this.send({ id: 'asked', method, ...(params && { params }) });
    return this.next();
  }

  async begin(protocolVersion = '2025-11-25', capabilities: object = {}): Promise<Message> {
    const answer = await this.ask('initialize', {
      protocolVersion,
      capabilities,
      clientInfo: { name: 'test', version: '0' },
    });
    this.send({ method: 'notifications/initialized' });
    return answer;
  }

  async close(): Promise<void> {
    this.process.stdin.end();
    await this.exited;
  }
}
