import { messageBounds } from '../../json/bounds.ts';
import { ByteBuffer } from '../../json/byteBuffer.ts';

/** One event of an event stream (HTML, server-sent events). */
export interface ServerEvent {
  /** Absent for `message`. */
  readonly type?: string;
  /** Absent if the event has no data. A browser ignores the event then, except for its id. */
  readonly data?: Buffer;
  /** The id of this event, if it has one; empty if it resets the one before. */
  readonly id?: string;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const lineFeed = Buffer.from('\n');
const byteOrderMark = Buffer.from('\uFEFF');
/** Bytes of a field other than `data`; a longer one is ignored. */
const MAX_FIELD = 16 * 1024;
/** Bytes that each line of data counts at least: there may be many empty ones. */
const MIN_LINE = 16;
const dataField = Buffer.from('data');

/**
 * Parses an event stream as it arrives (HTML, 9.2.6): text without a blank line at its end is not an event.
 * `eventsource-parser`, which the SDK uses, drops an id without data, with which some servers make a stream resumable,
 * and holds back an event whose last line ends in a lone CR.
 */
export class EventParser {
  readonly #maxBytes: number;
  /** The beginning of a line that is not complete. */
  readonly #line = new ByteBuffer();
  readonly #data = new ByteBuffer();
  #hasData = false;
  /** Bytes of the lines of data, with their names and line ends. */
  #size = 0;
  #type = '';
  #id: string | undefined;
  #endedWithCr = false;
  #isFirst = true;
  #retryMs: number | undefined;

  constructor(maxBytes: number = messageBounds.bytes) {
    this.#maxBytes = maxBytes;
  }

  /** Milliseconds that the server wants a client to wait before it connects again. */
  get retryMs(): number | undefined {
    return this.#retryMs;
  }

  /**
   * The events that end in this chunk.
   *
   * @throws RangeError when an event is too large, after the events before it; the stream ends there.
   */
  *feed(chunk: Buffer): Generator<ServerEvent, void> {
    // The second half of a CRLF that was split doesn't end another line.
    let start = this.#endedWithCr && chunk[0] === LINE_FEED ? 1 : 0;
    if (chunk.length > 0) {
      this.#endedWithCr = chunk.at(-1) === CARRIAGE_RETURN;
    }
    let feed = -1;
    let carriage = -1;
    for (;;) {
      // Each is searched once, and again after it has been passed.
      feed = feed < start ? placeOf(chunk, LINE_FEED, start) : feed;
      carriage = carriage < start ? placeOf(chunk, CARRIAGE_RETURN, start) : carriage;
      const end = Math.min(feed, carriage);
      this.#check(Math.min(end, chunk.length) - start);
      if (end === Infinity) {
        this.#line.add(chunk.subarray(start));
        return;
      }
      const event = this.#takeLine(chunk.subarray(start, end));
      start = end + (end === carriage && feed === carriage + 1 ? 2 : 1);
      if (event) {
        yield event;
      }
    }
  }

  #check(more: number): void {
    if (this.#size + this.#line.length + more > this.#maxBytes) {
      throw new RangeError(`An event is larger than ${this.#maxBytes} bytes.`);
    }
  }

  #takeLine(part: Buffer): ServerEvent | undefined {
    let line = part;
    if (this.#line.length > 0) {
      this.#line.add(part);
      line = this.#line.take();
    }
    if (this.#isFirst) {
      this.#isFirst = false;
      line = byteOrderMark.equals(line.subarray(0, 3)) ? line.subarray(3) : line;
    }
    if (line.length === 0) {
      return this.#finish();
    }
    this.#read(line);
    return undefined;
  }

  #read(line: Buffer): void {
    const colon = line.indexOf(0x3a);
    const field = colon < 0 ? line : line.subarray(0, colon);
    const value =
      colon < 0 ? Buffer.alloc(0) : line.subarray(line[colon + 1] === 0x20 ? colon + 2 : colon + 1);
    if (field.equals(dataField)) {
      if (this.#hasData) {
        this.#data.add(lineFeed);
      }
      this.#hasData = true;
      this.#data.add(value);
      this.#size += Math.max(line.length + 1, MIN_LINE);
    } else if (line.length <= MAX_FIELD) {
      this.#readField(field.toString('utf8'), value.toString('utf8'));
    }
  }

  #readField(field: string, value: string): void {
    switch (field) {
      case 'event':
        this.#type = value;
        break;
      case 'id':
        if (!value.includes('\0')) {
          this.#id = value;
        }
        break;
      case 'retry':
        if (/^\d+$/.test(value)) {
          this.#retryMs = Number(value);
        }
        break;
      default:
      // A comment, or an unknown field.
    }
  }

  #finish(): ServerEvent | undefined {
    const event =
      this.#hasData || this.#id !== undefined
        ? {
            ...(this.#type !== '' && this.#type !== 'message' && { type: this.#type }),
            ...(this.#hasData && { data: this.#data.take() }),
            ...(this.#id !== undefined && { id: this.#id }),
          }
        : undefined;
    this.#hasData = false;
    this.#size = 0;
    this.#type = '';
    this.#id = undefined;
    return event;
  }
}

function placeOf(chunk: Buffer, byte: number, start: number): number {
  const place = chunk.indexOf(byte, start);
  return place < 0 ? Infinity : place;
}
