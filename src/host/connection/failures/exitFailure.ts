import { HostError } from '../../errors/hostError.ts';
import { levelOfLine, plainLine, wordsOfLine } from '../../transport/stderrLine.ts';
import type { ProcessExit } from '../../transport/stdioTransport.ts';

/** Characters of the message that is taken from stderr. */
const MAX_LENGTH = 200;

/** Lines that programs write after or around their error message. */
const noise = [
  /^Node\.js v\d/,
  /^(?:npm (?:error|ERR!) )?A complete log of this run can be found in/,
  /^npm (?:error|ERR!)(?: \w+)?$/,
  /^npm (?:notice|info)\b/,
  /^npm (?:error|ERR!) \d{3} (?:Note that you can|tarball, folder)/,
  /^npm (?:error|ERR!) code \w+$/,
  /^(?:Run|See) '.{1,80}(?: --help)?'/,
  /^Require stack:/,
  /^note: run with `RUST_BACKTRACE/,
  /^Traceback \(most recent call last\)/,
  // A redacted secret counts as a word.
  /^(?!•••)[^\p{L}\p{N}]*$/u,
];

/** Says how a process ended that nobody stopped, with its error message; the last lines of stderr are the detail. */
export function exitFailure({ code, signal }: ProcessExit, stderr: readonly string[]): HostError {
  const how = signal ? `was ended by ${signal}` : `exited with code ${code ?? 'unknown'}`;
  const message = exitMessage(stderr);
  const tail = stderr.map(plainLine).filter((line) => line.trim() !== '');
  return new HostError('exited', message === undefined ? `it ${how}` : `it ${how}: ${message}`, {
    detail: tail.length > 1 ? `Its last output:\n${tail.join('\n')}` : undefined,
  });
}

/**
 * The line of stderr that best says why a process ended: the last one marked as an error, otherwise the last one that
 * is neither noise nor part of a stack trace.
 */
function exitMessage(stderr: readonly string[]): string | undefined {
  const lines = stderr.map(plainLine).filter((line) => !noise.some((one) => one.test(line)));
  const flush = lines.filter((line) => !/^\s/.test(line));
  const said = flush.findLast((line) => levelOfLine(line) === 'error') ?? flush.at(-1);
  const next = said?.endsWith(':') ? lines[lines.lastIndexOf(said) + 1] : undefined;
  // When every line is indented, as uv does it, they are one sentence.
  const chosen = said === undefined ? lines : [said, ...(next === undefined ? [] : [next])];
  if (chosen.length === 0) {
    return undefined;
  }
  const words = chosen.map((line) => wordsOfLine(line).trim());
  const text = words
    .join(' ')
    .replace(/^(?:npm (?:error|ERR!)(?: \d{3})?|(?!•••)[^\p{L}\p{N}"'`([{</$@#-]+)\s*/u, '');
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}
