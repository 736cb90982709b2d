import { HostError, type HostErrorCode } from '../../errors/hostError.ts';
import { withoutJson } from '../../errors/schemaIssues.ts';
import { plainLine } from '../../../base/text/plainLine.ts';
import { isUsage, levelOfLine, wordsOfLine } from '../../transport/stderrLine.ts';
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

/** Codes of the system for a connection that a program could not open; it often ends with less specific words. */
const network = /\b(?:ECONN[A-Z]{3,10}|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|EAI_AGAIN)\b|\bconnection refused\b/i;

/** Says how a process ended that nobody stopped, with its error message; the last lines of stderr are the detail. */
export function exitFailure(
  { code, signal }: ProcessExit,
  stderr: readonly string[],
  kind: HostErrorCode = 'exited',
): HostError {
  const how = signal ? `was ended by ${signal}` : `exited with code ${code ?? 'unknown'}`;
  return withOutput(kind, `it ${how}`, stderr);
}

/** A failure of a process with the message of its stderr, whose last lines are the detail. */
export function withOutput(code: HostErrorCode, how: string, stderr: readonly string[]): HostError {
  const lines = toldLines(stderr);
  const message = messageIn(lines);
  return new HostError(code, message === undefined ? how : `${how}: ${message}`, {
    detail: lines.length > 1 ? `Its last output:\n${lines.join('\n')}` : undefined,
  });
}

/** The failure of a process with what it wrote to stdout that was no message, which is often the cause. */
export function withNoise(failure: HostError, noise: string | undefined): HostError {
  if (noise === undefined) {
    return failure;
  }
  const { code, message, detail, status } = failure;
  const lines = [...(detail === undefined ? [] : [detail]), noiseText(noise)];
  return new HostError(code, message, { cause: failure, status, detail: lines.join('\n') });
}

/** What a server wrote to stdout (basic/transports, stdio: it MUST NOT write anything that is not a message). */
export function noiseText(noise: string): string {
  return `On stdout, which is for messages only, it wrote: ${noise}`;
}

/** Lines that are not blank, with the issues of a schema in words; if one is an error, without the usage. */
function toldLines(stderr: readonly string[]): readonly string[] {
  const lines = withoutJson(stderr.map(plainLine).join('\n'))
    .split('\n')
    .filter((line) => line.trim() !== '');
  const usage = lines.findIndex(isUsage);
  return usage === -1 || !lines.some(isError)
    ? lines
    : lines.filter((line, at) => at < usage || isError(line));
}

/**
 * The line of stderr that best says why a process ended: an error that names a lost connection, the last one that is
 * marked as an error, or the last one that is neither noise nor part of a stack trace.
 */
function messageIn(told: readonly string[]): string | undefined {
  const lines = told.filter((line) => !noise.some((one) => one.test(line)));
  const flush = lines.filter((line) => !/^\s/.test(line));
  const errors = flush.filter(isError);
  const said = errors.find((line) => network.test(line)) ?? errors.at(-1) ?? flush.at(-1);
  // When every line is indented, as uv does it, they are one sentence.
  const chosen = said === undefined ? lines : [said, ...continued(said, lines)];
  if (chosen.length === 0) {
    return undefined;
  }
  const words = chosen.map((line) => wordsOfLine(line).trim());
  const text = words
    .join(' ')
    .replace(/^(?:npm (?:error|ERR!)(?: \d{3})?|(?!•••)[^\p{L}\p{N}"'`([{</$@#-]+)\s*/u, '');
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}

/** The lines that belong to one: after a colon, and where Pydantic names a field and what is wrong with it. */
function continued(line: string, lines: readonly string[]): readonly string[] {
  const count = line.endsWith(':') ? 1 : /\bvalidation errors? for \w{1,80}$/.test(line) ? 2 : 0;
  const next = lines.lastIndexOf(line) + 1;
  return lines.slice(next, next + count);
}

function isError(line: string): boolean {
  return levelOfLine(line) === 'error';
}
