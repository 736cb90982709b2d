import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { Slices } from '../../base/time/slices.ts';
import { logBounds, messageBounds } from '../json/bounds.ts';
import { HostError, messageOf } from '../errors/hostError.ts';
import { LineFraming } from '../json/lineFraming.ts';
import { ProcessLog, type ProcessOutput } from './processLog.ts';
import { unregistered, type ProcessRegistry, type RegisteredGroup } from '../processes/processRegistry.ts';
import { MARK } from '../processes/processTable.ts';
import { endProcessTree } from '../processes/processTree.ts';
import { MESSAGE_WORK, readReceived, type Received } from '../json/receivedLine.ts';
import { MessageTransport } from './messageTransport.ts';
import { StdinWatch } from './stdinWatch.ts';
import { checkDirectory, spawnFailure, spawnServer, type StdioLaunch } from './spawnServer.ts';

/** Bytes that may wait until a server reads them; beyond that nothing more is sent. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** Milliseconds in which output may still arrive after the process has ended. */
const DRAIN_MS = 200;
/** Milliseconds for reading it, if another process holds the pipe open and goes on writing. */
const REST_MS = 5_000;
const TAKES_NOTHING = 'the server closed its stdin and no longer accepts messages';
/** Milliseconds in which a process that closed a pipe may still exit. */
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
export class StdioTransport extends MessageTransport {
  readonly name = 'stdio';
  /** Called with the lines that are complete, maybe none, whenever the process has written to stderr. */
  onstderr?: (lines: readonly string[]) => void;
  /** Called with what it has written to stdout that is no message. */
  onnoise?: (text: string) => void;

  readonly #launch: StdioLaunch;
  readonly #log: ProcessLog;
  readonly #processes: ProcessRegistry;
  readonly #messages = new LineFraming(messageBounds.bytes, 'throw');
  readonly #stderr = new LineFraming(logBounds.lineBytes, 'cut');
  readonly #finished = Promise.withResolvers<void>();
  #process: ChildProcessWithoutNullStreams | undefined;
  #stdinWatch: StdinWatch | undefined;
  #registration: RegisteredGroup | undefined;
  #exit: ProcessExit | undefined;
  #hasExitedByItself = false;
  #failure: HostError | undefined;
  #closing: Promise<void> | undefined;
  #isFinished = false;
  readonly #slices = new Slices();
  #isInTurn = false;
  /** Output that was read and not handled yet. */
  readonly #chunks: Buffer[] = [];
  #unread: Generator<Received | number, void> | undefined;
  /** Called when all of it is handled. */
  #onRead: (() => void) | undefined;
  readonly #timers: NodeJS.Timeout[] = [];

  /** `secrets` are removed from all output of the process. */
  constructor(
    launch: StdioLaunch,
    onOutput: ProcessOutput,
    processes: ProcessRegistry = unregistered,
    secrets: Iterable<string> = [],
  ) {
    super();
    this.#launch = launch;
    this.#log = new ProcessLog(onOutput, secrets);
    this.#processes = processes;
  }

  /** The process id, once started. By this and `stderr` the SDK recognizes a stdio transport. */
  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  /** The last lines that the process wrote to stderr. */
  get stderr(): readonly string[] {
    return this.#log.tail;
  }

  /** What it first wrote to stdout that was no message. */
  get noise(): string | undefined {
    return this.#log.firstNoise;
  }

  /** How the process ended; undefined while it runs. */
  get exit(): ProcessExit | undefined {
    return this.#exit;
  }

  /** Whether the process ended before this side, or the SDK, began to end it. */
  get hasExitedByItself(): boolean {
    return this.#hasExitedByItself;
  }

  /** Why the connection was closed although the process still ran; says more than `exit`. */
  get failure(): HostError | undefined {
    return this.#failure;
  }

