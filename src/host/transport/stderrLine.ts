import { isRecord } from '../../base/record.ts';
import type { LogLevel } from '../../base/logger.ts';

/** Characters of a line in which its level is looked for. */
const LEVEL_LENGTH = 80;
/** Characters of a line that are parsed as JSON. */
const JSON_LENGTH = 16_384;

// oxlint-disable-next-line no-control-regex -- A terminal's colors begin with a control character.
const colors = /\u001B\[[\d;:?]{0,32}[A-Za-z]/g;
// oxlint-disable-next-line no-control-regex -- What moves the cursor has no place in a sentence.
const controls = /[\u0000-\u001F\u007F-\u009F]+/g;

/** `ERROR` stands alone, `error` has a mark behind it: "error handling is on" is no error. */
const signs = [
  /(?<!\w)(?<word>ERROR|FATAL|CRITICAL|PANIC|WARN|WARNING|INFO|DEBUG|TRACE)(?!\w)/,
  /(?<!\w)(?<word>error|err|fatal|critical|panic|warn|warning|info|debug|trace)[:!\]>|]/i,
  /(?<!\w)[A-Z]\w{0,40}(?<word>Error|Exception|Warning)(?: \[\w{1,40}\])?:/,
  /^npm (?<word>error|warn)\b/,
  /(?<!\w)(?:level|lvl|severity)="?(?<word>error|err|fatal|critical|panic|warn|warning)\b/i,
  /^(?<word>Traceback) \(most recent call last\)|^thread '.{0,40}' (?<rust>panicked) at/,
];

/** A line of stderr as text: without a terminal's colors, and what else cannot be read. */
export function plainLine(line: string): string {
  return line.replaceAll(colors, '').replaceAll(controls, ' ').trimEnd();
}

/**
 * The level that a line of stderr says it has: `error` or `warn` where one of the common log formats says so at the
 * line's start, or in a line of JSON its level; `info` for all else, because stderr is where servers write whatever
 * they have to say (basic/transports, stdio).
 */
export function levelOfLine(line: string): LogLevel {
  const plain = plainLine(line);
  const json = jsonOf(plain);
  const word = (json ? json.level : wordAtStart(plain.slice(0, LEVEL_LENGTH)))?.toLowerCase() ?? 'info';
  if (/^(?:info|debug|trace)$/.test(word)) {
    return 'info';
  }
  return word.startsWith('warn') ? 'warn' : 'error';
}

/** What a line of stderr has to say: of a line of JSON, its message. */
export function wordsOfLine(line: string): string {
  const plain = plainLine(line);
  return jsonOf(plain)?.message ?? plain;
}

function wordAtStart(start: string): string | undefined {
  for (const sign of signs) {
    const found = sign.exec(start);
    // Behind a sentence it is a part of that sentence; before it stand times, names and numbers.
    if (found && !/[A-Za-z]{2,} [A-Za-z]{2,} /.test(start.slice(0, found.index + 1))) {
      return found.groups?.['word'] ?? found.groups?.['rust'];
    }
  }
  return undefined;
}

/** The message of a line in JSON, as loggers write them, and its level where that is a warning or worse. */
function jsonOf(line: string): { readonly level?: string; readonly message?: string } | undefined {
  if (!line.startsWith('{') || line.length > JSON_LENGTH) {
    return undefined;
  }
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) {
    return undefined;
  }
  const message = [value['msg'], value['message'], value['error'], value['event']].find(
    (one): one is string => typeof one === 'string' && one.trim() !== '',
  );
  const level = levelIn(value['level'] ?? value['severity'] ?? value['lvl'] ?? value['levelname']);
  return { ...(level !== undefined && { level }), ...(message !== undefined && { message }) };
}

/** Numbers are those of bunyan and pino: 40 is a warning, 50 an error. */
function levelIn(level: unknown): string | undefined {
  if (typeof level === 'number') {
    return level >= 50 ? 'error' : level >= 40 ? 'warn' : undefined;
  }
  return typeof level === 'string'
    ? /^(?:error|err|fatal|critical|crit|alert|emerg\w*|panic|warn|warning)$/i.exec(level.trim())?.[0]
    : undefined;
}
