/** What a server offers for one argument. */
export interface Suggestions {
  /** Exactly as the server wrote them, its best ones first; no two are equal. */
  readonly values: readonly string[];
  /** Whether there are others, which typing on may bring. */
  readonly hasMore: boolean;
}

export const noSuggestions: Suggestions = { values: [], hasMore: false };

/** The most that one answer may hold (server/utilities/completion). */
const MAX_VALUES = 100;
/** Characters of a value; a longer one is left out, for a part of it would be another value. */
const MAX_VALUE_LENGTH = 2_000;

/** The usable part of a server's answer, whatever it holds. */
export function fitToSuggest(completion: {
  readonly values?: unknown;
  readonly total?: unknown;
  readonly hasMore?: unknown;
}): Suggestions {
  const listed: readonly unknown[] = Array.isArray(completion.values) ? completion.values : [];
  const values = listed
    .slice(0, MAX_VALUES)
    .filter((value) => typeof value === 'string')
    .filter((value) => value !== '' && value.length <= MAX_VALUE_LENGTH);
  const total = typeof completion.total === 'number' ? completion.total : 0;
  return {
    values: [...new Set(values)],
    hasMore: completion.hasMore === true || total > listed.length || listed.length > MAX_VALUES,
  };
}
