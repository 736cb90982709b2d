import type { LogLevel } from '../../base/logging/logger.ts';
import { cutText } from '../../base/logging/redacting.ts';
import { plainLine } from '../../base/text/plainLine.ts';
import { visibleProse } from '../../base/text/visibleText.ts';
import { logBounds } from '../json/bounds.ts';
import { tooMuchText } from '../json/receivedLine.ts';
import { isUsage, levelOfLine } from './stderrLine.ts';

/** The last lines of stderr, and characters of each, that are kept for the message of a failure. */
const TAIL_LINES = 40;
const TAIL_LENGTH = 1_000;
/** Earlier lines that are kept because they are errors, or follow one. */
const ERROR_LINES = 10;
/** Nobody reads more, and the editor holds each line in memory. */
const { lineCharacters: LOGGED_LENGTH, linesPerSecond: LINES_PER_SECOND } = logBounds;
const SECOND_MS = 1_000;

/** Writes what a process prints besides messages to the server's log. */
export type ProcessOutput = (level: LogLevel, text: string) => void;

/**
 * Logs what one process prints besides messages (basic/transports, stdio: it MAY log to stderr, and MUST NOT write
 * anything to stdout that is not a message), a bounded number of lines.
 */
export class ProcessLog {
  readonly #write: ProcessOutput;
  readonly #secrets: Iterable<string>;
  readonly #now: () => number;
  readonly #tail: string[] = [];
  readonly #errors: string[] = [];
  #wasError = false;
  #noise: string | undefined;
  #secondStart = 0;
  #lines = 0;

  /** `secrets` are removed from all lines; `now` gives milliseconds that never go back. */
  constructor(
    write: ProcessOutput,
    secrets: Iterable<string> = [],
    now: () => number = () => performance.now(),
  ) {
    this.#write = write;
    this.#secrets = secrets;
    this.#now = now;
    this.#secondStart = now();
  }

  /** The last lines of stderr, as they can be shown, behind earlier ones that are errors. */
  get tail(): readonly string[] {
    return [...this.#errors, ...this.#tail].map(
      (line) => visibleProse(cutText(plainLine(line), TAIL_LENGTH, this.#secrets)).text,
    );
  }

  /** The first output on stdout that was no message. */
  get firstNoise(): string | undefined {
    return this.#noise;
  }

  stderr(line: string): void {
    this.#tail.push(line);
    const first = this.#tail.length > TAIL_LINES ? this.#tail.shift() : undefined;
    if (first !== undefined) {
      const isError = levelOfLine(first) === 'error';
      if (isError || this.#wasError || isUsage(first)) {
        this.#errors.push(first);
        this.#errors.splice(0, this.#errors.length - ERROR_LINES);
      }
      this.#wasError = isError;
    }
    this.#log(levelOfLine(line), '[stderr] ', line);
  }

  /** Invalid output on stdout: a warning the first time, and debug output from then on. */
  noise(text: string): void {
    if (this.#noise !== undefined) {
      this.#log('debug', '[stdout] ', text);
      return;
    }
    this.#noise = cutText(text, 200, this.#secrets);
    this.#say(
      'warn',
      `The server wrote invalid output to stdout: ${this.#noise}\n` +
        'It was ignored. Servers must write log output to stderr; more of it is logged at level debug.',
    );
  }

  /** A message that exceeds the bounds; `reason` is the clause that says how. */
  leftOut(reason: string): void {
    this.#log('warn', '', tooMuchText(reason));
  }

  /** Logs how many lines were left out last. Call when the process has ended. */
  end(): void {
    this.#sayOmitted();
  }

  #log(level: LogLevel, prefix: string, line: string): void {
    const now = this.#now();
    if (now - this.#secondStart >= SECOND_MS) {
      this.#sayOmitted();
      this.#secondStart = now;
      this.#lines = 0;
    }
    this.#lines += 1;
    if (this.#lines <= LINES_PER_SECOND) {
      this.#say(level, prefix + cutText(line, LOGGED_LENGTH, this.#secrets));
    }
  }

  #sayOmitted(): void {
    if (this.#lines > LINES_PER_SECOND) {
      const omitted = this.#lines - LINES_PER_SECOND;
      this.#lines = 0;
      this.#say('warn', `${omitted} more lines that the server wrote within the same second were left out.`);
    }
  }

  #say(level: LogLevel, text: string): void {
    try {
      this.#write(level, text);
    } catch {
      // A log that fails is no reason to lose the connection.
    }
  }
}
