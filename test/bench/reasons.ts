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
    text: '**Calls.** In a profile of 8,000 calls, 16 % are the write to the pipe, 15 % the checks of the gate, with a `stat` for each look at the decisions, 10 % the garbage collector, and the rest is spread over the checks of the message by the SDK, the checks of arguments and result, the timers of the time limits, and the entry of the activity. The median is longer by what these take, which is within the goal for processor time; 1.5 of a bare call would leave 0.02 ms for all of it. In the first two seconds of a window, a look also lists the folder.',
  },
  {
    measure: 'inFlight',
    text: '**Many calls at the same time.** The processor is the limit: a call takes 0.085 ms of it, and a bare one 0.03 ms. The difference is what the gate does for each of them, as for one call.',
  },
  {
    measure: 'editorStarts',
    rows: ['20 servers', '50 servers'],
    text: "**Start of many servers.** The processes of the servers keep both cores busy for most of the time: bare clients in plain Node take 0.7 of what the editor's own host takes here. With servers that take longer to start, or list more tools, this host is further ahead.",
  },
  {
    measure: 'editorCalls',
    rows: ['call by the gateway'],
    text: "**Calls by the gateway.** The editor calls the gateway over HTTP, and the gateway the server, where the editor's own host only writes to a pipe. The SDK makes a transport and a server for each HTTP request, and checks the message on both sides of the gateway.",
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
    text: '**Results.** A message of more than 64 KB is read in steps, each checked against the bounds, so that no server can block the window; `JSON.parse` reads it in one turn, in C++. The other part is the activity, which prints the result once more to count its bytes, and, for 100 KB, the decision about the call.',
  },
  {
    measure: 'results',
    rows: ['longest turn'],
    text: '**Longest turn.** The turn in which the activity prints the whole result, to count its bytes.',
  },
  {
    measure: 'notifications',
    text: '**Notifications.** Each message is checked by the SDK against one kind of message after the other, and most of them are notifications, which come last. A slice of at most 200 messages or 8 ms is handled in one turn, and a call takes several turns.',
  },
  {
    measure: 'memory',
    rows: ['20 idle servers, resident set'],
    text: '**Idle servers.** The heap grows by 0.16 MB a server. Most of the rest is outside of what is in use there: 6 MB are the young generation of V8, which is empty but not given back, and 5 MB pages of the program of Node, such as its compiler. They come from what a start does, and not from what a server keeps.',
  },
  {
    measure: 'memory',
    rows: ['after 5,000 calls'],
    text: "**After 5,000 calls.** The heap is 4.5 MB larger than the bare one, half of it the activity that the view shows. Most of the difference is the young generation of V8, which is empty but not given back: 52 MB, and 26 MB with the bare SDK. It grows with what is allocated between two collections, and an extension can't set its size.",
  },
  {
    measure: 'memory',
    rows: ['heap that 1,000 connects leave'],
    text: '**Connects.** Two heap snapshots, 400 connects apart, differ by the optimized code of functions that have become hot, one for each, and by entries of finalization registries that Node has not cleaned up yet. No object of a connection is left.',
  },
  {
    measure: 'idle',
    text: "**Idle servers.** One timer for each server waits for a silence of two minutes, after which a ping shows whether the connection is dead. The bare SDK sends no pings, and doesn't notice.",
  },
  {
    measure: 'activate',
    rows: ['activate, wall clock', 'code that activate loads', 'load of the code'],
    text: '**Activation.** All of `extension.cjs` is loaded at once: about 690 modules, none of them large, and no package twice. Cutting it at the 33 places where it waits for a command anyway left 418 KB. A build that rewrites each use of an import into a `require` came to 294 KB, 30 ms to load it and 22 ms for `activate`. It is not in use: it needs a compiler step of its own and a list of a hundred files, breakpoints no longer match the sources, and a window with servers loads the rest right after. The other part of `activate` is about 90 registrations in the editor, and opening the stores of decisions, pins and activity.',
  },
  {
    measure: 'activate',
    rows: ['VSIX'],
    text: '**VSIX.** Compressed, the extension is 345 KB, the SDK, whose client and server each bring most of it, 250 KB, the pictures in README and the documents 260 KB, the list of public suffixes 48 KB and the pages of the panels 39 KB. Encoding the pictures in other ways makes none of them smaller, and without the list a site could pass for another one in a question.',
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
