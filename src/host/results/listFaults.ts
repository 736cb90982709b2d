/** An item of a list that cannot be used, and why. */
export interface MalformedItem {
  /** What it calls itself, if it does. */
  readonly name: string | undefined;
  /** Its place in the whole list, from 1 on. */
  readonly place: number;
  /** A clause, such as "`inputSchema.type` must be "object"". */
  readonly reason: string;
}

/** An item of a page that can be used. */
export interface SoundEntry {
  readonly item: unknown;
  /** Its place on the page, from 1 on. */
  readonly place: number;
  /** Bytes that it takes in memory, about. */
  readonly bytes: number;
  /** What was read into it, as a sentence; undefined for what is used as the server wrote it. */
  readonly note?: string | undefined;
}

const FAULTS = 'mcp-host/listFaults';

/** What was taken out of one page of a list, on its way through the SDK in the page's `_meta`. */
export class ListFaults {
  /** How many items the server had put on the page. */
  readonly count: number;
  /** What is left of them, in the server's order. */
  readonly entries: readonly SoundEntry[];
  /** The first of those that are not. */
  readonly malformed: readonly MalformedItem[];
  /** Why the server's list ends with this page although it said otherwise. */
  readonly cut: string | undefined;

  constructor(
    count: number,
    entries: readonly SoundEntry[],
    malformed: readonly MalformedItem[],
    cut: string | undefined,
  ) {
    this.count = count;
    this.entries = entries;
    this.malformed = malformed;
    this.cut = cut;
  }

  get meta(): Readonly<Record<string, unknown>> {
    return { [FAULTS]: this };
  }
}

/** What was taken out of a page. Nothing that came as JSON is an instance: no server can pretend. */
export function listFaultsIn(page: {
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}): ListFaults | undefined {
  const faults = page._meta?.[FAULTS];
  return faults instanceof ListFaults ? faults : undefined;
}
