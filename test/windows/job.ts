import { readFileSync } from 'node:fs';

/** What a process in Node for Windows has to run. Its paths are as that Node reads them. */
export interface Job {
  /** Paths of test files, relative to the project's folder, with slashes. */
  readonly files: readonly string[];
  /** The file that each event is written to, as a line of JSON. */
  readonly events: string;
  readonly isWine: boolean;
  /** Runs only the tests whose titles contain it. */
  readonly grep?: string;
}

/** A test, by its place in its file. */
export type Event =
  | { readonly kind: 'file'; readonly file: string; readonly tests: readonly FoundTest[] }
  | { readonly kind: 'unreadable'; readonly file: string; readonly error: string }
  | { readonly kind: 'begin' | 'passed' | 'skipped'; readonly test: number }
  | { readonly kind: 'failed'; readonly test: number; readonly error: string }
  /** A hook failed: the tests after it in its suite don't run. */
  | { readonly kind: 'hookFailed'; readonly title: string; readonly error: string };

/** A test of a file. */
export interface FoundTest {
  readonly title: string;
  /** Why it is left out, by the list. */
  readonly reason?: string;
}

/** The events so far: a line is complete once its line break is there. */
export function readEvents(file: string): readonly Event[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Event);
}
