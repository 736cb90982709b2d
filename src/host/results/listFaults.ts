/** An item of a list that cannot be used, and why. */
export interface MalformedItem {
  /** Its name, if it has one. */
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
  /** What was changed so that it can be used, as a sentence; undefined if it is used as the server sent it. */
  readonly note?: string | undefined;
}

const FAULTS = 'mcp-host/listFaults';

/** What was left out of one page of a list. Passes the SDK in the page's `_meta`. */
export class ListFaults {
  /** How many items the server sent on the page. */
  readonly count: number;
  /** Those that can be used, in the server's order. */
  readonly entries: readonly SoundEntry[];
  /** The first of those that cannot. */
  readonly malformed: readonly MalformedItem[];
  /** Why the server's list ends with this page although the server named another page. */
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

/** What was left out of a page. Nothing that came as JSON is an instance: no server can forge it. */
export function listFaultsIn(page: {
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}): ListFaults | undefined {
  const faults = page._meta?.[FAULTS];
  return faults instanceof ListFaults ? faults : undefined;
}
