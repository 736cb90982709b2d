/** What Node for Windows doesn't run, and why. The table of `npm run test:windows` counts by these reasons. */
interface LeftOut {
  readonly reason: string;
  /** True if only Wine is the reason: on Windows itself these tests run. */
  readonly onlyUnderWine?: boolean;
  /** Files below `test/unit/`, or folders, with a slash at the end; each alone, or with words of the titles of its tests. */
  readonly tests: readonly (string | readonly [file: string, ...titles: readonly string[]])[];
}

export const leftOut: readonly LeftOut[] = [
  {
    reason: "is about the test editor, VS Code's server, which isn't used on Windows",
    tests: ['editor/door.test.ts', 'editor/failedTest.test.ts', 'editor/runner.test.ts', 'editor/setup/'],
  },
  {
    reason:
      'is about files or signals that Windows does not have: modes, line breaks in names, pipes with a name, stopped processes',
    tests: [
      ['base/files/atomicFile.test.ts', 'by its user only'],
      ['base/files/fileHash.test.ts', 'in a pipe'],
      ['host/auth/accounts/accountStore.test.ts', 'by their user only'],
      ['host/connection/failures.test.ts', 'by a signal', 'is not a program'],
      'host/connection/faults/frozen.test.ts',
      ['host/connection/faults/httpEnds.test.ts', 'that is frozen'],
      ['host/connection/ping.test.ts', 'that is frozen', 'that was frozen', 'while you are asked'],
      ['host/decisions/decisionStore.test.ts', 'by their owner alone'],
      ['host/folders/folderDisk.test.ts', 'nothing that this user may not read'],
      ['host/launch/envFile.test.ts', 'FIFO'],
      ['host/transport/stdioTransport.test.ts', 'The stdio transport ends', 'cannot be entered'],
      ['sample/sampleServer.test.ts', 'no line break that a name has'],
    ],
  },
  {
    reason: 'is about process groups, or about programs in place of those of the system, which are scripts',
    tests: [
      'host/processes/guard.test.ts',
      'host/processes/outsiders.test.ts',
      ['host/processes/processTable.test.ts', 'The table of this system', 'The table by ps'],
      'host/processes/sweepGroups.test.ts',
      'host/processes/taskkill.test.ts',
    ],
  },
  {
    reason: 'has a process that closes its own stdin or stdout, which Node leaves open on Windows',
    tests: [
      ['host/connection/faults/misanswering.test.ts', 'by closing its stdout'],
      ['host/connection/knownAtOnce.test.ts', 'and runs on'],
      ['host/connection/malformedMessages.test.ts', 'closes its stdout'],
      ['host/transport/stdioTransport.test.ts', 'closed its stdin'],
    ],
  },
  {
    reason:
      'shows the SDK alone fail at what Windows does: nothing ignores its end, and what it started ends with it',
    tests: [['host/connection/bareSdk/endRows.test.ts', 'it ends what a server', 'it ends servers that']],
  },
  {
    reason: 'is about a look at the processes of a package runner, which Windows lists too slowly for that',
    tests: ['host/connection/startWait.test.ts'],
  },
  {
    reason: 'is about POSIX paths, or fingerprints made of them; rules for Windows have tests of their own',
    tests: [
      ['host/launch/launchFingerprint.test.ts', 'What was approved'],
      ['host/launch/question/launchPaths.test.ts', 'to its server a', 'to its server where it starts, when'],
      [
        'host/launch/question/launchPaths.test.ts',
        'to its server the inner',
        'to its server beside',
        'one path in two',
      ],
      ['host/launch/question/launchPaths.test.ts', 'to its server writes out'],
      ['host/launch/question/namedFiles.test.ts', 'their paths are /', 'their paths are none: '],
      ['host/roots/roots.test.ts', 'an address on another machine'],
      ['host/roots/rootTruth.test.ts', 'a folder with #, ?'],
    ],
  },
  {
    reason: 'starts a script by its path, or loads one by a path that is no URL, which Windows cannot',
    tests: [
      [
        'host/launch/question/launchAttacks.test.ts',
        'lead to in the command',
        'lead to in a variable that loads code',
      ],
    ],
  },
  {
    reason: 'needs symbolic links, which Wine 8 pretends to make',
    onlyUnderWine: true,
    tests: [
      ['base/files/fileHash.test.ts', 'of the target of a link'],
      ['host/decisions/decisionStore.test.ts', 'when their file is gone'],
      ['host/folders/folderDisk.test.ts', 'where links lead to', 'says why there is none'],
      ['host/launch/envFile.test.ts', 'by name or by link'],
      ['host/launch/question/codeBeside.test.ts', 'what a link leads to'],
      ['host/launch/question/envFileValues.test.ts', 'by a link'],
      ['host/launch/question/launchAttacks.test.ts', 'a link that leads'],
      ['host/launch/question/watchedFilesOfServers.test.ts', 'when a link leads'],
      [
        'host/roots/rootTruth.test.ts',
        'as a link',
        'a target',
        'Share Again',
        'swapped',
        'held to what it',
        'sub-folder',
      ],
      ['sample/sampleServer.test.ts', 'follows no link'],
    ],
  },
  {
    reason: 'waits until a server notices that its response is no longer read, which Wine 8 may not tell it',
    onlyUnderWine: true,
    tests: [['host/transport/http/limits.test.ts', 'within the memory of one message']],
  },
  {
    reason: 'uses a program or library that the dependencies have for this system only',
    onlyUnderWine: true,
    tests: ['docs/architecture.test.ts', 'docs/rooms.test.ts', 'host/gate/waysPastGate.test.ts'],
  },
];

/** Why nothing of a file is run there, if the list says so. */
export function reasonToLeaveOutFile(file: string, isWine: boolean): string | undefined {
  return reasonToLeaveOut({ file, title: '' }, isWine);
}

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
