/**
 * Whether a text consists of these pieces, in order, with anything between them: `pattern.split('*')`. Not a regular
 * expression: with several `*` it takes more than linear time.
 */
export function consistsOf(text: string, [first = '', ...rest]: readonly string[]): boolean {
  const last = rest.pop();
  if (last === undefined) {
    return text === first;
  }
  if (!text.startsWith(first)) {
    return false;
  }
  let from = first.length;
  for (const piece of rest) {
    const at = text.indexOf(piece, from);
    if (at < 0) {
      return false;
    }
    from = at + piece.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
}
