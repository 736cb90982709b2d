import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Disposable } from '../../base/disposable.ts';
import { HostError, messageOf } from '../hostError.ts';
import { LineFraming } from './lineFraming.ts';
import { ProcessLog, type ProcessOutput } from './processLog.ts';
import { unregistered, type ProcessRegistry } from './processRegistry.ts';
import { endProcessTree } from './processTree.ts';
import { readLine } from './receivedLine.ts';
import { checkDirectory, spawnFailure, spawnServer, type StdioLaunch } from './spawnServer.ts';

const MEGABYTE = 1024 * 1024;
/** Megabytes of a message; one that is longer ends the connection. */
const MAX_MESSAGE_MB = 64;
/** Bytes of a line of stderr; what is longer is cut. */
const MAX_STDERR_BYTES = 16 * 1024;
/** Bytes that wait for a server to read them; beyond that nothing more is sent. */
const MAX_WAITING_BYTES = 64 * MEGABYTE;
/** Milliseconds that output already on its way may take to arrive after the process has ended. */
const DRAIN_MS = 200;
const TAKES_NOTHING = 'its process takes no more messages';
/** Milliseconds between the end of a process's pipes and its own, where it is ending. */
const EXIT_MS = 500;

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * The stdio transport (basic/transports): one process in a group of its own, one JSON-RPC message on
 * each line. Unlike the SDK's it knows how its process ended, keeps the end of its stderr, receives
 * batches (2025-03-26, basic: clients MUST support receiving them), and ends grandchildren too. Nothing
 * that the server writes, and nothing that a handler throws, leaves it as an exception.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #launch: StdioLaunch;
  readonly #log: ProcessLog;
  readonly #processes: ProcessRegistry;
  readonly #messages = new LineFraming(MAX_MESSAGE_MB * MEGABYTE, 'throw');
  readonly #stderr = new LineFraming(MAX_STDERR_BYTES, 'cut');
  readonly #finished = Promise.withResolvers<void>();
  #process: ChildProcessWithoutNullStreams | undefined;
  /** Until nothing of the process group is left. */
  #registration: Disposable | undefined;
  #exit: ProcessExit | undefined;
  #hasExitedByItself = false;
  #failure: HostError | undefined;
  #closing: Promise<void> | undefined;
  #isFinished = false;

  constructor(launch: StdioLaunch, onOutput: ProcessOutput, processes: ProcessRegistry = unregistered) {
    this.#launch = launch;
    this.#log = new ProcessLog(onOutput);
    this.#processes = processes;
  }

  /** The process id once started; with `stderr`, this is also how the SDK knows a stdio transport. */
  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  /** The last lines that the process wrote to stderr. */
  get stderr(): readonly string[] {
    return this.#log.tail;
  }

  /** How the process ended; undefined while it runs. */
  get exit(): ProcessExit | undefined {
    return this.#exit;
  }

  /** Whether the process ended before this side, or the SDK for it, had begun to end it. */
  get hasExitedByItself(): boolean {
    return this.#hasExitedByItself;
  }

  /** Why the connection was given up although the process ran on: says more than how that ended. */
  get failure(): HostError | undefined {
    return this.#failure;
  }

  /** @throws HostError `workingDirectoryMissing`, `commandNotFound` or `spawnFailed`. */
  async start(): Promise<void> {
    await checkDirectory(this.#launch.cwd);
    if (this.#closing) {
      throw new HostError('notRunning', 'it was stopped while it started');
    }
    const child = spawnServer(this.#launch);
    const spawned = once(child, 'spawn');
    // Without a process there is nothing to listen to, and Node may not even have made its pipes.
    if (child.pid !== undefined) {
      this.#process = child;
      this.#registration = this.#processes.add(child.pid);
      this.#listen(child);
    }
    try {
      await spawned;
    } catch (error) {
      throw spawnFailure(this.#launch, error);
    }
  }

  /**
   * Resolved when the system has taken the message (basic/transports, stdio: one line, UTF-8). A server that
   * does not read holds up nobody but those who wait here; they hear when its process has ended.
   *
   * @throws HostError `lost` when the process takes nothing any more, `timedOut` when too much waits for it
   * already, and `notRunning` when it was never started.
   */
  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#process?.stdin;
    if (!stdin) {
      throw new HostError('notRunning', 'its process was not started');
    }
    if (!stdin.writable) {
      throw new HostError('lost', TAKES_NOTHING);
    }
    if (stdin.writableLength > MAX_WAITING_BYTES) {
      throw new HostError(
        'timedOut',
        'the server does not read what it is sent, and too much is waiting for it',
      );
    }
    const line = `${JSON.stringify(message)}\n`;
    await new Promise<void>((resolve, reject) => {
      stdin.write(line, (cause) => {
        if (cause) {
          reject(new HostError('lost', TAKES_NOTHING, { cause }));
        } else {
          resolve();
        }
      });
    });
  }

  /**
   * Ends the process and all it started (basic/lifecycle, shutdown, stdio); resolved when they are gone, or
   * within about four seconds.
   */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const child = this.#process;
    if (child?.pid !== undefined) {
      child.stdin.end();
      await endProcessTree(child.pid);
      this.#registration?.dispose();
      // What the process wrote last is still read; one that nothing could end is left at that.
      const timer = setTimeout(() => this.#finish(), 2 * DRAIN_MS);
      await this.#finished.promise;
      clearTimeout(timer);
    }
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    const { stdin, stdout, stderr } = child;
    child.on('error', () => {});
    // Each message that cannot be written is told to its sender, too.
    stdin.on('error', () => this.#failUnlessEnding('it closed its stdin, so that it can be asked no more'));
    stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    stderr.on('data', (chunk: Buffer) => {
      for (const line of this.#stderr.append(chunk)) {
        this.#log.stderr(line);
      }
    });
    stderr.on('error', () => {});
    stdout.on('error', () => {});
    stdout.once('close', () => this.#failUnlessEnding('it closed its stdout, so that it can answer no more'));
    child.once('exit', (code, signal) => {
      this.#exit = { code, signal };
      this.#hasExitedByItself = this.#closing === undefined;
      // 'close' waits for the pipes, which a grandchild may hold open: give the rest a moment only.
      child.once('close', () => this.#finish());
      afterwards(DRAIN_MS, () => this.#finish());
    });
  }

  /** A process that ends closes its pipes a moment before. */
  #failUnlessEnding(what: string): void {
    afterwards(EXIT_MS, () => this.#fail(new HostError('exited', what)));
  }

  /** Gives up on a process that runs on. */
  #fail(failure: HostError): void {
    if (!this.#exit && !this.#isFinished && !this.#closing) {
      this.#failure = failure;
      this.#finish();
    }
  }

  /** Ends the connection, and what is left of the process group by itself. */
  #finish(): void {
    if (this.#isFinished) {
      return;
    }
    this.#isFinished = true;
    const rest = this.#stderr.rest();
    if (rest !== undefined) {
      this.#log.stderr(rest);
    }
    this.#log.end();
    const child = this.#process;
    child?.stdin.destroy();
    child?.stdout.destroy();
    child?.stderr.destroy();
    this.#closing ??= this.#end();
    this.#finished.resolve();
    this.#guarded(() => this.onclose?.());
  }

  #read(chunk: Buffer): void {
    try {
      for (const line of this.#messages.append(chunk)) {
        this.#receive(line);
      }
    } catch {
      this.#fail(new HostError('protocol', `the server sent a message of more than ${MAX_MESSAGE_MB} MiB`));
    }
  }

  #receive(line: string): void {
    for (const one of readLine(line)) {
      if (one.kind === 'message') {
        this.#guarded(() => this.onmessage?.(one.message));
      } else {
        // Not by `onerror`, which the SDK leaves unheard while it probes: a server greets first of all.
        this.#log.noise(one.text);
      }
    }
  }

  /** Calls a handler; what it throws costs this one message. */
  #guarded(call: () => void): void {
    try {
      call();
    } catch (error) {
      try {
        this.onerror?.(error instanceof Error ? error : new Error(messageOf(error)));
      } catch {
        // There is nobody left to tell.
      }
    }
  }
}

/** Calls after so many milliseconds, and after what has already come by then: a timer alone goes before it. */
function afterwards(ms: number, call: () => void): void {
  setTimeout(() => setImmediate(call), ms);
}
