import { levelOfLine, plainLine, wordsOfLine } from '../../transport/stderrLine.ts';

/** Characters of a server's last words. */
const MAX_LENGTH = 200;

/** What programs write after, or around, what they have to say. */
const besides = [
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
  // What stands for a secret is a word.
  /^(?!•••)[^\p{L}\p{N}]*$/u,
];

/**
 * The one line of stderr that says best why a process ended: the last that is marked as an error, or else the last
 * that is no part of a stack or of what programs write around it. Undefined where there is none.
 */
export function lastWords(stderr: readonly string[]): string | undefined {
  const lines = stderr.map(plainLine).filter((line) => !besides.some((one) => one.test(line)));
  const flush = lines.filter((line) => !/^\s/.test(line));
  const said = flush.findLast((line) => levelOfLine(line) === 'error') ?? flush.at(-1);
  const next = said?.endsWith(':') ? lines[lines.lastIndexOf(said) + 1] : undefined;
  // What is set off as a whole, as uv does, is one sentence over several lines.
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
