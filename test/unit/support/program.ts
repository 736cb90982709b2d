import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Emitter } from '../../../src/base/lifetime/event.ts';
import type { StdioServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import type { ConnectionBed } from './connectionBed.ts';
import { stdioServer } from './definitions.ts';
import { until } from './until.ts';

const onLoopback = new URL('../../fixtures/servers/onLoopback.mjs', import.meta.url).href;

/** The program of a server that was published for an earlier revision; the set-up installs it. */
export function installedScript(name: string, script = 'index'): string {
  return fileURLToPath(new URL(`../../installs/node_modules/${name}/dist/${script}.js`, import.meta.url));
}

/** A program, and what it is started with, as a stdio server that writes down which SDK it loads. */
export function onStdio(bed: ConnectionBed, program: readonly string[]): StdioServerDefinition {
  return stdioServer(['--import', onLoopback, ...program], { env: { LOADED_SDK: sdkFile(bed) } });
}

/** The packages of the SDK that the programs of a bed have loaded, with their versions. */
export function loadedSdk(bed: ConnectionBed): ReadonlySet<string> {
  return new Set(readFileSync(sdkFile(bed), 'utf8').trim().split('\n'));
}

function sdkFile(bed: ConnectionBed): string {
  return path.join(bed.directory, 'sdk');
}

/** A program that listens on a free port of loopback. It is ended with its bed. */
export class ListeningProgram {
  /** Its address, without a path. */
  readonly origin: string;
  /** Resolves when it has ended, on its own or with the bed. */
  readonly exited: Promise<unknown>;
  readonly #process: ChildProcess;
  readonly #output: ProgramOutput;
  readonly #requests: OpenRequests;

  /** Resolves when it listens. */
  static async start(
    bed: ConnectionBed,
    [script = '', ...args]: readonly string[],
  ): Promise<ListeningProgram> {
    const child = fork(script, args, {
      execArgv: [...process.execArgv, '--import', onLoopback],
      env: { ...process.env, PORT: '0', LOADED_SDK: sdkFile(bed) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const exited = once(child, 'exit');
    bed.endLater({
      close: async () => {
        child.kill('SIGKILL');
        await exited;
      },
    });
    const output = new ProgramOutput(child);
    const requests = new OpenRequests(child);
    const [{ port }] = (await Promise.race([
      once(child, 'message'),
      exited.then(() => {
        throw new Error(`${script} has ended:\n${output.lines.join('\n')}`);
      }),
    ])) as [{ readonly port: number }];
    return new ListeningProgram(child, port, exited, output, requests);
  }

  private constructor(
    child: ChildProcess,
    port: number,
    exited: Promise<unknown>,
    output: ProgramOutput,
    requests: OpenRequests,
  ) {
    this.#process = child;
    this.origin = `http://127.0.0.1:${port}`;
    this.exited = exited;
    this.#output = output;
    this.#requests = requests;
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }

  /** Resolves as soon as no request to it is open. */
  untilIdle(): Promise<void> {
    const { onDidEnd } = this.#requests;
    return until(() => this.#requests.open === 0, 'no request is open', onDidEnd);
  }

  /** Resolves as soon as a line that it has printed has this in it. */
  untilPrinted(part: string): Promise<void> {
    const { lines, onDidPrint } = this.#output;
    return until(() => lines.some((line) => line.includes(part)), `it prints '${part}'`, onDidPrint);
  }
}

/** How many requests a program has not answered to the end. */
class OpenRequests {
  open = 0;
  readonly #onDidEnd = new Emitter<void>();
  readonly onDidEnd = this.#onDidEnd.event;

  constructor(child: ChildProcess) {
    child.on('message', (message: { readonly open?: number }) => {
      if (message.open !== undefined) {
        this.open = message.open;
        this.#onDidEnd.fire();
      }
    });
    child.once('exit', () => {
      this.open = 0;
      this.#onDidEnd.fire();
    });
  }
}

/** What a program has printed so far, line by line. */
class ProgramOutput {
  readonly lines: string[] = [];
  readonly #onDidPrint = new Emitter<void>();
  readonly onDidPrint = this.#onDidPrint.event;

  constructor({ stdout, stderr }: ChildProcess) {
    for (const input of [stdout, stderr]) {
      if (input) {
        createInterface({ input }).on('line', (line) => {
          this.lines.push(line);
          this.#onDidPrint.fire();
        });
      }
    }
  }
}
