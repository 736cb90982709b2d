import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { errorCodeOf } from '../../../base/errorCode.ts';
import { frozenDeep } from '../../../base/frozenDeep.ts';
import { ownText } from '../../../base/ownText.ts';
import { Slices } from '../../../base/slices.ts';
import { listBounds } from '../../errors/bounds.ts';
import { messageOf } from '../../errors/hostError.ts';
import { listFaultsIn, type MalformedItem, type SoundEntry } from '../../results/listFaults.ts';

/** How much of one list is read. */
export interface ListBounds {
  readonly items: number;
  readonly pages: number;
  /** Milliseconds for all of its pages. */
  readonly ms: number;
  /** Bytes that its items take in memory, about. */
  readonly bytes?: number;
}

export const defaultBounds: ListBounds = {
  items: listBounds.entries,
  pages: listBounds.pages,
  ms: listBounds.ms,
  bytes: listBounds.bytes,
};

/** One page of a list, as the SDK gives it (server/utilities/pagination). */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string | undefined;
  readonly ttlMs?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** A list as far as it was read. */
export interface Listed<T> {
  readonly items: readonly T[];
  /** What of it cannot be used, in the server's order. */
  readonly malformed: readonly MalformedItem[];
  /** What was read into items, by what each is asked for by; each a sentence. */
  readonly notes: ReadonlyMap<string, string>;
  /** Milliseconds for which the server says that it stays as it is; undefined where it says nothing. */
  readonly ttlMs: number | undefined;
  /** Why there may be more, as a clause; undefined for a list that was read whole. */
  readonly cut: string | undefined;
  /** What a page but the first failed with; the pages before it are in `items`. */
  readonly failure?: unknown;
}

/** Where the pages of a list come from, and what they consist of. */
export interface PageSource<T> {
  /** Asks for one page, which may take so many milliseconds. */
  page(cursor: string | undefined, timeout: number, signal: AbortSignal): Promise<Page<T>>;
  /** What one item is asked for by; no other item of the list may be called the same. */
  keyOf(item: T): string;
  /** Milliseconds that one page may take. */
  readonly timeout: number;
}

/** Units of work that one item takes which is put into its list. */
const ITEM_WORK = 500;
const MEBIBYTE = 1024 * 1024;
/** Characters of the name of an item that is left out. */
const MAX_NAME = 1_000;
/** Answers that a cursor is not, or no more, valid (server/utilities/pagination, error handling). */
const INVALID_PARAMS = -32_602;
/** What the SDK calls the end of the connection. */
const CONNECTION_CLOSED = 'CONNECTION_CLOSED';

/**
 * Reads a list page by page, to its end or to the first bound. A cursor that the server refuses is one of a
 * list that has changed meanwhile: then the list is read once more from its first page.
 *
 * @throws what the first page failed with; what aborted the signal.
 */
export async function listPages<T>(
  source: PageSource<T>,
  bounds: ListBounds,
  signal: AbortSignal,
): Promise<Listed<T>> {
  const first = await readPages(source, bounds, signal);
  return errorCodeOf(first.failure) === INVALID_PARAMS ? readPages(source, bounds, signal) : first;
}

async function readPages<T>(
  source: PageSource<T>,
  bounds: ListBounds,
  signal: AbortSignal,
): Promise<Listed<T>> {
  const read = new ReadSoFar(source, bounds);
  const cursors = new Set<string>();
  const endsAt = Date.now() + bounds.ms;
  const slices = new Slices();
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    let page: Page<T>;
    try {
      const left = Math.max(1, endsAt - Date.now());
      page = await source.page(cursor, Math.min(source.timeout, left), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (pages === 1 || isConnectionClosed(error)) {
        throw error;
      }
      return Date.now() >= endsAt
        ? read.end(tooLong(bounds))
        : { ...read.end(`the rest of it could not be read: ${messageOf(error)}`), failure: error };
    }
    signal.throwIfAborted();
    await read.take(page, slices);
    signal.throwIfAborted();
    cursor = page.nextCursor;
    const bound = read.bound(cursor !== undefined);
    if (bound !== undefined) {
      return read.end(bound);
    }
    if (cursor === undefined) {
      return read.end(listFaultsIn(page)?.cut);
    }
    const digest = digestOf(cursor);
    if (cursors.has(digest)) {
      return read.end('its pages lead back to one that was read');
    }
    cursors.add(digest);
    if (pages >= bounds.pages) {
      return read.end(`only its first ${inWords(bounds.pages)} pages are read`);
    }
    if (Date.now() >= endsAt) {
      return read.end(tooLong(bounds));
    }
    if (slices.isUsedUp) {
      await slices.rest();
    }
  }
}

