/** What other tools call a field, or what one may take for its name. */
const otherNames: Readonly<Record<string, string>> = {
  arguments: 'args',
  environment: 'env',
  workingdirectory: 'cwd',
  httpurl: 'url',
  serverurl: 'url',
  transport: 'type',
};

/** The known name that was probably meant; undefined when none is near enough. */
export function nearestName(written: string, known: readonly string[]): string | undefined {
  const lower = written.toLowerCase();
  const other = otherNames[lower];
  if (other !== undefined && known.includes(other)) {
    return other;
  }
  let nearest: string | undefined;
  let least = Math.min(3, Math.floor(Math.max(lower.length, 3) / 2) + 1);
  for (const name of known) {
    const distance = editDistance(lower, name.toLowerCase(), least);
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

/** How many characters must be added, left out, replaced or swapped with the next; `limit` when as many or more. */
function editDistance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) >= limit) {
    return limit;
  }
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return Math.min(last[b.length] ?? 0, limit);
}
