/**
 * Milliseconds after a page has moved in which no click of the pointer counts: the second one of two, for example, would hit
 * something else. The keyboard is safe, because the focus moves to headings and rows only.
 */
const QUIET_MS = 500;

let quietUntil = 0;

/** Something has moved under the pointer, or just appeared. */
export function beQuiet(): void {
  quietUntil = performance.now() + QUIET_MS;
}

/** False for a click of the pointer just after something has moved. */
export function isMeant({ detail }: MouseEvent): boolean {
  const isByPointer = detail > 0;
  return !isByPointer || performance.now() >= quietUntil;
}
