/** Rows as they were handed to the editor, and the text that they are for. */
interface RowList<T> {
  readonly rows: readonly T[];
  readonly text: string | undefined;
}

/** What a press means. */
export type Press<T> =
  | { readonly kind: 'row'; readonly row: T }
  /** Enter came before the rows for what is typed, with `front` highlighted if that is known. */
  | { readonly kind: 'ahead'; readonly front: T | undefined }
  /** The row that was pressed is at another place now, or gone. */
  | { readonly kind: 'unclear' };

/**
 * The lists of a quick pick that its window may be showing. The window names a row only by its place: a row that is
 * pressed in an older list arrives as the row at that place in the latest list, or as none.
 */
export class ShownLists<T> {
  readonly #keyOf: (row: T) => string;
  readonly #isHeading: (row: T) => boolean;
  /** First the one that the window is known to have shown, then those that it may be showing now. */
  #lists: readonly [RowList<T>, ...RowList<T>[]] = [{ rows: [], text: undefined }];
  #isMoved = false;

  /** `keyOf` identifies a row in every list; a heading is never highlighted. */
  constructor(keyOf: (row: T) => string, isHeading: (row: T) => boolean = () => false) {
    this.#keyOf = keyOf;
    this.#isHeading = isHeading;
  }

  /** The text that the latest list is for. */
  get text(): string | undefined {
    return this.#latest.text;
  }

  /** Whether the window is known to show the latest list. */
  get isSettled(): boolean {
    return this.#lists.length === 1;
  }

  /** A list was handed to the editor; the returned function is called when the window is known to show it. */
  handOver(rows: readonly T[], text: string | undefined): () => void {
    const list: RowList<T> = { rows, text };
    this.#lists = [...this.#lists, list];
    return () => {
      const [first, ...later] = this.#lists.slice(this.#lists.indexOf(list));
      if (first === list) {
        this.#lists = [first, ...later];
        this.#isMoved = false;
      }
    };
  }

  /**
   * The row `active` is highlighted: by you, unless it is the first one, as in a list that has just come, or typing
   * or a new list is the cause.
   */
  moved(active: T | undefined): void {
    const rows = this.#lists.findLast((list) => active !== undefined && list.rows.includes(active))?.rows;
    this.#isMoved = active === undefined || rows?.find((row) => !this.#isHeading(row)) !== active;
  }

  /** The text has changed, which makes the editor highlight its first row. */
  typed(): void {
    this.#isMoved = false;
  }

  /** The row that was pressed, if it is the same in every list that may be shown. */
  agreed(named: T | undefined): T | undefined {
    const place = this.#placeOf(named);
    const [row, ...others] = this.#lists.flatMap(({ rows }) => rows.slice(place, place + 1)).toReversed();
    return row !== undefined && others.every((other) => this.#keyOf(other) === this.#keyOf(row))
      ? row
      : undefined;
  }

  /** What a press means, with `text` in the box, when the editor names the row `named`. */
  press(named: T | undefined, text: string): Press<T> {
    const [shown] = this.#lists;
    const row = this.agreed(named);
    if (!this.#isMoved && shown.text !== text && (row === undefined || this.#latest.text !== text)) {
      return { kind: 'ahead', front: shown.rows[this.#placeOf(named)] };
    }
    return row === undefined ? { kind: 'unclear' } : { kind: 'row', row };
  }

  /**
   * What an early Enter meant, now that the window highlights `active` among the rows for the text; undefined when
   * the row that was highlighted then is also among them: that one may have been meant.
   */
  caughtUp(front: T | undefined, active: T | undefined): T | undefined {
    const { rows } = this.#latest;
    const isAmong = front !== undefined && rows.some((row) => this.#keyOf(row) === this.#keyOf(front));
    return isAmong && active !== undefined && this.#keyOf(active) !== this.#keyOf(front) ? undefined : active;
  }

  get #latest(): RowList<T> {
    return this.#lists.at(-1) ?? this.#lists[0];
  }

  /** Beyond all rows when there is none: the window names a place that the latest list does not have. */
  #placeOf(named: T | undefined): number {
    const places = this.#lists.map(({ rows }) => (named === undefined ? -1 : rows.indexOf(named)));
    return places.findLast((place) => place >= 0) ?? Number.POSITIVE_INFINITY;
  }
}
