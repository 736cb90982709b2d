import { SLICE_MS, SLICE_WORK } from '../../base/time/slices.ts';
import type { TextLimits } from './textFault.ts';

/**
 * What one server may cost, whatever it sends over any transport. Each bound is enforced where the data comes in;
 * `docs/internals/limits.md` has them as a table, which a test compares with this file.
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** What is buffered of one message before it is parsed, and what it may consist of. */
export const messageBounds = {
  /** Mebibytes of a message as it is sent: a line, the body of a response, an event. */
  mebibytes: 64,
  bytes: 64 * MIB,
  /** A batch of tiny messages costs more by the byte than anything else. */
  batchBytes: 8 * MIB,
  /** Levels of arrays and objects. Recursion through a message would overflow the stack at some thousands. */
  depth: 1_000,
  /** Values in it, of any type: each member and element. */
  values: 1_000_000,
  /** Bytes of the name of one member, and of one number as it is written. */
  nameBytes: 64 * KIB,
  numberBytes: 1_000,
} as const;

/** What any other message may consist of: not a result with content, a list, or a request for a model. */
export const plainBounds = { characters: 1 * MIB, values: 10_000 } as const;

/** What a request for a model, or a result that has one in it, may consist of; images are most of it. */
export const samplingBounds = {
  characters: 32 * MIB,
  values: 60_000,
  messages: 1_000,
  /** Blocks of content, those in results of tools included. */
  parts: 10_000,
  /** Bytes of one image, and of all images. */
  imageBytes: 5_000_000,
  imagesBytes: 20_000_000,
  /** Characters of all texts, with the inputs, results and schemas of tools as JSON. */
  textCharacters: 2_000_000,
  /** Of these, invisible characters: each is shown as several. */
  unseenCharacters: 20_000,
  stopSequences: 16,
  stopCharacters: 1_000,
  /** Hints that are considered. */
  hints: 32,
  /** Characters of a name, a hint, an id or a MIME type. */
  nameCharacters: 200,
} as const;

/** What one result may have: blocks of content, messages of a prompt or contents of a resource, and values in each. */
export const resultBounds = { entries: 10_000, entryValues: 10_000 } as const;

/** What is checked at once, by the SDK as well; anything heavier is checked in steps. */
export const lightBounds = { characters: 64 * KIB, values: 2_000 } as const;

/** A value that a worker checks against a schema: it crosses as one text, which is written at once. */
export const checkBounds = { characters: 8 * MIB, values: 200_000 } as const;

/** One list of a server, and each of its entries. */
export const listBounds = {
  entries: 100_000,
  pages: 2_000,
  /** Milliseconds for all of its pages. */
  ms: 5 * 60_000,
  /** Bytes that the entries take in memory, about; the list ends before the first one that doesn't fit. */
  bytes: 64 * MIB,
  /** Values in one entry, and bytes that it takes, about; an entry with more is left out. */
  entryValues: 10_000,
  entryBytes: 4 * MIB,
  /** How many entries are left out with a reason; the others are counted. */
  leftOut: 5_000,
} as const;

/** Characters of texts, by purpose. A longer text makes its entry, or its message, malformed. */
export const textBounds = {
  /** The name of a tool, prompt or argument; an id. */
  name: 4_000,
  /** A URI or its template; icons are URIs, too. */
  uri: 2 * MIB,
  /** A title, a MIME type. */
  label: 10_000,
  /** The cursor of the next page of a list. */
  cursor: 64 * KIB,
  /** A description. */
  prose: 500_000,
  /** The reason of a failure or a refusal. */
  sentence: 4_000,
  /** What a server says about why it refuses. */
  words: 500,
  /** What is typed in an argument, to complete it. */
  typed: 1_000,
  /** A value for a variable of a URI template. */
  variable: 4_000,
} as const;

/** Texts in an entry of a list, by the names of their members; all others are prose. */
export const entryTexts: TextLimits = {
  names: textBounds.name,
  others: textBounds.prose,
  byName: new Map([
    ...[
      'name',
      'version',
      'role',
      'type',
      'theme',
      'format',
      '$id',
      '$ref',
      '$schema',
      '$anchor',
      'x-mcp-header',
    ].map((name) => [name, textBounds.name] as const),
    ...['uri', 'uriTemplate', 'src', 'websiteUrl'].map((name) => [name, textBounds.uri] as const),
    ...['title', 'mimeType', 'lastModified', 'taskSupport', 'audience', 'sizes', 'required', 'pattern'].map(
      (name) => [name, textBounds.label] as const,
    ),
  ]),
};

/** Texts in a request of a server to you: a form with its schema, or an address. */
export const elicitationTexts: TextLimits = { names: textBounds.name, others: 50_000 };

