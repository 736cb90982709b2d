import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { root } from '../editor/paths.mjs';
import { resultsOf, type FileResults } from './fileResults.ts';
import { readEvents, type Job } from './job.ts';
import { Wine } from './wine.ts';

/** A process that writes no event for that long hangs: a test may take a minute. */
const longestSilenceMs = 150_000;
const pollMs = 200;
/** Milliseconds in which processes of tests have to end after their test file. */
const graceMs = 10_000;

/** Where one process at a time runs test files, beside other lanes: under Wine with a Windows of its own. */
export class Lane {
  readonly #wine: Wine | undefined;
  readonly #grep: string | undefined;
  readonly #events: string;
  readonly #job: string;
  readonly #output: string;

  /** @throws if Wine is needed and not there. */
  constructor(name: string, grep: string | undefined) {
    const folder = join(root, 'out/windows', name);
    mkdirSync(folder, { recursive: true });
    this.#wine = process.platform === 'win32' ? undefined : new Wine(folder);
    this.#grep = grep;
    this.#events = join(folder, 'events.jsonl');
    this.#job = join(folder, 'job.json');
    this.#output = join(folder, 'output.txt');
    writeFileSync(this.#output, '');
  }

  prepare(): void {
    this.#wine?.end(); // what a run that was killed has left
    this.#wine?.prepare();
  }

  /** Ends everything that runs in it. */
  end(): void {
    this.#wine?.end();
  }

  /** Runs files in one process; after one that hangs, the rest in another one. */
  async run(files: readonly string[]): Promise<readonly FileResults[]> {
    const results: FileResults[] = [];
    while (results.length < files.length) {
      const rest = files.slice(results.length);
      const problem = await this.#runFiles(rest);
      results.push(...resultsOf(rest, readEvents(this.#events), problem));
      const left = await this.#leftRunning();
      if (left.length > 0) {
        results.at(-1)?.failures.push({ title: 'Processes were left running', error: left.join('\n') });
        this.end();
      }
    }
    return results;
  }

  /** Runs files in one process. Gives what was wrong with the process itself. */
  async #runFiles(files: readonly string[]): Promise<string | undefined> {
    const wine = this.#wine;
    const path = (file: string) => wine?.path(file) ?? file;
    const job: Job = {
      files,
      events: path(this.#events),
      isWine: wine !== undefined,
      ...(this.#grep !== undefined && { grep: this.#grep }),
    };
    writeFileSync(this.#job, JSON.stringify(job));
    writeFileSync(this.#events, '');
    const node = wine?.node ?? process.execPath;
    const sockets = wine
      ? [
          '--import',
          pathToFileURL(join(import.meta.dirname, 'wineSockets.mjs')).href.replace('file://', 'file:///Z:'),
        ]
      : [];
    const args = [...sockets, path(join(import.meta.dirname, 'runFiles.ts')), path(this.#job)];
    const [program, parameters] = wine?.command(node, args) ?? [node, args];
    const output = openSync(this.#output, 'a');
    const child = spawn(program, parameters, {
      cwd: root,
      env: wine?.env ?? process.env,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    const ended = once(child, 'exit').then(([code]) =>
      code === 0 ? undefined : `The process ended with ${code}.`,
    );
    const finished = new AbortController();
    try {
      return await Promise.race([ended, this.#silence(finished.signal)]);
    } finally {
      finished.abort();
      if (child.exitCode === null) {
        this.end();
        child.kill('SIGKILL');
      }
    }
  }

  /** Resolves when no event has come for too long. */
  async #silence(signal: AbortSignal): Promise<string | undefined> {
    while (!signal.aborted && Date.now() - statSync(this.#events).mtimeMs < longestSilenceMs) {
      await delay(pollMs);
    }
    return signal.aborted ? undefined : `Nothing happened for ${longestSilenceMs / 1000} s.`;
  }

  /** The command lines of processes that tests have left under Wine, once they had time to end. */
  async #leftRunning(): Promise<readonly string[]> {
    const running = () => this.#wine?.running() ?? [];
    let left = running();
    for (const end = Date.now() + graceMs; left.length > 0 && Date.now() < end; left = running()) {
      await delay(pollMs);
    }
    return left;
  }
}
