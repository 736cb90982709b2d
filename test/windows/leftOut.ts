/** What Node for Windows doesn't run, and why. The table of `npm run test:windows` counts by these reasons. */
interface LeftOut {
  readonly reason: string;
  /** True if only Wine is the reason: on Windows itself these tests run. */
  readonly onlyUnderWine?: boolean;
  /** Files below `test/unit/`, or folders, with a slash at the end; each alone, or with words of the titles of its tests. */
  readonly tests: readonly (string | readonly [file: string, ...titles: readonly string[]])[];
}

const leftOut: readonly LeftOut[] = [
  {
    reason: "is about the test editor, VS Code's server, which isn't used on Windows",
    tests: ['editor/door.test.ts', 'editor/failedTest.test.ts', 'editor/runner.test.ts', 'editor/setup/'],
  },
  {
    reason: 'uses a program that the dependencies have for this system only',
    onlyUnderWine: true,
    tests: ['docs/architecture.test.ts', 'docs/rooms.test.ts'],
  },
  {
    reason: "is written in syntax that Node 22 doesn't know; newer ones don't start under Wine 8",
    onlyUnderWine: true,
    tests: [
      'host/auth/network/discovery.test.ts',
      'host/auth/network/maliciousMetadata.test.ts',
      'host/auth/network/oauthFetch.test.ts',
    ],
  },
  {
    reason: 'needs symbolic links, which Wine 8 pretends to make',
    onlyUnderWine: true,
    tests: [
      ['base/files/fileHash.test.ts', 'of the target of a link'],
      ['host/folders/folderDisk.test.ts', 'where links lead to', 'says why there is none'],
    ],
  },
];

/** Why a test isn't run there, if the list says so. */
export function reasonToLeaveOut(
  { file, title }: { readonly file: string; readonly title: string },
  isWine: boolean,
): string | undefined {
  return leftOut.find(
    ({ tests, onlyUnderWine = false }) =>
      (isWine || !onlyUnderWine) && tests.some((entry) => isMeant(entry, file, title)),
  )?.reason;
}

function isMeant(entry: LeftOut['tests'][number], file: string, title: string): boolean {
  const [place, ...titles] = typeof entry === 'string' ? [entry] : entry;
  const path = `test/unit/${place}`;
  return (
    (path.endsWith('/') ? file.startsWith(path) : file === path) &&
    (titles.length === 0 || titles.some((words) => title.includes(words)))
  );
}
