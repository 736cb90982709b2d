/** One event of an event stream (HTML, server-sent events). */
export interface ServerEvent {
  /** Absent for `message`. */
  readonly type?: string;
  /** Absent when the event named no data, which a browser would not tell of: its id counts all the same. */
  readonly data?: string;
  /** The id of this event, when it has one; empty when it takes back the one before. */
  readonly id?: string;
}

interface Parsed {
  readonly events: readonly ServerEvent[];
  /** Milliseconds that the server wants a client to wait before it connects again. */
  readonly retryMs: number | undefined;
}

/**
 * Takes an event stream apart, as text comes in. It follows HTML, 9.2.6; what ends without a blank line is
 * no event. `eventsource-parser`, which the SDK uses, drops an id without data, by which some servers make
 * a stream resumable, and holds back an event whose last line ends in a lone CR.
 */
export class EventParser {
  #line: string[] = [];
  #data: string[] | undefined;
  #type = '';
  #id: string | undefined;
  #retryMs: number | undefined;
  #endedWithCr = false;
  #held = 0;

  /** How many characters of an unfinished event are held. */
  get held(): number {
    return this.#held;
  }

  feed(text: string): Parsed {
    const events: ServerEvent[] = [];
    const endings = /\r\n|\r|\n/g;
    // The second half of a CRLF that was cut apart ends no line.
    let start = this.#endedWithCr && text.startsWith('\n') ? 1 : 0;
    if (text !== '') {
      this.#endedWithCr = text.endsWith('\r');
    }
    endings.lastIndex = start;
    for (let ending = endings.exec(text); ending; ending = endings.exec(text)) {
      this.#hold(text.slice(start, ending.index));
      start = endings.lastIndex;
      const line = this.#line.join('');
      this.#line = [];
      if (line === '') {
        this.#finish(events);
      } else {
        this.#held -= line.length;
        this.#read(line);
      }
    }
    this.#hold(text.slice(start));
    return { events, retryMs: this.#retryMs };
  }

  #hold(part: string): void {
    if (part !== '') {
      this.#line.push(part);
      this.#held += part.length;
    }
  }

  #read(line: string): void {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    switch (field) {
      case 'data':
        (this.#data ??= []).push(value);
        this.#held += value.length;
        break;
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
      // A comment, or a field that means nothing.
    }
  }

  #finish(events: ServerEvent[]): void {
    if (this.#data || this.#id !== undefined) {
      events.push({
        ...(this.#type !== '' && this.#type !== 'message' && { type: this.#type }),
        ...(this.#data && { data: this.#data.join('\n') }),
        ...(this.#id !== undefined && { id: this.#id }),
      });
    }
    this.#data = undefined;
    this.#type = '';
    this.#id = undefined;
    this.#held = 0;
  }
}

/** An event as it is written to a stream; ids are not passed on, for what is resumed is resumed below. */
export function writtenEvent({ type, data }: ServerEvent): string {
  const head = type === undefined ? '' : `event: ${type}\n`;
  return data === undefined ? '' : `${head}data: ${data.replaceAll('\n', '\ndata: ')}\n\n`;
}
