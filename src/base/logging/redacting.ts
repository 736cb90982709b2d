import { cutTo } from '../text/words.ts';
import type { Logger } from './logger.ts';
import { visibleProse, visibleText } from '../text/visibleText.ts';

/** A shorter value would remove ordinary words from a log, and is hardly a secret. */
const MIN_LENGTH = 6;
/** Replaces a text of any length that may be a secret. */
export const HIDDEN = '•••';

/**
 * The text without the values, nor any of their lines, also as JSON or a URL writes them. The beginning of a value that
 * was cut, at the end of the text or before a `…`, is removed, too.
 */
export function redacted(text: string, values: Iterable<string>): string {
  const hidden = new Set<string>();
  for (const value of values) {
    for (const line of [value, ...value.split(/\r\n|\r|\n/)]) {
      if (line.length >= MIN_LENGTH) {
        hidden.add(line);
        hidden.add(JSON.stringify(line).slice(1, -1));
        hidden.add(encoded(line));
        hidden.add(visibleText(line));
      }
    }
  }
  // The longest first: one value may be the beginning of another.
  return [...hidden].sort((a, b) => b.length - a.length).reduce(withoutValue, text);
}

function withoutValue(text: string, value: string): string {
  if (!text.includes(value.slice(0, MIN_LENGTH))) {
    return text;
  }
  const rest = text.replaceAll(value, HIDDEN);
  // Without a `…`, a value was cut at the end alone.
  const end = rest.includes('…') ? 0 : Math.max(0, rest.length - value.length);
  return rest.slice(0, end) + withoutBeginning(rest.slice(end), value);
}

/** The text without the beginning of a value that was cut. */
function withoutBeginning(text: string, value: string): string {
  let rest = '';
  let from = 0;
  for (const [index, count] of beginningsIn(text, value).entries()) {
    const end = index + 1;
    const start = end - count;
    if (count >= MIN_LENGTH && start >= from && (end === text.length || text[end] === '…')) {
      rest += text.slice(from, start) + HIDDEN;
      from = end;
    }
  }
  return rest + text.slice(from);
}

/**
 * For each character of a text, how many characters of the value's beginning end there: the most, and not all of them.
 * Each is compared twice at most (Knuth, Morris and Pratt).
 */
function beginningsIn(text: string, value: string): readonly number[] {
  const own = [0];
  const next = (count: number, character: string | undefined): number => {
    let left = count;
    while (left > 0 && (left === value.length || value[left] !== character)) {
      left = own[left - 1] ?? 0;
    }
    return value[left] === character ? left + 1 : 0;
  };
  for (let at = 1; at < value.length; at += 1) {
    own.push(next(own[at - 1] ?? 0, value[at]));
  }
  const counts: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    counts.push(next(counts[at - 1] ?? 0, text[at]));
  }
  return counts;
}

/** At most so many characters of a text, without the values, which are removed before it is cut. */
export function cutText(text: string, most: number, values: Iterable<string>): string {
  const rest = redacted(text, values);
  return cutTo(rest, most);
}

/**
 * The text as a log has it: characters that cannot be seen or that end a line are written out, and further lines are
 * indented, so that no text of a server looks like a line of ours.
 */
function logText(text: string): string {
  return visibleProse(text.replaceAll(/\r\n/g, '\n')).text.replaceAll(/\n(?! {4})/g, '\n    ');
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half a surrogate pair, which no URL can have.
    return text;
  }
}

/** A logger for texts of servers, too: it leaves out these values, which may be added to at any time. See `logText`. */
export function redacting(logger: Logger, values: Iterable<string>): Logger {
  return {
    get isTracing() {
      return logger.isTracing;
    },
    log: (level, message) => logger.log(level, logText(redacted(message, values))),
    show: () => logger.show?.(),
  };
}
