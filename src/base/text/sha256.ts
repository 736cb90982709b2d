import { hash } from 'node:crypto';

/** The SHA-256 of a text or of bytes, in hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data);
}

/** How many texts are remembered, and how many characters each may have. */
const MOST_TEXTS = 1_000;
const MOST_CHARACTERS = 1_000;

/** `sha256` for texts that come again and again. */
export function rememberingSha256(): (text: string) => string {
  const hashes = new Map<string, string>();
  return (text) => {
    const known = hashes.get(text);
    if (known !== undefined || text.length > MOST_CHARACTERS) {
      return known ?? sha256(text);
    }
    if (hashes.size >= MOST_TEXTS) {
      hashes.clear();
    }
    const made = sha256(text);
    hashes.set(text, made);
    return made;
  };
}
