/** Characters of one step. */
const STEP = 64 * 1024;

/** Whether a long text is base64 as `atob` takes it, which the SDK's schemas ask; each step yields its work. */
export function* isBase64InSteps(data: string): Generator<number, boolean> {
  const end = /={0,2}[\t\n\f\r ]{0,100}$/.exec(data.slice(-102));
  const length = data.length - (end?.[0].length ?? 0);
  let spaces = 0;
  for (let at = 0; at < length; at += STEP) {
    const piece = data.slice(at, Math.min(length, at + STEP));
    if (!/^[A-Za-z0-9+/]*$/.test(piece)) {
      if (!/^[A-Za-z0-9+/\t\n\f\r ]*$/.test(piece)) {
        return false;
      }
      spaces += piece.length - piece.replaceAll(/[\t\n\f\r ]/g, '').length;
    }
    yield piece.length;
  }
  return (length - spaces) % 4 !== 1;
}
