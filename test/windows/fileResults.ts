import type { Event, FoundTest } from './job.ts';

/** What became of the tests of one file. */
export interface FileResults {
  readonly file: string;
  passed: number;
  readonly failures: { readonly title: string; readonly error: string }[];
  /** Why tests are left out: one entry for each. */
  readonly leftOut: string[];
}

/**
 * What became of the tests of files, by the events of their process: of each file up to the last one that began.
 *
 * @param problem What was wrong with the process: its last file has failed with that.
 */
export function resultsOf(
  files: readonly string[],
  events: readonly Event[],
  problem: string | undefined,
): readonly FileResults[] {
  const results: FileResults[] = [];
  for (const file of files) {
    const first = events.findIndex((event) => 'file' in event && event.file === file);
    if (first === -1) {
      if (results.length === 0) {
        const error = problem ?? 'It did not run.';
        results.push({ file, passed: 0, leftOut: [], failures: [{ title: file, error }] });
      }
      break;
    }
    const after = events.findIndex((event, index) => index > first && 'file' in event);
    const isLast = after === -1;
    results.push(
      resultsOfFile(file, events.slice(first, isLast ? undefined : after), isLast ? problem : undefined),
    );
  }
  return results;
}

function resultsOfFile(
  file: string,
  [head, ...events]: readonly Event[],
  problem: string | undefined,
): FileResults {
  const results: FileResults = { file, passed: 0, failures: [], leftOut: [] };
  if (head?.kind !== 'file') {
    results.failures.push({ title: file, error: head?.kind === 'unreadable' ? head.error : '' });
    return results;
  }
  let why = problem ?? 'It was not reached.';
  const reached = new Set<number>();
  let current = -1;
  for (const event of events) {
    switch (event.kind) {
      case 'begin':
        current = event.test;
        break;
      case 'passed':
        reached.add(event.test);
        results.passed += 1;
        break;
      case 'skipped':
        reached.add(event.test);
        leaveOut(head.tests[event.test], results);
        break;
      case 'failed':
        reached.add(event.test);
        results.failures.push({ title: head.tests[event.test]?.title ?? '', error: event.error });
        break;
      case 'hookFailed':
        results.failures.push({ title: event.title, error: event.error });
        why = `It was not reached, because this failed: ${event.title}`;
        break;
      case 'file':
      case 'unreadable':
        break;
    }
  }
  head.tests.forEach(({ title }, index) => {
    if (!reached.has(index)) {
      results.failures.push({ title, error: index === current ? (problem ?? why) : why });
    }
  });
  return results;
}

/** A test that skips itself without being in the list has failed. */
function leaveOut(test: FoundTest | undefined, { leftOut, failures }: FileResults): void {
  if (test?.reason !== undefined) {
    leftOut.push(test.reason);
  } else {
    const error = 'It skips itself: say why in test/windows/leftOut.ts.';
    failures.push({ title: test?.title ?? '', error });
  }
}
