import { withoutEnd } from '../text/withoutEnd.ts';

/** A name that Windows takes for a device, such as `aux` or `con.txt`, wherever it stands. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\.|$)/i;

export function isDeviceName(name: string): boolean {
  return device.test(name);
}

/** The name as a file can have it on Windows, too: of no device, and without a dot or a space at its end. */
export function portableFileName(name: string): string {
  const trimmed = withoutEnd(name, '. ');
  return isDeviceName(trimmed) ? `_${trimmed}` : trimmed;
}
