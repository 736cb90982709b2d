import { isRecord } from '../../base/values/record.ts';
import { plainLine } from '../../base/text/plainLine.ts';
import type { LogLevel } from '../../base/logging/logger.ts';

/** Characters of a line that are searched for its level. */
const LEVEL_LENGTH = 80;
/** Characters of a line that are parsed as JSON. */
const JSON_LENGTH = 16_384;

/** `ERROR` alone counts, `error` only before a punctuation mark: "error handling is on" is not an error. */
const signs = [
  /(?<!\w)(?<word>ERROR|FATAL|CRITICAL|PANIC|WARN|WARNING|INFO|DEBUG|TRACE)(?!\w)/,
  /(?<!\w)(?<word>error|err|fatal|critical|panic|warn|warning|info|debug|trace)[:!\]>|]/i,
  /(?<!\w)[A-Z]\w{0,40}(?<word>Error|Exception|Warning)(?: \[\w{1,40}\])?:/,
  /^npm (?<word>error|warn)\b/,
  /(?<!\w)(?:level|lvl|severity)="?(?<word>error|err|fatal|critical|panic|warn|warning)\b/i,
  /^(?<word>Traceback) \(most recent call last\)|^thread '.{0,40}' (?<rust>panicked) at/,
];

/** Whether a program's usage begins with this line. */
export function isUsage(line: string): boolean {
  return /^\s{0,8}usage:/i.test(line);
}

/**
 * The level of a line of stderr: `error` or `warn` if the line begins like that in one of the common log formats, or is
 * JSON with one of these levels; otherwise `info`, because servers write all log output to stderr (basic/transports,
 * stdio).
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

/** The text of a line of stderr; for a line of JSON, its message. */
export function wordsOfLine(line: string): string {
  const plain = plainLine(line);
  return jsonOf(plain)?.message ?? plain;
}

function wordAtStart(start: string): string | undefined {
  for (const sign of signs) {
    const found = sign.exec(start);
    // After words it is part of a sentence; only times, names and numbers come before a level.
    if (found && !/[A-Za-z]{2} [A-Za-z]{2,} /.test(start.slice(0, found.index + 1))) {
      return found.groups?.['word'] ?? found.groups?.['rust'];
    }
  }
  return undefined;
}

/** The message of a line of JSON, as loggers write it, and its level if that is a warning or worse. */
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

/** The numbers of bunyan and pino: 40 is a warning, 50 an error. */
function levelIn(level: unknown): string | undefined {
  if (typeof level === 'number') {
    return level >= 50 ? 'error' : level >= 40 ? 'warn' : undefined;
  }
  return typeof level === 'string'
    ? /^(?:error|err|fatal|critical|crit|alert|emerg\w*|panic|warn|warning)$/i.exec(level.trim())?.[0]
    : undefined;
}
