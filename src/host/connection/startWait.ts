import { setTimeout as delay } from 'node:timers/promises';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { Logger } from '../../base/logging/logger.ts';
import { secondsText } from '../../base/text/words.ts';
import { HostError } from '../errors/hostError.ts';
import type { FetchedProgram } from '../launch/warnings/packageRunners.ts';
import { systemProcesses } from '../processes/systemProcesses.ts';
import { plainLine } from '../../base/text/plainLine.ts';
import type { StdioTransport } from '../transport/stdioTransport.ts';
import { startRequestIn } from './startRequest.ts';
import type { StartRequest } from '../state/connectionState.ts';

/** How long a process may be silent while it starts, in milliseconds. */
export interface StartPolicy {
  /** To `initialize`, after it did not answer the probe: then it restarts, with `initialize` first. */
  readonly silentMs: number;
  /** The same for what a package runner has started, which may be a set-up script. */
  readonly runnerSilentMs: number;
  /** In all, for a server that a package runner has to download, or that waits for you. */
  readonly fetchMs: number;
  /** Between two checks whether it still does. */
  readonly lookMs: number;
  /** Waits between two lines in the log that it is still starting; the last one repeats. */
  readonly sayAfterMs: readonly [number, ...number[]];
}

export const defaultStart: StartPolicy = {
  silentMs: 8_000,
  runnerSilentMs: 30_000,
  fetchMs: 10 * 60_000,
  lookMs: 3_000,
  sayAfterMs: [5_000, 10_000, 15_000, 30_000],
};

/** Lines of stderr in which a process can ask you for something. */
const MAX_LINES = 8;

/** The time from a server's start to its first message. The log says from time to time that it is still starting. */
export class StartWait implements Disposable {
  /** In milliseconds since the epoch. */
  readonly since = Date.now();
  readonly policy: StartPolicy;
  /** What a package runner may have to download first. */
  readonly fetched: FetchedProgram | undefined;
  /** When the process last wrote to stderr, in milliseconds since the epoch. */
  wroteAt = 0;
  readonly #logger: Logger;
  readonly #onAsk: (asks: StartRequest | undefined) => void;
  #lines: readonly string[] = [];
  #asks: StartRequest | undefined;
  #hasReceived = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  /** `onAsk` gets what the process asks you to do, and undefined when another process begins instead. */
  constructor(
    logger: Logger,
    policy: StartPolicy,
    fetched: FetchedProgram | undefined,
    onAsk: (asks: StartRequest | undefined) => void,
  ) {
    this.policy = policy;
    this.fetched = fetched;
    this.#logger = logger;
    this.#onAsk = onAsk;
    this.#sayLater(0);
  }

  /** The program that may still be downloading the server; undefined from its first message on. */
  get runner(): string | undefined {
    return this.#hasReceived ? undefined : this.fetched?.runner;
  }

  /** Call for each process. */
  begins(): void {
    this.#lines = [];
    if (this.#asks) {
      this.#asks = undefined;
      this.#onAsk(undefined);
    }
  }

  /** Call when the process has written to stderr, with the lines that are complete. */
  wrote(lines: readonly string[]): void {
    this.wroteAt = Date.now();
    const plain = lines.map((line) => plainLine(line).trim()).filter((line) => line !== '');
    for (const line of this.#isOver ? [] : plain) {
      this.#lines = [...this.#lines, line].slice(-MAX_LINES);
      const asks = startRequestIn(this.#lines);
      if (asks && asks.words !== this.#asks?.words) {
        this.#asks = asks;
        this.#onAsk(asks);
      }
    }
  }

  /** Resolves unless the process waits for you, and otherwise when its time is over. @throws the signal's reason. */
  async whileAsking(signal: AbortSignal): Promise<void> {
    while (this.#asks && Date.now() - this.since < this.policy.fetchMs) {
      await delay(this.policy.lookMs, undefined, { signal });
    }
  }

  /** The failure of a process that waits for you without success; undefined if it does not wait. */
  get unattended(): HostError | undefined {
    const waited = `it waited ${secondsText(Date.now() - this.since)} for you to do this`;
    return this.#asks && new HostError('unattended', `${waited}: ${this.#asks.words}`);
  }

  /** Call for each message of the server. */
  received(): void {
    this.#hasReceived = true;
    clearTimeout(this.#timer);
  }

  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #sayLater(count: number): void {
    const { sayAfterMs } = this.policy;
    const wait = sayAfterMs[Math.min(count, sayAfterMs.length - 1)];
    this.#timer = setTimeout(() => {
      const { runner } = this;
      const fetching = runner === undefined ? '' : ` ${runner} may still be downloading.`;
      const waited = secondsText(Date.now() - this.since);
      this.#logger.log('info', `Starting for ${waited}: no message from the server yet.${fetching}`);
      this.#sayLater(count + 1);
    }, wait);
  }
}

/**
 * Resolves when a process has been silent for so long that it will probably never answer, or after `mostMs` if it only
 * writes to stderr. It may wait for you; for a runner, the time begins when it has started what it downloaded.
 *
 * @throws the reason of the signal.
 */
export async function silentTooLong(
  wait: StartWait,
  process: Pick<StdioTransport, 'pid' | 'stderr'>,
  mostMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { fetched, policy } = wait;
  if (fetched) {
    const isFetching = fetched.kind === 'container' ? pullsImage : aloneInGroup(process);
    while (await isFetching(process)) {
      await delay(policy.lookMs, undefined, { signal });
    }
  }
  const silentMs = fetched ? policy.runnerSilentMs : policy.silentMs;
  const from = Date.now();
  const end = from + Math.max(mostMs, silentMs);
  for (
    let left = silentMs;
    left > 0;
    left = Math.min(Math.max(wait.wroteAt, from) + silentMs, end) - Date.now()
  ) {
    await delay(left, undefined, { signal });
    await wait.whileAsking(signal);
  }
}

/** docker, podman and nerdctl write to stderr when they begin and end to download an image. */
function pullsImage({ stderr }: Pick<StdioTransport, 'pid' | 'stderr'>): Promise<boolean> {
  const began = stderr.findLastIndex((line) =>
    /\b(?:pull|pulling|unable to find image|resolving)\b/i.test(line),
  );
  const ended = stderr.findLastIndex((line) => /^(?:Status:|Writing manifest|elapsed:)/i.test(line));
  return Promise.resolve(began > ended);
}

/** npx, uvx and the like download a package in one process, and run it in another. */
function aloneInGroup({ pid }: Pick<StdioTransport, 'pid' | 'stderr'>): () => Promise<boolean> {
  const table = systemProcesses();
  const start = pid === null ? undefined : table.startOf(pid);
  return async () => {
    // Windows lists processes only by a program that takes seconds: there, the silence alone counts.
    if (pid === null || start === undefined || process.platform === 'win32') {
      return false;
    }
    const members = await table.membersOf({ pid, start }).catch(() => []);
    return members.length === 1;
  };
}
