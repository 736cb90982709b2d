import { isRecord } from '../../base/values/record.ts';

/** What a server offers for one argument. */
export interface Suggestions {
  /** Exactly as the server wrote them, its best ones first, without duplicates. */
  readonly values: readonly string[];
  /** Whether there are others, which you may get by typing on. */
  readonly hasMore: boolean;
  /** How many there are, if the server says so. */
  readonly total?: number;
}

export const noSuggestions: Suggestions = { values: [], hasMore: false };

/** The most that one answer may contain (server/utilities/completion). */
const MAX_VALUES = 100;
/** Characters of a value; a longer one is left out, because a part of it would be another value. */
const MAX_VALUE_LENGTH = 2_000;

/** The usable part of a server's result of `completion/complete`, whatever it contains. */
export function fitToSuggest(result: unknown): Suggestions {
  const { values, total, hasMore } = completionIn(result);
  const listed: readonly unknown[] = Array.isArray(values) ? values : [];
  const usable = listed
    .slice(0, MAX_VALUES)
    .filter((value) => typeof value === 'string')
    .filter((value) => value !== '' && value.length <= MAX_VALUE_LENGTH);
  return {
    values: [...new Set(usable)],
    ...(Number.isSafeInteger(total) && { total: total as number }),
    hasMore:
      hasMore === true || listed.length > MAX_VALUES || (typeof total === 'number' && total > listed.length),
  };
}

function completionIn(result: unknown): Readonly<Partial<Record<'values' | 'total' | 'hasMore', unknown>>> {
  const { completion } = isRecord(result) ? result : {};
  return isRecord(completion) ? completion : {};
}
