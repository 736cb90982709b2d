// oxlint-disable-next-line no-control-regex -- A terminal's colors begin with a control character.
const colors = /\u001B\[[\d;:?]{0,32}[A-Za-z]/g;
// oxlint-disable-next-line no-control-regex -- Characters that move the cursor don't belong in a sentence.
const controls = /[\u0000-\u001F\u007F-\u009F]+/g;

/** A line that a program printed as text, without the colors of a terminal and control characters. */
export function plainLine(line: string): string {
  return line.replaceAll(colors, '').replaceAll(controls, ' ').trimEnd();
}
