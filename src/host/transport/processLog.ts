import type { LogLevel } from '../../base/logger.ts';
import { cutText } from '../../base/redacting.ts';
import { visibleProse } from '../../base/visibleText.ts';
import { logBounds } from '../errors/bounds.ts';
import { levelOfLine, plainLine } from './stderrLine.ts';

/** Lines and characters of stderr that are kept for the message of a failure. */
const TAIL_LINES = 20;
const TAIL_LENGTH = 1_000;
/** Nobody reads more, and the editor holds each line in memory. */
const { lineCharacters: LOGGED_LENGTH, linesPerSecond: LINES_PER_SECOND } = logBounds;
const SECOND_MS = 1_000;

/** Takes down what a process writes besides messages, in words for the server's log. */
export type ProcessOutput = (level: LogLevel, text: string) => void;

/**
 * What one process writes besides messages (basic/transports, stdio: it MAY log to stderr, and MUST NOT
 * write to stdout what is no message). Bounded, however much that is.
 */
export class ProcessLog {
  readonly #write: ProcessOutput;
  readonly #secrets: Iterable<string>;
  readonly #now: () => number;
  readonly #tail: string[] = [];
  #hasNamedNoise = false;
  #secondStart = 0;
  #lines = 0;

  /** `secrets` are written nowhere; `now` gives milliseconds that never go back. */
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

  /** The last lines of stderr, fit to be shown. */
  get tail(): readonly string[] {
    return this.#tail.map((line) => visibleProse(cutText(plainLine(line), TAIL_LENGTH, this.#secrets)).text);
  }

  stderr(line: string): void {
    this.#tail.push(line);
    if (this.#tail.length > TAIL_LINES) {
      this.#tail.shift();
    }
    this.#log(levelOfLine(line), '[stderr] ', line);
  }

  /** What stdout had in it that is no message: a warning the first time, and of no interest from then on. */
  noise(text: string): void {
    if (this.#hasNamedNoise) {
      this.#log('debug', '[stdout] ', text);
      return;
    }
    this.#hasNamedNoise = true;
    this.#say(
      'warn',
      `The server wrote to stdout what is no message: ${cutText(text, 200, this.#secrets)}\n` +
        'It is left out. A server writes what it has to say to stderr; more of this kind is logged as debug.',
    );
  }

  /** A message that is more than is taken; the clause says what of it. */
  leftOut(reason: string): void {
    this.#log('warn', '', `A message of the server is left out: it ${reason}, which is more than is taken.`);
  }

  /** Says what was left out last, when the process has ended. */
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
      this.#say('warn', `${omitted} more lines that the server wrote within a second are left out.`);
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
