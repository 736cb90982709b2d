/** A count with its noun, such as "1 tool" and "1,200 tools"; the plural is regular. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** A clause as the beginning of a sentence. */
export function capitalized(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}

/** A clause as a sentence. */
export function sentence(clause: string): string {
  const text = capitalized(clause);
  return /[.!?:]$/.test(text) ? text : `${text}.`;
}

/** A time as a text: `0.5 s`, `4 s`, `2 min 5 s`. */
export function secondsText(ms: number): string {
  if (ms < 10_000) {
    return `${Math.round(ms / 100) / 10} s`;
  }
  const seconds = Math.round(ms / 1_000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return minutes < 2 ? `${seconds} s` : rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}

/** Such as 870, 2.3k or 41k. */
export function shortNumber(count: number): string {
  if (count < 1_000) {
    return String(count);
  }
  const thousands = count / 1_000;
  return `${thousands < 9.95 ? thousands.toFixed(1) : Math.round(thousands)}k`;
}

/** At most so many characters of a text that is only shown; the `…` says that it was cut. */
export function cutTo(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** A number of bytes, such as `1 byte` and `2.5 KB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_024) {
    return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  }
  return bytes < 1_024 * 1_024
    ? `${(bytes / 1_024).toFixed(1)} KB`
    : `${(bytes / (1_024 * 1_024)).toFixed(1)} MB`;
}
