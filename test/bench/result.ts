import { quantile } from './quantile.ts';

/** One line of the table: what was measured on both sides, what is compared, and the goal for it. */
export interface Result {
  /** The name of the measure, as `npm run bench -- NAME` takes it. */
  readonly measure: string;
  readonly what: string;
  readonly unit: string;
  /** One value for each trial. */
  readonly own: readonly number[];
  /** Empty where nothing is compared. */
  readonly other: readonly number[];
  readonly against: 'bare SDK' | "editor's own host" | '';
  /** What the goal is about, such as "ratio". */
  readonly compared: string;
  readonly value: number;
  /** Undefined for what is only shown. */
  readonly goal: Goal | undefined;
}

export interface Goal {
  readonly kind: 'at most' | 'at least' | 'exactly';
  readonly value: number;
}

export const atMost = (value: number): Goal => ({ kind: 'at most', value });
export const atLeast = (value: number): Goal => ({ kind: 'at least', value });
export const exactly = (value: number): Goal => ({ kind: 'exactly', value });

export function isMet({ value, goal }: Result): boolean {
  switch (goal?.kind) {
    case undefined:
      return true;
    case 'at most':
      return value <= goal.value;
    case 'at least':
      return value >= goal.value;
    case 'exactly':
      return value === goal.value;
  }
}

/** Trials of both sides, one after the other. */
export interface Trials {
  readonly own: readonly Readonly<Record<string, number>>[];
  readonly other: readonly Readonly<Record<string, number>>[];
}

/** Builds the results of one measure. */
export class Results {
  readonly list: Result[] = [];
  readonly #measure: string;
  readonly #against: Result['against'];

  constructor(measure: string, against: Result['against']) {
    this.#measure = measure;
    this.#against = against;
  }

  /** How many times as much as the other side, by the medians of the trials. */
  ratio(what: string, unit: string, trials: Trials, key: string, goal: Goal | undefined): void {
    this.#add(what, unit, trials, key, 'ratio', goal, (own, other) => median(own) / median(other));
  }

  /** How much more than the other side, by the medians: in the unit of the trials, or in multiples of `by`. */
  difference(
    what: string,
    unit: string,
    trials: Trials,
    key: string,
    goal: Goal,
    { by, name } = { by: 1, name: unit },
  ): void {
    const more = (own: readonly number[], other: readonly number[]): number =>
      (median(own) - median(other)) / by;
    this.#add(what, unit, trials, key, `${name} more`, goal, more);
  }

  /** The value of this host alone; that of the other side is shown beside it. */
  own(what: string, unit: string, trials: Trials, key: string, goal: Goal | undefined): void {
    this.#add(what, unit, trials, key, unit, goal, (own) => median(own));
  }

  /** A number that was computed from several measures. */
  computed(what: string, compared: string, value: number, goal: Goal | undefined): void {
    const shown = { what, unit: compared, own: [value], other: [], against: '' } as const;
    this.list.push({ measure: this.#measure, ...shown, compared, value, goal });
  }

  #add(
    what: string,
    unit: string,
    trials: Trials,
    key: string,
    compared: string,
    goal: Goal | undefined,
    compare: (own: readonly number[], other: readonly number[]) => number,
  ): void {
    const [own, other] = [trials.own, trials.other].map((side) => side.map((one) => one[key] ?? Number.NaN));
    this.list.push({
      measure: this.#measure,
      what,
      unit,
      own: own ?? [],
      other: other ?? [],
      against: other?.length ? this.#against : '',
      compared,
      value: compare(own ?? [], other ?? []),
      goal,
    });
  }
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
