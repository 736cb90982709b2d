import type { Logger } from './logger.ts';
import { visibleProse, visibleText } from '../text/visibleText.ts';

/** A shorter value would remove ordinary words from a log, and is hardly a secret. */
const MIN_LENGTH = 6;
const HIDDEN = '•••';

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
  return [...hidden]
    .sort((a, b) => b.length - a.length)
    .reduce((rest, value) => withoutBeginning(rest.replaceAll(value, HIDDEN), value), text);
}

/** The text without the beginning of a value that was cut. */
function withoutBeginning(text: string, value: string): string {
  const beginning = value.slice(0, MIN_LENGTH);
  let rest = '';
  let from = 0;
  for (let at = text.indexOf(beginning); at !== -1; at = text.indexOf(beginning, at + 1)) {
    let end = at + beginning.length;
    while (end < text.length && text[end] === value[end - at]) {
      end += 1;
    }
    if (end === text.length || text[end] === '…') {
      rest += text.slice(from, at) + HIDDEN;
      from = end;
    }
  }
  return rest + text.slice(from);
}

/** At most so many characters of a text, without the values, which are removed before it is cut. */
export function cutText(text: string, most: number, values: Iterable<string>): string {
  const rest = redacted(text, values);
  return rest.length > most ? `${rest.slice(0, most)}…` : rest;
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
