import type { TrafficEntry } from './trafficEntry.ts';
import { trafficLine } from './trafficLine.ts';
import type { TrafficRecorder } from './trafficRecorder.ts';

/** What a list shows; of each kind of choice, everything if nothing is chosen. */
export interface TrafficFilter {
  readonly from: ReadonlySet<'sent' | 'received' | 'between'>;
  readonly methods: ReadonlySet<string>;
  readonly failuresOnly: boolean;
}

export const noFilter: TrafficFilter = { from: new Set(), methods: new Set(), failuresOnly: false };

/** The traffic of one server as lines of text, which grows at its end. */
export class TrafficList {
  readonly #recorder: TrafficRecorder;
  readonly #header: string;
  #lines: string[] = [];
  /** The number of the entry on each line. */
  #numbers: number[] = [];
  /** The number of the last entry that was looked at. */
  #last = 0;
  #filter = noFilter;
  isPaused = false;

  constructor(recorder: TrafficRecorder, label: string) {
    this.#recorder = recorder;
    this.#header = `Traffic of '${label}'. Go to Definition on a line shows the whole message.\n\n`;
  }

  get filter(): TrafficFilter {
    return this.#filter;
  }

  set filter(filter: TrafficFilter) {
    this.#filter = filter;
    this.#lines = [];
    this.#numbers = [];
    this.#last = 0;
  }

  get text(): string {
    return this.#header + this.#lines.map((line) => `${line}\n`).join('');
  }

  /**
   * Takes over what has changed, unless it is paused; true if the text has. Lines are either added at the end or removed from
   * the beginning, so that an editor finds the difference at once and keeps cursor and selection.
   */
  update(): boolean {
    if (this.isPaused) {
      return false;
    }
    const { first, entries } = this.#recorder;
    const kept = this.#numbers.findIndex((number) => number >= first);
    const gone = kept === -1 ? this.#numbers.length : kept;
    if (gone > 0) {
      this.#lines = this.#lines.slice(gone);
      this.#numbers = this.#numbers.slice(gone);
      return true;
    }
    const before = this.#lines.length;
    for (const entry of entries.slice(Math.max(0, this.#last + 1 - first))) {
      this.#last = entry.number;
      if (this.#shows(entry)) {
        this.#lines.push(trafficLine(entry));
        this.#numbers.push(entry.number);
      }
    }
    return this.#lines.length > before;
  }

  #shows(entry: TrafficEntry): boolean {
    const { from, methods, failuresOnly } = this.#filter;
    const source = entry.kind === 'message' ? entry.direction : 'between';
    const method = entry.kind === 'message' ? entry.method : undefined;
    return (
      (from.size === 0 || from.has(source)) &&
      (methods.size === 0 || (method !== undefined && methods.has(method))) &&
      (!failuresOnly || entry.isFailure || entry.faults.some(({ isAdvice }) => !isAdvice))
    );
  }
}
