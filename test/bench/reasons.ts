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
    text: '**Start of several servers.** Starting the processes, which blocks both sides alike, is nearly half of the time in a profile of 50 servers. What this host adds is there once, for code and the process that ends servers, and for each server one more request, the check of the launch against what you allowed, the comparison of the tools, and what is read of both from the disk.',
  },
  {
    measure: 'calls',
    text: '**Calls.** In a profile of 8,000 calls, 22 % are the pipe to the server, 16 % the garbage collector, 10 % the checks of the gate, half of that a `stat` for the look at the decisions, 9 % the check of the result by the SDK, 6 % the entry of the activity, and the rest is spread over the checks of arguments and result, the timers of the time limits, and the promises between them. The median is longer by what these take, which is within the goal for processor time; 1.5 of a bare call would leave 0.02 ms for all of it. In the first two seconds of a window, a look also lists the folder.',
  },
  {
    measure: 'inFlight',
    text: '**Many calls at the same time.** The processor is the limit: a call takes three times as much of it as a bare one. In a profile of 20,000 calls, 23 % are the garbage collector, because each call in flight has signals, timers and promises of its own, 15 % the checks of the gate, with a `stat` of 8 % for each call, so that none misses a denial in another window, 13 % the request in the SDK, 10 % the entry of the activity, and 4 % the pipe, since messages of one turn go in one write.',
  },
  {
    measure: 'editorStarts',
    rows: ['20 servers', '50 servers'],
    text: "**Start of many servers.** The processes of the servers keep both cores busy for most of the time: bare clients in plain Node take 0.7 of what the editor's own host takes here. With servers that take longer to start, or list more tools, this host is further ahead.",
  },
  {
    measure: 'editorCalls',
    rows: ['call by the gateway'],
    text: "**Calls by the gateway.** The editor calls the gateway over HTTP, and the gateway the server, where the editor's own host only writes to a pipe. In a profile of the extension host, a call by the gateway takes 4.8 ms of it, one by the editor's own host 1.2 ms, and a plain round trip 1.9 ms. 29 % of those 4.8 ms are the editor's messages between its processes, 9 % its resolution of proxies, which each request goes through, 26 % MCP Host with the SDK, half of that the gate and its activity, and most of the rest Node's client and server of HTTP.",
  },
  {
    measure: 'starts',
    rows: ['servers, processor time'],
    text: "**Processor time of a start.** In a profile of 50 servers, 45 % is the start of the processes, 12 % the code that is loaded, 7 % the SDK's checks of results, 5 % the garbage collector, 2 % the looks at what you decided about the launches, and less than 1 % the comparison of the tools. This host sends one request more than the bare SDK to find out the revision, and one for the level of the log.",
  },
  {
    measure: 'starts',
    rows: ['1 server with'],
    text: '**One server.** What is there once weighs more here: the process that ends servers if the window is killed is started first, and the revision is asked for. In a profile with 10,000 tools, 18 % is the code that is loaded, 14 % the garbage collector, 13 % the comparison with what you approved, 10 % the check of each item, 6 % each the message and the file of what you approved, which is read and compared: otherwise a server could change a tool after you approved it. The bare SDK does not compare, and keeps no list. A tool costs less the more there are, because the code is compiled meanwhile.',
  },
  {
    measure: 'editorStarts',
    rows: ['1 server with 10 tools', '1 server with 100 tools'],
    text: '**One server with few tools.** Both hosts wait for the process of the server, which is most of the time: bare clients, which do nothing else, take more than 0.3 of what the editor takes.',
  },
  {
    measure: 'results',
    rows: ['result of 100 KB', 'result of 5 MB', 'result of 20 MB over HTTP'],
    text: '**Results.** Of a result of 100 KB over stdio, 20 % are the garbage collector, 18 % the write to the pipe, 14 % the activity, which keeps the text of the result, 13 % the gate, 8 % the SDK, and 7 % reading the message in steps, each checked against the bounds, so that no server can block the window. Over HTTP, 17 % are the write to the socket, 16 % the garbage collector, 12 % the HTTP client, 11 % the SDK and 10 % each the gate and the activity. Of 20 MB over HTTP, 40 % are reading the message in steps, which `JSON.parse` does in one turn, 27 % the garbage collector, 10 % collecting the body, and 7 % the 1 MB of text that the activity keeps.',
  },
  {
    measure: 'notifications',
    text: '**Notifications.** In a profile, 20 % are the notifications, half of it reading them; log messages that nobody would see are left out before the SDK checks them. After each 50, a millisecond is for other servers. A call waits if it comes while such a slice is handled.',
  },
  {
    measure: 'memory',
    rows: ['20 idle servers, resident set'],
    text: '**Idle servers.** The heap grows by 0.16 MB a server. Most of the rest is outside of what is in use there: 6 MB are the young generation of V8, which is empty but not given back, and 5 MB pages of the program of Node, such as its compiler. They come from what a start does, and not from what a server keeps.',
  },
  {
    measure: 'memory',
    rows: ['after 5,000 calls'],
    text: "**After 5,000 calls.** The heap is 4.6 MB larger than the bare one, half of it the activity that the view shows. Most of the difference is the young generation of V8, which is empty but not given back: 52 MB, and 26 MB with the bare SDK. It grows with what survives collections, and an extension can't set its size; after 3,000 calls, it is 26 MB on both sides. A call allocates 70 KB, and 25 KB with the bare SDK, in many small parts: 16 % of it in the checks of the gate, 13 % in those of the SDK, and 5 % for the entry of the activity.",
  },
  {
    measure: 'memory',
    rows: ['heap that 1,000 connects leave'],
    text: '**Connects.** Two heap snapshots, 400 connects apart, differ by the optimized code of functions that have become hot, one for each, and by entries of finalization registries that Node has not cleaned up yet. No object of a connection is left.',
  },
  {
    measure: 'idle',
    text: "**Idle servers.** Two trials of one side differ by more than the two sides. In 100 seconds, the bare SDK took 1.9 to 2.7 ms in four trials, and this host 1.8 ms in one; in the others, about 40 ms, which is one collection of garbage by which V8 gives 15 MB back when nothing happens. One timer for each server waits for a silence of two minutes, after which a ping shows whether the connection is dead. The bare SDK sends no pings, and doesn't notice.",
  },
  {
    measure: 'activate',
    rows: ['activate, wall clock', 'code that activate loads', 'load of the code'],
    text: '**Activation.** All of `extension.cjs` is loaded at once: about 690 modules, none of them large, and no package twice. In a profile of the load, 38 % is the compiler, 32 % the modules that run once, and 8 % the garbage collector. Loading sessions, sign-in and the search at their first use left 884 KB, and took as long. Cutting it at the 33 places where it waits for a command anyway left 418 KB. A build that rewrites each use of an import into a `require` came to 294 KB, 30 ms to load it and 22 ms for `activate`. It is not in use: it needs a compiler step of its own and a list of a hundred files, breakpoints no longer match the sources, and a window with servers loads the rest right after. The other part of `activate` is about 90 registrations in the editor, and opening the stores of decisions, pins and activity.',
  },
  {
    measure: 'activate',
    rows: ['VSIX'],
    text: '**VSIX.** Compressed, the extension is 356 KB, the SDK, whose client and server each bring most of it, 250 KB, the pictures in README and the documents 260 KB, the list of public suffixes 48 KB and the pages of the panels 39 KB. Encoding the pictures in other ways makes none of them smaller, and without the list a site could pass for another one in a question.',
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