/** What the pages of one list have brought. */
class ReadSoFar<T> {
  readonly #source: Pick<PageSource<T>, 'keyOf'>;
  readonly #bounds: ListBounds;
  readonly #items = new Map<string, T>();
  readonly #malformed: MalformedItem[] = [];
  readonly #notes = new Map<string, string>();
  #ttlMs: number | undefined;
  /** How many items there were, of whatever kind. */
  #seen = 0;
  /** Bytes of those that are kept. */
  #bytes = 0;
  #isTooLarge = false;

  constructor(source: Pick<PageSource<T>, 'keyOf'>, bounds: ListBounds) {
    this.#source = source;
    this.#bounds = bounds;
  }

  async take(page: Page<T>, slices: Slices): Promise<void> {
    const { items: most, bytes: mostBytes = Infinity } = this.#bounds;
    const faults = listFaultsIn(page);
    for (const one of faults?.malformed ?? []) {
      this.#leaveOut({ ...one, place: this.#seen + one.place });
    }
    const entries =
      faults?.entries ?? page.items.map((item, index): SoundEntry => ({ item, place: index + 1, bytes: 0 }));
    // The SDK's copies, except of a page that it was not shown.
    const items = page.items.length === entries.length ? page.items : entries.map(({ item }) => item as T);
    for (const [index, { place, bytes, note }] of entries.entries()) {
      if (this.#seen + place > most) {
        break;
      }
      if (this.#bytes + bytes > mostBytes) {
        this.#isTooLarge = true;
        break;
      }
      // Everybody who looks at the list gets these very objects.
      this.#add(frozenDeep(items[index] as T), { place: this.#seen + place, bytes, note });
      slices.spend(ITEM_WORK);
      if (slices.isUsedUp) {
        await slices.rest();
      }
    }
    this.#seen += faults?.count ?? page.items.length;
    if (typeof page.ttlMs === 'number') {
      this.#ttlMs = Math.min(page.ttlMs, this.#ttlMs ?? Infinity);
    }
  }

  /** By what the list is cut, as a clause; undefined while there may be more of it that is read. */
  bound(hasNext: boolean): string | undefined {
    const { items, bytes = Infinity } = this.#bounds;
    if (this.#isTooLarge) {
      return `only its first ${inWords(this.#items.size)} items are read, which take ${inWords(bytes / MEBIBYTE)} MiB`;
    }
    return this.#seen > items || (this.#seen === items && hasNext)
      ? `only its first ${inWords(items)} items are read`
      : undefined;
  }

  end(cut: string | undefined): Listed<T> {
    return {
      items: Object.freeze([...this.#items.values()]),
      malformed: this.#malformed.toSorted((a, b) => a.place - b.place),
      notes: this.#notes,
      ttlMs: this.#ttlMs,
      cut,
    };
  }

  /** Pages overlap where a list grows meanwhile: an item that comes twice is one. */
  #add(item: T, { place, bytes, note }: Omit<SoundEntry, 'item'>): void {
    const name = this.#source.keyOf(item);
    const known = this.#items.get(name);
    if (known === undefined) {
      this.#items.set(name, item);
      this.#bytes += bytes;
      if (note !== undefined) {
        this.#notes.set(name, note);
      }
    } else if (!isDeepStrictEqual(known, item)) {
      const reason = 'another one before it is called the same, which is the one that counts';
      this.#leaveOut({ name: ownText(name.slice(0, MAX_NAME)), place, reason });
    }
  }

  /** Of a flood of them, the first tell enough. */
  #leaveOut(one: MalformedItem): void {
    if (this.#malformed.length < listBounds.leftOut) {
      this.#malformed.push(one);
    }
  }
}

function tooLong({ ms }: ListBounds): string {
  return `it could not be read to its end within ${inWords(ms / 1_000)} s`;
}

function inWords(count: number): string {
  return count.toLocaleString('en-US');
}

/** A cursor may be as long as the server likes. */
function digestOf(cursor: string): string {
  return cursor.length <= 64 ? cursor : createHash('sha256').update(cursor).digest('base64');
}

/** Whether a list ended with its connection, of which others tell. */
export function isConnectionClosed(error: unknown): boolean {
  return errorCodeOf(error) === CONNECTION_CLOSED;
}
