/** The words of a query, in lower case; a text matches if it contains all of them. */
export function queryWords(query: string): readonly string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** How many occurrences are checked, because texts of servers can be long. */
const MAX_LOOKS = 16;

/**
 * How well a text in lower case matches a word: 0 if a line begins with it, 1 if a word does, 2 if it is elsewhere;
 * undefined if the text doesn't contain it.
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