/** What is done at once before the process handles other events. */
export const turnBounds = {
  /** Milliseconds after which the work stops at the next step. */
  ms: SLICE_MS,
  /** Units of work after which it stops in any case: about a byte or a thirtieth of a value each. */
  work: SLICE_WORK,
  /** Messages that are passed on. */
  messages: 200,
  /** Notifications, after which a millisecond is for others. */
  notifications: 50,
} as const;

/** Bytes up to which a message is parsed at once; a larger one is parsed in steps. */
export const AT_ONCE_BYTES = 64 * KIB;

/** A file, or a layer of settings, that defines servers. */
export const definitionBounds = {
  bytes: 1 * MIB,
  envFileBytes: 1 * MIB,
  /** Lines in its values: each is removed from every line of the log. */
  envFileLines: 1_000,
  /** Of all files of settings beside a command: one that is too large counts as one that can't be read. */
  settingsBytes: 1 * MIB,
  servers: 200,
  inputs: 200,
  /** Characters and values of one server's definition. */
  serverCharacters: 200_000,
  serverValues: 5_000,
  /** Characters of a name: of a server, a variable, a header, an input. */
  nameCharacters: 1_000,
  /** Of a path or an address, and of each text in `oauth`. */
  pathCharacters: 8_000,
  /** Of the value of a header: servers accept 16 KiB of headers or less. */
  headerCharacters: 16_000,
  /** Of any other text, such as an argument. */
  textCharacters: 100_000,
  /** Of the entries with a `*` in `tools.include`, or `tools.exclude`, together: each is compared with the name of each tool. */
  wildcardCharacters: 5_000,
  /** Problems that are shown. */
  problems: 500,
} as const;

const pathFields = 'command cwd workingDirectory envFile url serverUrl httpUrl roots';
const signInFields = 'oauth auth oauthClientId oauthGrantType oauthScopes';

/** Characters of each text in a field of a definition, also as other programs call it. */
export const fieldCharacters: ReadonlyMap<string, number> = new Map([
  ...`${pathFields} ${signInFields}`
    .split(' ')
    .map((field) => [field, definitionBounds.pathCharacters] as const),
  ['headers', definitionBounds.headerCharacters],
  ['tools', textBounds.name],
  ['id', definitionBounds.nameCharacters],
]);

/** What you type or paste to add a server. */
export const pastedText: TextLimits = { names: 200_000, others: 200_000, isPassedOn: true };

/** Bytes of a file of another program that has servers. */
export const IMPORTED_BYTES = 16 * MIB;

/** What is read of the answers for a sign-in. */
export const signInBounds = {
  /** Bytes of a response, decompressed. */
  bytes: 1 * MIB,
  /** Values in a metadata document. */
  values: 10_000,
  /** Milliseconds for a request with its redirects and the whole response. */
  ms: 30_000,
  redirects: 3,
  issuers: 20,
  /** Characters of a `WWW-Authenticate` header; Node accepts 16 KiB for all headers. */
  headerCharacters: 16 * KIB,
  /** Of a token: it is sent in a header. */
  tokenCharacters: 16_000,
  /** Of all scopes, or of an address in a header: more don't fit into an address. */
  scopeCharacters: 8_000,
  /** Of an issuer, or of a resource. */
  identifierCharacters: 2_000,
  /** Of your name there, which is only shown. */
  nameCharacters: 200,
} as const;

/** What one program on this machine may send to the gateway, and a browser to the listener of a sign-in. */
export const listenerBounds = {
  bodyBytes: 8 * MIB,
  /** Bytes of the headers of a request to the gateway, and of one from the browser. */
  headerBytes: 16 * KIB,
  redirectBytes: 8 * KIB,
  /** Messages in one request (2025-03-26, basic: batches). */
  batch: 100,
} as const;

/** What is written to the log of one server. */
export const logBounds = {
  /** Bytes of a line of its stderr that are read at all. */
  lineBytes: 16 * KIB,
  /** Characters of one line of its stderr, and of one message. */
  lineCharacters: 4_000,
  messageCharacters: 10_000,
  /** Lines of stderr in a second, and messages. */
  linesPerSecond: 500,
  messagesPerSecond: 100,
} as const;

/** A recording of the traffic of a server, as a file. */
export const recordingBounds = { bytes: 64 * MIB, lineCharacters: 8 * MIB } as const;

/** What is kept of the traffic of one server, while it is recorded. */
export const trafficBounds = {
  entries: 5_000,
  /** The oldest entries, when there are more. */
  droppedAtOnce: 1_000,
  /** Of the JSON of all messages. */
  bytes: 32 * MIB,
  /** A heavier message is recorded without its JSON. */
  messageCharacters: 4 * MIB,
  messageValues: 200_000,
  /** What is looked at for faults. */
  checked: { characters: 4 * MIB, values: 50_000 },
  /** Faults that a list shows. */
  faults: 250,
  /** Characters of a line in the list. */
  lineCharacters: 200,
} as const;
