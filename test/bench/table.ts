import { isMet, median, type Result } from './result.ts';
import { quantile } from './quantile.ts';

/** The results as the lines of a table. */
export const heads = [
  'what',
  'own min',
  'median',
  'p95',
  'other min',
  'median',
  'p95',
  'compared',
  'goal',
  'met',
];

export function cellsOf(result: Result): readonly string[] {
  const { what, own, other, value, goal, compared } = result;
  return [
    what,
    ...valuesOf(own),
    ...valuesOf(other),
    compared === result.unit ? number(value) : `${number(value)} ${compared}`,
    goal ? `${goal.kind} ${number(goal.value)}` : '',
    goal ? (isMet(result) ? 'yes' : 'NO') : '',
  ];
}

/** The smallest, the median and the 95th percentile. */
function valuesOf(values: readonly number[]): readonly string[] {
  return values.length === 0
    ? ['', '', '']
    : [quantile(values, 0), median(values), quantile(values, 0.95)].map(number);
}

/** Three digits that count. */
export function number(value: number): string {
  return Math.abs(value) >= 1_000
    ? Math.round(value).toLocaleString('en')
    : Number(value.toPrecision(3)).toString();
}

export function tableText(results: readonly Result[]): string {
  const rows = [heads, ...results.map(cellsOf)];
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
