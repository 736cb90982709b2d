import { SLICE_MS, SLICE_WORK } from '../../base/slices.ts';

/**
 * What one server may cost, whatever it sends and over whatever transport: the one place that says so. Each bound is
 * enforced where what it is about comes in; `docs/architecture.md` has them as a table, which a test keeps true.
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/** What is held of one message before it is known to be one, and what it may consist of. */
export const messageBounds = {
  /** Mebibytes of a message as it is sent: a line, the body of an answer, an event. */
  mebibytes: 64,
  bytes: 64 * MIB,
  /** Levels of arrays and objects. What goes through a message by recursion would run out of stack at some thousands. */
  depth: 1_000,
  /** Values in it: objects, arrays, texts, numbers and all else, each member and element. */
  values: 1_000_000,
  /** Bytes of one name of a member, and of one number as it is written. */
  nameBytes: 64 * KIB,
  numberBytes: 1_000,
} as const;

/** What a message may consist of that is neither a result with content, nor a list, nor a request for a model. */
export const plainBounds = { characters: 1 * MIB, values: 10_000 } as const;

/** What a request for a model, or an answer that requires one of us, may consist of; images are most of it. */
export const samplingBounds = {
  characters: 32 * MIB,
  values: 60_000,
  messages: 1_000,
  /** Blocks of content, those in results of tools included. */
  parts: 10_000,
  /** Bytes of one image, and of all. */
  imageBytes: 5_000_000,
  imagesBytes: 20_000_000,
  /** Characters of all texts, with the inputs, results and schemas of tools as JSON. */
  textCharacters: 2_000_000,
  /** Of these, characters that nobody can see: each is shown as several. */
  unseenCharacters: 20_000,
  stopSequences: 16,
  stopCharacters: 1_000,
  /** Hints that are looked at. */
  hints: 32,
  /** Characters of a name, a hint, an id or a MIME type. */
  nameCharacters: 200,
} as const;

/** What one result may have: blocks of content, messages of a prompt or contents of a resource, and values in each. */
export const resultBounds = { entries: 10_000, entryValues: 10_000 } as const;

/** What is checked in one go, by the SDK as well; what is heavier is checked in steps. */
export const lightBounds = { characters: 64 * KIB, values: 2_000 } as const;

/** One list of a server, and what of each of its entries is taken. */
export const listBounds = {
  entries: 100_000,
  pages: 2_000,
  /** Milliseconds for all of its pages. */
  ms: 5 * 60_000,
  /** Bytes that the entries take in memory, about; one that does not fit ends the list. */
  bytes: 64 * MIB,
  /** Values in one entry, and bytes that it takes, about; one that has more is left out. */
  entryValues: 10_000,
  entryBytes: 4 * MIB,
  /** Entries left out of which the reasons are kept; the others are counted. */
  leftOut: 5_000,
} as const;

/** Characters of texts, by what they are for. A text that is longer makes its entry, or its message, malformed. */
export const textBounds = {
  /** What something is asked for by: the name of a tool, prompt or argument, an id. */
  name: 4_000,
  /** A URI or a template of one; an icon comes as one, too. */
  uri: 2 * MIB,
  /** What is read in a row: a title, a MIME type. */
  label: 10_000,
  /** Where the next page of a list begins. */
  cursor: 64 * KIB,
  /** A description. */
  prose: 500_000,
  /** What of a failure, a refusal or a complaint is kept. */
  sentence: 4_000,
  /** What a server says of why it refuses. */
  words: 500,
} as const;

/** What is done in one turn of the loop before everything else of the process has had its turn. */
export const turnBounds = {
  /** Milliseconds after which a turn ends at the next step. */
  ms: SLICE_MS,
  /** Units of work after which it ends in any case: about a byte or a thirtieth of a value each. */
  work: SLICE_WORK,
  /** Messages that are handed on. */
  messages: 200,
} as const;

/** Bytes up to which a message is parsed at once; a larger one is gone through in steps. */
export const AT_ONCE_BYTES = 64 * KIB;

/** A file, or a layer of settings, that defines servers. */
export const definitionBounds = {
  bytes: 1 * MIB,
  servers: 200,
  inputs: 200,
  /** Characters and values of one server's definition. */
  serverCharacters: 200_000,
  serverValues: 5_000,
  /** Problems that are shown of it. */
  problems: 500,
} as const;

/** What is written to the log of one server. */
export const logBounds = {
  /** Characters of one line of its stderr, and of one message. */
  lineCharacters: 4_000,
  messageCharacters: 10_000,
  /** Lines of stderr in a second, and messages. */
  linesPerSecond: 500,
  messagesPerSecond: 100,
} as const;
