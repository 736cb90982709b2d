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

const reasons: readonly Reason[] = [
  {
    measure: 'starts',
    rows: ['servers, until all tools are listed'],
    text: '**Start of several servers.** Nearly half of the time is the start of the processes, on both sides. This host adds its code, the process that ends servers, and for each server a request and the checks of launch and tools.',
  },
  {
    measure: 'calls',
    text: '**Calls.** The pipe to the server takes 22 %, the garbage collector 16 %, the checks of the gate 10 %, and the check of the result 9 %. 1.5 of a bare call would leave 0.02 ms for all of it.',
  },
  {
    measure: 'inFlight',
    text: '**Many calls at the same time.** A call takes three times as much of the processor as a bare one: 23 % of it the garbage collector, 15 % the checks of the gate, 10 % the activity.',
  },
  {
    measure: 'editorStarts',
    rows: ['20 servers', '50 servers'],
    text: "**Start of many servers.** The processes of the servers keep both cores busy: bare clients take 0.7 of what the editor's own host takes here.",
  },
  {
    measure: 'editorCalls',
    rows: ['call by the gateway'],
    text: "**Calls by the gateway.** The editor calls the gateway over HTTP, where its own host writes to a pipe. Of 4.8 ms, 29 % are the editor's messages between its processes, 26 % MCP Host with the SDK, and most of the rest HTTP.",
  },
  {
    measure: 'starts',
    rows: ['servers, processor time'],
    text: "**Processor time of a start.** 45 % is the start of the processes, 12 % the code that is loaded, and 7 % the SDK's checks of results. This host sends two requests more.",
  },
  {
    measure: 'starts',
    rows: ['1 server with'],
    text: "**One server.** With 10,000 tools, 18 % is the code that is loaded, 14 % the garbage collector, 13 % the comparison with what you approved, and 10 % the check of each item. The bare SDK doesn't compare, and keeps no list.",
  },
  {
    measure: 'editorStarts',
    rows: ['1 server with 10 tools', '1 server with 100 tools'],
    text: '**One server with few tools.** Both hosts wait for the process of the server: bare clients alone take more than 0.3.',
  },
  {
    measure: 'results',
    rows: ['result of 100 KB', 'result of 5 MB', 'result of 20 MB over HTTP'],
    text: '**Results.** Of 100 KB over stdio, 20 % are the garbage collector, 18 % the pipe, 14 % the activity, and 13 % the gate. Of 20 MB over HTTP, 40 % are reading the message in steps, so that no server can block the window.',
  },
  {
    measure: 'notifications',
    text: '**Notifications.** 20 % are the notifications, half of it reading them. After each 50, a millisecond is for other servers.',
  },
  {
    measure: 'memory',
    rows: ['20 idle servers, resident set'],
    text: "**Idle servers.** The heap grows by 0.16 MB a server. 6 MB of the rest are the young generation of V8, which is empty but not given back, and 5 MB pages of Node's program.",
  },
  {
    measure: 'memory',
    rows: ['after 5,000 calls'],
    text: "**After 5,000 calls.** Most of the difference is the young generation of V8, which is empty but not given back, and whose size an extension can't set. The heap is 4.6 MB larger, half of it the activity.",
  },
  {
    measure: 'memory',
    rows: ['heap that 1,000 connects leave'],
    text: '**Connects.** Two heap snapshots differ by optimized code and by finalization registries that Node has not cleaned up yet. No object of a connection is left.',
  },
  {
    measure: 'idle',
    text: '**Idle servers.** Two trials of one side differ by more than the two sides. This host has a timer for each server, which pings it after two minutes of silence; the bare SDK sends no pings.',
  },
  {
    measure: 'activate',
    rows: ['activate, wall clock', 'code that activate loads', 'load of the code'],
    text: '**Activation.** About 690 modules are loaded at once. Loading each at its first use took 52 ms in all, but needs a compiler step of its own, and a window with servers loads the rest right after.',
  },
  {
    measure: 'activate',
    rows: ['VSIX'],
    text: '**VSIX.** The extension is 356 KB, the SDK 250 KB, the pictures and documents 260 KB, the list of public suffixes 48 KB, and the pages of the panels 39 KB.',
  },
];

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
