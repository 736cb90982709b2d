/** The text in memory of its own: what was cut out of a long one keeps all of that. */
export function ownText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
