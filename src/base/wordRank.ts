/** The words of a query: a text has to contain each of them, whatever its case. */
export function wordsOf(query: string): readonly string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Occurrences that are looked at for one at the beginning: texts of servers can be long. */
const MAX_LOOKS = 16;

/**
 * How well a lower-cased text of several lines contains a word: 0 where a line begins with it, 1 where a
 * word does, 2 elsewhere; undefined when it does not.
 */
export function wordRank(text: string, word: string): 0 | 1 | 2 | undefined {
  let rank: 1 | 2 | undefined;
  let index = text.indexOf(word);
  for (let looks = 0; index >= 0 && looks < MAX_LOOKS; looks += 1) {
    const before = text[index - 1];
    if (before === undefined || before === '\n') {
      return 0;
    }
    rank = rank === 1 || !/[\p{L}\p{N}]/u.test(before) ? 1 : 2;
    index = text.indexOf(word, index + 1);
  }
  return rank;
}
