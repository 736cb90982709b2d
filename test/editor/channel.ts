import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, patience } from './expectation.ts';

/** How the steps of a test run commands beside the window: the `ready` extension listens in each extension host. */
export class Channel {
  /** That of VS Code's server; undefined where the `ready` extension isn't installed. */
  readonly #folder: string | undefined;
  /** The process of the window's extension host. */
  readonly #host: () => Promise<number>;

  constructor(folder: string | undefined, host: () => Promise<number>) {
    this.#folder = folder;
    this.#host = host;
  }

  /** Runs a command with what JSON can say, waits until it has ended, and gives its result if that is a text. */
  async execute(command: string, ...args: readonly unknown[]): Promise<string | undefined> {
    const folder = this.#folder;
    if (folder === undefined) {
      throw new Error(`'${command}' needs the 'ready' extension, which this window doesn't have.`);
    }
    const open = async () => connected(join(folder, `ready-${await this.#host()}`));
    const connection = (await expect('an extension host that listens', open, Boolean)) as Socket;
    connection.end(JSON.stringify({ command, args }));
    connection.setTimeout(patience, () =>
      connection.destroy(new Error(`The command '${command}' has not ended within ${patience / 1000} s.`)),
    );
    const { result, error } = JSON.parse(await text(connection)) as Answer;
    if (error !== undefined) {
      throw new Error(`The command '${command}' failed: ${error}`);
    }
    return result;
  }
}

/** What the extension writes. */
interface Answer {
  readonly result?: string;
  readonly error?: string;
}

/** A connection to a socket; undefined while nobody listens, as while the extension host restarts. */
async function connected(path: string): Promise<Socket | undefined> {
  const connection = connect(path);
  return once(connection, 'connect').then(
    () => connection,
    () => undefined,
  );
}