  /** @throws HostError `workingDirectoryMissing`, `commandNotFound` or `spawnFailed`. */
  async start(): Promise<void> {
    await checkDirectory(this.#launch.cwd);
    if (this.#closing) {
      throw new HostError('notRunning', 'it was stopped while it was starting');
    }
    const mark = randomUUID();
    const { env } = this.#launch;
    const child = spawnServer({ ...this.#launch, env: { ...env, [MARK]: mark } });
    const spawned = once(child, 'spawn');
    // Without a process there is nothing to listen to, and Node may not have created its pipes.
    if (child.pid !== undefined) {
      this.#process = child;
      this.#registration = this.#processes.add(child.pid, mark);
      this.#listen(child);
    }
    try {
      await spawned;
    } catch (error) {
      throw spawnFailure(this.#launch, error);
    }
  }

  /**
   * Resolves when the system has taken the message (basic/transports, stdio: one line, UTF-8). If the server doesn't
   * read, only the senders wait; they fail when its process ends.
   *
   * @throws HostError `lost` if the process closed its stdin, when the connection has ended because of that; `timedOut` if
   * too much is waiting already, and `notRunning` if it was never started.
   */
  protected async transmit(message: JSONRPCMessage): Promise<void> {
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
        'the server does not read its input, and too many messages are waiting',
      );
    }
    const line = `${JSON.stringify(message)}\n`;
    this.#stdinWatch?.sent(message);
    // What is sent before this process handles another event goes in one write.
    if (stdin.writableCorked === 0) {
      stdin.cork();
      process.nextTick(() => stdin.uncork());
    }
    await new Promise<void>((resolve, reject) => {
      stdin.write(line, (cause) => {
        if (cause) {
          // A process that exits closes its pipes first: how it ended says more.
          void this.#finished.promise.then(() => reject(new HostError('lost', TAKES_NOTHING, { cause })));
        } else {
          resolve();
        }
      });
    });
  }

  /**
   * Ends the process and everything it started (basic/lifecycle, shutdown, stdio); resolves when they are gone, or
   * after about four seconds.
   */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const child = this.#process;
    if (child?.pid !== undefined) {
      const { pid } = child;
      await this.#registration?.end(() => {
        child.stdin.end();
        return endProcessTree(pid);
      });
      // The last output is still read, unless nothing could end the process.
      const timer = setTimeout(() => this.#finish(), 2 * DRAIN_MS);
      await this.#finished.promise;
      clearTimeout(timer);
    }
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    const { stdin, stdout, stderr } = child;
    child.on('error', () => {});
    this.#stdinWatch = new StdinWatch(stdin);
    // The sender of each message that can't be written gets an error, too.
    stdin.on('error', () => this.#failUnlessEnding('it closed its stdin, so it no longer accepts requests'));
    stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    stderr.on('data', (chunk: Buffer) => {
      const lines = [...this.#stderr.append(chunk)];
      lines.forEach((line) => this.#log.stderr(line));
      this.#guarded(() => this.onstderr?.(lines));
      // One chunk in each iteration of the event loop.
      stderr.pause();
      setImmediate(() => stderr.resume());
    });
    stderr.on('error', () => {});
    stdout.on('error', () => {});
    stdout.once('close', () => this.#failUnlessEnding('it closed its stdout, so it can no longer respond'));
    child.once('exit', (code, signal) => {
      this.#exit = { code, signal };
      this.#hasExitedByItself = this.#closing === undefined;
      // 'close' waits for the pipes, which a grandchild may hold open: wait only a moment for the rest.
      child.once('close', () => this.#finishWhenRead());
      this.#afterwards(DRAIN_MS, () => this.#finishWhenRead());
    });
  }

  /** Waits a moment, because a process that exits closes its pipes first. */
  #failUnlessEnding(what: string): void {
    this.#afterwards(EXIT_MS, () => this.#fail(new HostError('exited', what)));
  }

  /** Closes the connection to a process that still runs. */
  #fail(failure: HostError): void {
    if (!this.#exit && !this.#isFinished && !this.#closing) {
      this.#failure = failure;
      this.#finish();
    }
  }

  /** Finishes after a large message that has arrived already is read. */
  #finishWhenRead(): void {
    if (this.#unread === undefined) {
      this.#finish();
    } else if (!this.#onRead) {
      this.#afterwards(REST_MS, () => this.#finish());
    }
    this.#onRead ??= () => this.#afterwards(0, () => this.#finishWhenRead());
  }

  /** Ends the connection, and what is left of the process group. */
  #finish(): void {
    if (this.#isFinished) {
      return;
    }
    this.#isFinished = true;
    this.#timers.forEach(clearTimeout);
    this.#stdinWatch?.dispose();
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

  /** Handles the output in slices; until that is done, nothing more is read from the process. */
  #read(chunk: Buffer): void {
    this.#chunks.push(chunk);
    // When the process ends, Node resumes a paused stream.
    if (!this.#unread) {
      this.#unread = this.#receivedMessages();
      this.#beginTurn();
      this.#takeUnread();
    }
  }

  /** Node reads a pipe many times in one iteration of the event loop; all of them share one slice. */
  #beginTurn(): void {
    if (!this.#isInTurn) {
      this.#isInTurn = true;
      this.#slices.renew();
      setImmediate(() => (this.#isInTurn = false));
    }
  }

  #takeUnread(): void {
    const unread = this.#unread;
    if (!unread || this.#isFinished) {
      return;
    }
    try {
      for (;;) {
        const step = unread.next();
        if (step.done) {
          break;
        }
        if (typeof step.value === 'number') {
          this.#slices.spend(step.value);
        } else {
          this.#slices.spend(MESSAGE_WORK);
          const taken = this.#receive(step.value);
          if (taken instanceof Promise) {
            this.#process?.stdout.pause();
            void taken.then(() => {
              this.#beginTurn();
              this.#takeUnread();
            });
            return;
          }
        }
        if (this.#slices.isUsedUp) {
          this.#process?.stdout.pause();
          setImmediate(() => {
            this.#beginTurn();
            this.#takeUnread();
          });
          return;
        }
      }
    } catch {
      const most = messageBounds.mebibytes;
      this.#fail(new HostError('protocol', `the server sent a message larger than ${most} MiB`));
    }
    this.#unread = undefined;
    this.#process?.stdout.resume();
    this.#onRead?.();
  }

  *#receivedMessages(): Generator<Received | number, void> {
    for (let chunk = this.#chunks.shift(); chunk; chunk = this.#chunks.shift()) {
      for (const line of this.#messages.lines(chunk)) {
        yield* readReceived(line);
      }
    }
  }

  /** Returns a promise if the handler of the message does. */
  #receive(one: Received): unknown {
    switch (one.kind) {
      case 'message':
        this.#stdinWatch?.received(one.message);
        return this.#guarded(() => this.deliver(one.message));
      case 'noise':
        // Not through `onerror`, to which the SDK doesn't listen while it probes: banners come first.
        this.#guarded(() => this.onnoise?.(one.text));
        return this.#log.noise(one.text);
      case 'tooMuch':
        return this.#log.leftOut(one.reason);
    }
  }

  /** Calls a handler; an exception affects only this message. */
  #guarded(call: () => unknown): unknown {
    const tell = (error: unknown): void => {
      try {
        this.onerror?.(error instanceof Error ? error : new Error(messageOf(error)));
      } catch {
        // Nobody else listens.
      }
    };
    try {
      const done = call();
      return done instanceof Promise ? done.catch(tell) : undefined;
    } catch (error) {
      return tell(error);
    }
  }

  /** Calls after so many milliseconds, and after pending input is read: timers run before it. */
  #afterwards(ms: number, call: () => void): void {
    if (!this.#isFinished) {
      this.#timers.push(setTimeout(() => setImmediate(call), ms));
    }
  }
}
