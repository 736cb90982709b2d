import { distance } from 'fastest-levenshtein';

/** The known name that was probably meant; undefined when none is near enough. */
export function nearestName(written: string, known: readonly string[]): string | undefined {
  const lower = written.toLowerCase();
  const most = lower.length < 4 ? 1 : 2;
  return known
    .filter((name) => Math.abs(name.length - lower.length) <= most)
    .map((name) => ({ name, typos: typosBetween(lower, name.toLowerCase()) }))
    .sort((one, other) => one.typos - other.typos)
    .find(({ typos }) => typos <= most)?.name;
}

/** The same letters in another order count as one typo. */
function typosBetween(one: string, other: string): number {
  const isSwapped = one !== other && sorted(one) === sorted(other);
  return isSwapped ? 1 : distance(one, other);
}

function sorted(name: string): string {
  return name.split('').sort().join('');
}
