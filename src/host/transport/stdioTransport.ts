import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import spawn from 'cross-spawn';
import type { Disposable } from '../../base/disposable.ts';
import { HostError, messageOf } from '../hostError.ts';
import { LineFraming } from './lineFraming.ts';
import { unregistered, type ProcessRegistry } from './processRegistry.ts';
import { endProcessTree } from './processTree.ts';

/** A message longer than this ends the connection. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Lines of stderr that are kept for the message of a failure. */
const STDERR_TAIL_LINES = 20;
/** Milliseconds that output already on its way may take to arrive after the process has ended. */
const DRAIN_MS = 200;

/** How a process is started: everything as it is handed to the system, without a shell. */
export interface StdioLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** An absolute path. */
  readonly cwd: string;
}

/** What a process writes besides messages: lines of stderr, and of stdout those that are no message. */
export type ProcessOutput = (stream: 'stderr' | 'stdout', line: string) => void;

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * The stdio transport (basic/transports): one process in a group of its own, one JSON-RPC message on
 * each line. Unlike the SDK's it knows how its process ended, keeps the end of its stderr, receives
 * batches (2025-03-26, basic: clients MUST support receiving them), and ends grandchildren too.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #launch: StdioLaunch;
  readonly #onOutput: ProcessOutput;
  readonly #processes: ProcessRegistry;
  readonly #stderrTail: string[] = [];
  #process: ChildProcess | undefined;
  /** Until nothing of the process group is left. */
  #registration: Disposable | undefined;
  #exit: ProcessExit | undefined;
  #ended: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(launch: StdioLaunch, onOutput: ProcessOutput, processes: ProcessRegistry = unregistered) {
    this.#launch = launch;
    this.#onOutput = onOutput;
    this.#processes = processes;
  }

  /** The process id once started; with `stderr`, this is also how the SDK knows a stdio transport. */
  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  /** The last lines that the process wrote to stderr. */
  get stderr(): readonly string[] {
    return this.#stderrTail;
  }

  /** How the process ended; undefined while it runs. */
  get exit(): ProcessExit | undefined {
    return this.#exit;
  }

  /** @throws HostError `workingDirectoryMissing`, `commandNotFound` or `spawnFailed`. */
  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#launch;
    const directory = await stat(cwd).catch(() => undefined);
    if (!directory?.isDirectory()) {
      throw new HostError('workingDirectoryMissing', `its working directory does not exist: ${cwd}`);
    }
    if (this.#closing) {
      throw new HostError('notRunning', 'it was stopped while it started');
    }
    const child = spawn(command, [...args], {
      cwd,
      env: { ...env },
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    this.#process = child;
    this.#registration = child.pid === undefined ? undefined : this.#processes.add(child.pid);
    this.#ended = this.#watch(child);
    try {
      await once(child, 'spawn');
    } catch (error) {
      throw spawnError(this.#launch, error);
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#process?.stdin;
    if (!stdin?.writable) {
      throw new HostError('notRunning', 'its process has ended');
    }
    if (!stdin.write(`${JSON.stringify(message)}\n`)) {
      await Promise.race([once(stdin, 'drain'), this.#ended]);
    }
  }

  /** Ends the process and all it started; resolved when they are gone, within about three seconds. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const pid = this.#process?.pid;
    if (pid !== undefined) {
      this.#process?.stdin?.end();
      await this.#endGroup(pid);
      await this.#ended;
    }
  }

  async #endGroup(leader: number): Promise<void> {
    await endProcessTree(leader);
    this.#registration?.dispose();
  }

  /** Reads the process until it has ended; resolved after `onclose` has been called. */
  async #watch(child: ChildProcess): Promise<void> {
    const { stdin, stdout, stderr } = child;
    stdin?.on('error', (error) => this.onerror?.(error));
    if (stdout) {
      this.#readMessages(stdout);
    }
    if (stderr) {
      this.#readStderr(stderr);
    }
    child.on('error', (error) => this.onerror?.(error));
    if (child.pid !== undefined) {
      const closed = new Promise((resolve) => child.once('close', resolve));
      await new Promise<void>((resolve) => {
        child.once('exit', (code, signal) => {
          this.#exit = { code, signal };
          resolve();
        });
      });
      // 'close' waits for the pipes, which a grandchild may hold open: give the rest a moment only.
      await Promise.race([closed, delay(DRAIN_MS)]);
      // A process that ended by itself may leave others of its group behind.
      this.#closing ??= this.#endGroup(child.pid);
    }
    stdout?.destroy();
    stderr?.destroy();
    this.onclose?.();
  }

  #readMessages(stdout: NodeJS.ReadableStream): void {
    const framing = new LineFraming(MAX_MESSAGE_BYTES);
    stdout.on('data', (chunk: Buffer) => {
      try {
        for (const line of framing.append(chunk)) {
          this.#receive(line);
        }
      } catch (error) {
        this.onerror?.(error instanceof Error ? error : new Error(messageOf(error)));
        void this.close();
      }
    });
  }

  #receive(line: string): void {
    if (line.trim() === '') {
      return;
    }
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      // Not by `onerror`, which the SDK leaves unheard while it probes: a server greets first of all.
      this.#onOutput('stdout', line);
      return;
    }
    for (const one of Array.isArray(message) ? (message as unknown[]) : [message]) {
      // The SDK tells requests, responses and notifications apart, and drops what is none.
      this.onmessage?.(one as JSONRPCMessage);
    }
  }

  #readStderr(stderr: NodeJS.ReadableStream): void {
    // Not our framing: `readline` also gives a last line without an end, and stderr has no messages to lose.
    createInterface({ input: stderr, crlfDelay: Infinity }).on('line', (line) => {
      this.#stderrTail.push(line);
      if (this.#stderrTail.length > STDERR_TAIL_LINES) {
        this.#stderrTail.shift();
      }
      this.#onOutput('stderr', line);
    });
  }
}

function spawnError({ command, env, cwd }: StdioLaunch, cause: unknown): HostError {
  switch ((cause as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return new HostError(
        'commandNotFound',
        /[\\/]/.test(command)
          ? `the command '${command}' was not found, seen from ${cwd}`
          : `the command '${command}' was not found. Searched PATH: ${env['PATH'] ?? env['Path'] ?? '(empty)'}`,
        { cause },
      );
    case 'EACCES':
      return new HostError('spawnFailed', `the command '${command}' may not be executed`, { cause });
    default:
      return new HostError('spawnFailed', `the command '${command}' failed: ${messageOf(cause)}`, { cause });
  }
}
