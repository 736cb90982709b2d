/** A copy of the text: a piece cut out of a long text would keep all of it in memory. */
export function ownText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
