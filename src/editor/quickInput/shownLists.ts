/** Rows as they were handed to the editor, and the text that they are for. */
interface RowList<T> {
  readonly rows: readonly T[];
  readonly text: string | undefined;
}

/** What a press means. */
export type Press<T> =
  | { readonly kind: 'row'; readonly row: T }
  /** Enter before the rows for what is typed were there, with `front` highlighted if that is known. */
  | { readonly kind: 'ahead'; readonly front: T | undefined }
  /** The row that was pressed is at another place by now, or gone. */
  | { readonly kind: 'unclear' };

/**
 * The lists of a quick pick that its window may be showing. Between the window and the extension a row has
 * only its place for a name: one that is pressed in an older list than the latest comes as the row that is at
 * that place in the latest, or as none.
 */
export class ShownLists<T> {
  readonly #keyOf: (row: T) => string;
  readonly #isHeading: (row: T) => boolean;
  /** In front the one that the window is known to have shown, behind it those that it may be showing by now. */
  #lists: readonly [RowList<T>, ...RowList<T>[]] = [{ rows: [], text: undefined }];
  #isMoved = false;

  /** `keyOf` tells a row from the others, also in another list; a heading is never highlighted. */
  constructor(keyOf: (row: T) => string, isHeading: (row: T) => boolean = () => false) {
    this.#keyOf = keyOf;
    this.#isHeading = isHeading;
  }

  /** What the latest list is for. */
  get text(): string | undefined {
    return this.#latest.text;
  }

  /** Whether the window is known to show the latest list. */
  get isSettled(): boolean {
    return this.#lists.length === 1;
  }

  /** A list was handed to the editor; what this gives is called when the window is known to show it. */
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
   * The row that the editor gives as `active` is highlighted: by the person, unless it is the front one, as it is
   * in a list that has just come, or typing or such a list follows as the cause.
   */
  moved(active: T | undefined): void {
    const rows = this.#lists.findLast((list) => active !== undefined && list.rows.includes(active))?.rows;
    this.#isMoved = active === undefined || rows?.find((row) => !this.#isHeading(row)) !== active;
  }

  /** The text is another, with which the editor highlights its front row. */
  typed(): void {
    this.#isMoved = false;
  }

  /** The row that was pressed, if it is the same in each list that may be shown. */
  agreed(named: T | undefined): T | undefined {
    const place = this.#placeOf(named);
    const [row, ...others] = this.#lists.flatMap(({ rows }) => rows.slice(place, place + 1)).toReversed();
    return row !== undefined && others.every((other) => this.#keyOf(other) === this.#keyOf(row))
      ? row
      : undefined;
  }

  /** What the press of a row means that the editor gives as `named`, with `text` in the box. */
  press(named: T | undefined, text: string): Press<T> {
    const [shown] = this.#lists;
    const row = this.agreed(named);
    if (!this.#isMoved && shown.text !== text && (row === undefined || this.#latest.text !== text)) {
      return { kind: 'ahead', front: shown.rows[this.#placeOf(named)] };
    }
    return row === undefined ? { kind: 'unclear' } : { kind: 'row', row };
  }

  /**
   * What Enter meant that was ahead of the rows, now that the window highlights `active` among those for the
   * text; undefined when the row highlighted at that time is among them, too: that one may have been meant.
   */
  caughtUp(front: T | undefined, active: T | undefined): T | undefined {
    const { rows } = this.#latest;
    const isAmong = front !== undefined && rows.some((row) => this.#keyOf(row) === this.#keyOf(front));
    return isAmong && active !== undefined && this.#keyOf(active) !== this.#keyOf(front) ? undefined : active;
  }

  get #latest(): RowList<T> {
    return this.#lists.at(-1) ?? this.#lists[0];
  }

  /** Beyond all rows when there is none: the window names it by a place that the latest list does not have. */
  #placeOf(named: T | undefined): number {
    const places = this.#lists.map(({ rows }) => (named === undefined ? -1 : rows.indexOf(named)));
    return places.findLast((place) => place >= 0) ?? Number.POSITIVE_INFINITY;
  }
}
