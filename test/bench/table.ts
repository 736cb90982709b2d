import { quantile } from './quantile.ts';
import { isMet, type Goal, type Result } from './result.ts';

/** The heads of a table of results. */
export const heads = ['Measure', 'MCP Host', 'The other', 'Compared', 'Goal'];

const signs: Readonly<Record<Goal['kind'], string>> = { 'at most': '≤', 'at least': '≥', exactly: '=' };

/** One result as the cells of a row, with these quantiles of the trials. */
export function cellsOf(result: Result, quantiles: readonly number[]): readonly string[] {
  const { what, unit, own, other, value, goal, compared } = result;
  return [
    what,
    valuesOf(own, unit, quantiles),
    valuesOf(other, unit, quantiles),
    // Without a comparison, the value is the median of this host.
    compared === unit ? '' : compared === 'ratio' ? `${number(value)}×` : `${number(value)} ${compared}`,
    goal ? `${signs[goal.kind]} ${number(goal.value)}${isMet(result) ? '' : ', missed'}` : '',
  ];
}

function valuesOf(values: readonly number[], unit: string, quantiles: readonly number[]): string {
  const [first] = values;
  if (first === undefined) {
    return '';
  }
  const shown =
    values.length === 1 ? number(first) : quantiles.map((part) => number(quantile(values, part))).join(' / ');
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

/** The results as a table for the terminal: each value is the minimum, the median and the 95th percentile. */
export function tableText(results: readonly Result[]): string {
  const rows = [heads, ...results.map((result) => cellsOf(result, [0, 0.5, 0.95]))];
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const padded = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(padded).join('  ').trimEnd()).join('\n');
}
