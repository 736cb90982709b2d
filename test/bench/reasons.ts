import { isMet, type Result } from './result.ts';

/** Why rows miss their goals, and what limits them, as profiles have shown. Written by hand. */
interface Reason {
  /** As in `Result`. */
  readonly measure: string;
  /** The rows that it is about: those whose title contains one of these; without them all of the measure. */
  readonly rows?: readonly string[];
  /** Markdown, one paragraph. */
  readonly text: string;
}

const reasons: readonly Reason[] = [];

/** The reasons for those of these results that miss their goals. */
export function reasonsFor(results: readonly Result[]): readonly string[] {
  const missed = results.filter((result) => !isMet(result));
  return reasons.filter((reason) => missed.some((result) => isAbout(reason, result))).map(({ text }) => text);
}

/** The results that miss their goals, and nobody has written why. */
export function unexplained(results: readonly Result[]): readonly Result[] {
  return results.filter((result) => !isMet(result) && !reasons.some((reason) => isAbout(reason, result)));
}

function isAbout({ measure, rows }: Reason, result: Result): boolean {
  return measure === result.measure && (rows?.some((row) => result.what.includes(row)) ?? true);
}
