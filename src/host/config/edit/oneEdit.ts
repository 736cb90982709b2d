interface Replacement {
  readonly offset: number;
  readonly length: number;
  readonly content: string;
}

/** The smallest single replacement that turns `before` into `after`, so that one undo reverts it. */
export function oneEdit(before: string, after: string): Replacement {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) {
    start += 1;
  }
  // A line end of two characters is not split.
  if (start > 0 && before[start - 1] === '\r') {
    start -= 1;
  }
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) {
    end += 1;
  }
  if (end > 0 && before.at(-end) === '\n' && before.at(-end - 1) === '\r') {
    end -= 1;
  }
  return {
    offset: start,
    length: before.length - start - end,
    content: after.slice(start, after.length - end),
  };
}
