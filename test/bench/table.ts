import { quantile } from './quantile.ts';
import { isMet, median, type Result } from './result.ts';

/** The heads of a table of results: each value is the minimum, the median and the 95th percentile of the trials. */
export const heads = ['Measure', 'MCP Host', 'The other', 'Compared', 'Goal', 'Met'];

/** One result as the cells of a row. */
export function cellsOf(result: Result): readonly string[] {
  const { what, unit, own, other, value, goal, compared } = result;
  return [
    what,
    valuesOf(own, unit),
    valuesOf(other, unit),
    compared === unit ? number(value) : `${number(value)} ${compared}`,
    goal ? `${goal.kind} ${number(goal.value)}` : '',
    goal ? (isMet(result) ? 'yes' : 'NO') : '',
  ];
}

function valuesOf(values: readonly number[], unit: string): string {
  const [first] = values;
  if (first === undefined) {
    return '';
  }
  const shown =
    values.length === 1
      ? number(first)
      : [quantile(values, 0), median(values), quantile(values, 0.95)].map(number).join(' / ');
  return unit === 'ratio' ? shown : `${shown} ${unit}`;
}

/** Three digits that count. */
export function number(value: number): string {
  return Math.abs(value) >= 1_000
    ? Math.round(value).toLocaleString('en')
    : Number(value.toPrecision(3)).toString();
}

/** The average load of the last 1, 5 and 15 minutes. */
export function loadText(load: readonly number[]): string {
  return load.map((one) => one.toFixed(1)).join(', ');
}

/** The results as the lines of a table for the terminal. */
export function tableText(results: readonly Result[]): string {
  const rows = [heads, ...results.map(cellsOf)];
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const padded = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(padded).join('  ').trimEnd()).join('\n');
}
