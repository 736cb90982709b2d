import { toDisposable, type Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import { trafficBounds } from '../json/bounds.ts';
import type { Fault, TrafficEntry, TrafficMessage, TrafficNote } from './trafficEntry.ts';

type Unnumbered<Entry> = Omit<Entry, 'number' | 'at'>;

/**
 * What was last sent and received in the sessions of one server, while somebody wants to see it; otherwise nothing is
 * copied or printed.
 */
export class TrafficRecorder {
  readonly #onDidChange = new Emitter<void>();
  /** Fired after each entry, and when some were dropped. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #secrets: Iterable<string>;
  #entries: TrafficEntry[] = [];
  #bytes = 0;
  #first = 1;
  #uses = 0;
  #stretch = 0;
  #sessions = 0;

  /** `secrets` appear in no entry; more may follow. */
  constructor(secrets: Iterable<string>) {
    this.#secrets = secrets;
  }

  get secrets(): Iterable<string> {
    return this.#secrets;
  }

  get isOn(): boolean {
    return this.#uses > 0;
  }

  /** Counts how often the recording has begun: what was not seen in between is unknown. */
  get stretch(): number {
    return this.#stretch;
  }

  /** The number of a session that begins. */
  nextSession(): number {
    this.#sessions += 1;
    return this.#sessions;
  }

  /** The number of the first entry that is kept. */
  get first(): number {
    return this.#first;
  }

  /** Those that are kept, oldest first. */
  get entries(): readonly TrafficEntry[] {
    return this.#entries;
  }

  get(number: number): TrafficEntry | undefined {
    return this.#entries[number - this.#first];
  }

  /** Records until the end of what this returns. */
  record(): Disposable {
    this.#stretch += this.#uses === 0 ? 1 : 0;
    this.#uses += 1;
    return toDisposable(() => (this.#uses -= 1));
  }

  add<Entry extends TrafficMessage | TrafficNote>(entry: Unnumbered<Entry>): Entry {
    const numbered = { ...entry, number: this.#first + this.#entries.length, at: Date.now() } as Entry;
    this.#entries.push(numbered);
    this.#bytes += bytesIn(numbered);
    this.#trim();
    this.#onDidChange.fire();
    return numbered;
  }

  /** Adds a fault that was found after the entry was recorded. */
  found(entry: TrafficEntry, fault: Fault): void {
    entry.faults.push(fault);
    this.#bytes += this.get(entry.number) === entry ? fault.text.length : 0;
    this.#onDidChange.fire();
  }

  /** Forgets all entries. */
  clear(): void {
    this.#drop(this.#entries.length);
    this.#onDidChange.fire();
  }

  dispose(): void {
    this.#onDidChange.dispose();
  }

  /** Drops many at once, so that who shows them seldom has to take lines away. */
  #trim(): void {
    if (this.#entries.length > trafficBounds.entries) {
      this.#drop(trafficBounds.droppedAtOnce);
    }
    if (this.#bytes > trafficBounds.bytes) {
      let left = this.#bytes;
      const count = this.#entries.findIndex((entry) => {
        left -= bytesIn(entry);
        return left <= 0.75 * trafficBounds.bytes;
      });
      this.#drop(count + 1);
    }
  }

  #drop(count: number): void {
    const dropped = this.#entries.slice(0, count);
    this.#entries = this.#entries.slice(count);
    this.#first += dropped.length;
    this.#bytes -= dropped.reduce((sum, entry) => sum + bytesIn(entry), 0);
  }
}

function bytesIn(entry: TrafficEntry): number {
  const faults = entry.faults.reduce((sum, { text }) => sum + text.length, 0);
  return faults + (entry.kind === 'message' ? (entry.json?.length ?? 0) : entry.text.length);
}
