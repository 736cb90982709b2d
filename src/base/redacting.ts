import type { Logger } from './logger.ts';

/** A shorter value would take ordinary words out of a log, and is no secret worth the name. */
const MIN_LENGTH = 6;

/** The text without the values, each line of them by itself, also as JSON or an address writes them. */
export function redacted(text: string, values: Iterable<string>): string {
  const hidden = new Set<string>();
  for (const value of values) {
    for (const line of [value, ...value.split(/\r?\n/)]) {
      if (line.length >= MIN_LENGTH) {
        hidden.add(line);
        hidden.add(JSON.stringify(line).slice(1, -1));
        hidden.add(encoded(line));
      }
    }
  }
  // The longest first: one value may be the beginning of another.
  return [...hidden]
    .sort((a, b) => b.length - a.length)
    .reduce((rest, value) => rest.replaceAll(value, '•••'), text);
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half a surrogate pair, which no address can hold.
    return text;
  }
}

/** A logger that leaves out these values; they may be added to at any time. */
export function redacting(logger: Logger, values: Iterable<string>): Logger {
  return {
    get isTracing() {
      return logger.isTracing;
    },
    log: (level, message) => logger.log(level, redacted(message, values)),
    show: () => logger.show?.(),
  };
}
