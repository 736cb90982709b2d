import { isRecord } from '../../../base/record.ts';

/** Equal as JSON, whatever the order of the members. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, inOrder) === JSON.stringify(b, inOrder);
}

function inOrder(_: string, held: unknown): unknown {
  return isRecord(held)
    ? Object.fromEntries(Object.entries(held).sort(([one], [other]) => (one < other ? -1 : 1)))
    : held;
}
