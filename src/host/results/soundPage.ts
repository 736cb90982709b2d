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
  /** As the SDK's schema gives it. */
  readonly item: unknown;
  /** Its place on the page, from 1 on. */
  readonly place: number;
  /** Bytes that it takes in memory, about. */
  readonly bytes: number;
  /** What was changed so that it can be used, as a sentence; undefined if it is used as the server sent it. */
  readonly note?: string | undefined;
}

/** One page of a list (server/utilities/pagination) as far as it can be used. */
export interface SoundPage {
  /** How many items the server sent. */
  readonly count: number;
  /** Those that can be used, in the server's order. */
  readonly entries: readonly SoundEntry[];
  /** The first of those that cannot. */
  readonly malformed: readonly MalformedItem[];
  readonly nextCursor?: string;
  readonly ttlMs?: unknown;
  /** Why the server's list ends with this page although the server named another page. */
  readonly cut: string | undefined;
}
