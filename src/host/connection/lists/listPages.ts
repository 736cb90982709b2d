import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { errorCodeOf } from '../../../base/values/errorCode.ts';
import { frozenDeep } from '../../../base/values/frozenDeep.ts';
import { ownText } from '../../../base/text/ownText.ts';
import { Slices } from '../../../base/time/slices.ts';
import { listBounds } from '../../json/bounds.ts';
import { messageOf } from '../../errors/hostError.ts';
import type { MalformedItem, SoundEntry, SoundPage } from '../../results/soundPage.ts';
import type { ServerList } from './serverList.ts';

/** The limits of one list. */
export interface ListBounds {
  readonly items: number;
  readonly pages: number;
  /** Milliseconds for all pages. */
  readonly ms: number;
  /** Bytes that its items take in memory, approximately. */
  readonly bytes?: number;
}

export const defaultBounds: ListBounds = {
  items: listBounds.entries,
  pages: listBounds.pages,
  ms: listBounds.ms,
  bytes: listBounds.bytes,
};

/** Where the pages of a list come from. */
interface PageSource<T> {
  /** Requests one page, which may take so many milliseconds. */
  page(cursor: string | undefined, timeout: number, signal: AbortSignal): Promise<SoundPage>;
  /** The unique key of an item: the tool's or prompt's name, or the resource's URI. */
  keyOf(item: T): string;
  /** Milliseconds that one page may take. */
  readonly timeout: number;
}

/** Units of work to add an item to the list. */
const ITEM_WORK = 500;
const MEBIBYTE = 1024 * 1024;
/** Characters of the key of a malformed item. */
const MAX_NAME = 1_000;
/** The error for a cursor that is not, or no longer, valid (server/utilities/pagination, error handling). */
const INVALID_PARAMS = -32_602;
/** The SDK's code for the end of the connection. */
const CONNECTION_CLOSED = 'CONNECTION_CLOSED';

/**
 * Reads a list page by page, to its end or to the first limit. If the server rejects a cursor, the list has changed in
 * the meantime, and is read once more from its first page.
 *
 * @throws the failure of the first page; the reason of the signal.
 */
export async function listPages<T>(
  source: PageSource<T>,
  bounds: ListBounds,
  signal: AbortSignal,
): Promise<ServerList<T>> {
  const first = await readPages(source, bounds, signal);
  return errorCodeOf(first.failure) === INVALID_PARAMS ? readPages(source, bounds, signal) : first;
}

async function readPages<T>(
  source: PageSource<T>,
  bounds: ListBounds,
  signal: AbortSignal,
): Promise<ServerList<T>> {
  const read = new ReadSoFar(source, bounds);
  const cursors = new Set<string>();
  const endsAt = Date.now() + bounds.ms;
  const slices = new Slices();
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    let page: SoundPage;
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
      return read.end(page.cut);
    }
    const digest = digestOf(cursor);
    if (cursors.has(digest)) {
      return read.end('its pages lead back to an earlier one');
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

/** The part of a list that has been read. */
class ReadSoFar<T> {
  readonly #source: Pick<PageSource<T>, 'keyOf'>;
  readonly #bounds: ListBounds;
  readonly #items = new Map<string, T>();
  readonly #malformed: MalformedItem[] = [];
  readonly #notes = new Map<string, string>();
  #ttlMs: number | undefined;
  /** How many items there were, including malformed ones. */
  #seen = 0;
  /** Bytes of those in the list. */
  #bytes = 0;
  #isTooLarge = false;

  constructor(source: Pick<PageSource<T>, 'keyOf'>, bounds: ListBounds) {
    this.#source = source;
    this.#bounds = bounds;
  }

  async take({ count, entries, malformed, ttlMs }: SoundPage, slices: Slices): Promise<void> {
    const { items: most, bytes: mostBytes = Infinity } = this.#bounds;
    for (const one of malformed) {
      this.#leaveOut({ ...one, place: this.#seen + one.place });
    }
    for (const { item, place, bytes, note } of entries) {
      if (this.#seen + place > most) {
        break;
      }
      if (this.#bytes + bytes > mostBytes) {
        this.#isTooLarge = true;
        break;
      }
      // The list hands out these very objects.
      this.#add(frozenDeep(item as T), { place: this.#seen + place, bytes, note });
      slices.spend(ITEM_WORK);
      if (slices.isUsedUp) {
        await slices.rest();
      }
    }
    this.#seen += count;
    if (typeof ttlMs === 'number') {
      this.#ttlMs = Math.min(ttlMs, this.#ttlMs ?? Infinity);
    }
  }

  /** The limit that was reached, as a clause; undefined if none was. */
  bound(hasNext: boolean): string | undefined {
    const { items, bytes = Infinity } = this.#bounds;
    if (this.#isTooLarge) {
      return `only its first ${inWords(this.#items.size)} items are read, which take ${inWords(bytes / MEBIBYTE)} MiB`;
    }
    return this.#seen > items || (this.#seen === items && hasNext)
      ? `only its first ${inWords(items)} items are read`
      : undefined;
  }

  end(cut: string | undefined): ServerList<T> {
    return {
      items: Object.freeze([...this.#items.values()]),
      malformed: this.#malformed.toSorted((a, b) => a.place - b.place),
      notes: this.#notes,
      ttlMs: this.#ttlMs,
      cut,
    };
  }

  /** Pages overlap when a list grows in the meantime: equal items count once. */
  #add(item: T, { place, bytes, note }: Omit<SoundEntry, 'item'>): void {
    const key = this.#source.keyOf(item);
    const known = this.#items.get(key);
    if (known === undefined) {
      this.#items.set(key, item);
      this.#bytes += bytes;
      if (note !== undefined) {
        this.#notes.set(key, note);
      }
    } else if (!isDeepStrictEqual(known, item)) {
      const reason = 'an earlier one has the same name';
      this.#leaveOut({ name: ownText(key.slice(0, MAX_NAME)), place, reason });
    }
  }

  #leaveOut(one: MalformedItem): void {
    if (this.#malformed.length < listBounds.leftOut) {
      this.#malformed.push(one);
    }
  }
}

function tooLong({ ms }: ListBounds): string {
  return `it could not be read to the end within ${inWords(ms / 1_000)} s`;
}

function inWords(count: number): string {
  return count.toLocaleString('en-US');
}

/** Replaces a long cursor. */
function digestOf(cursor: string): string {
  return cursor.length <= 64 ? cursor : createHash('sha256').update(cursor).digest('base64');
}

/** Whether a list ended with its connection, which is reported elsewhere. */
export function isConnectionClosed(error: unknown): boolean {
  return errorCodeOf(error) === CONNECTION_CLOSED;
}
