import { isMet, type Result } from './result.ts';
import { number } from './table.ts';

const [width, rowHeight, labelWidth, barWidth] = [900, 24, 520, 220];
/** What is above that many times its goal ends at the edge. */
const most = 3;
const goalAt = labelWidth + Math.round(barWidth / most);

/** Colors that can be distinguished, and read, on white and on black. */
const style = `
text { font: 13px system-ui, sans-serif; fill: #767676; }
.met { fill: #3c8c50; }
.missed { fill: #cf5a1e; }
line { stroke: #767676; stroke-dasharray: 4 3; }`;

/** How each value stands to its goal, as bars: one that ends before the line has met it. */
export function chartOf(title: string, results: readonly Result[]): string {
  const shown = results.filter(({ goal, value }) => goal !== undefined && Number.isFinite(value));
  const height = (shown.length + 1) * rowHeight + 6;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>${style}</style>`,
    `<text x="${goalAt}" y="16" text-anchor="middle">goal</text>`,
    ...shown.map((result, index) => rowOf(result, (index + 1) * rowHeight)),
    `<line x1="${goalAt}" y1="22" x2="${goalAt}" y2="${height - 4}"/>`,
    '</svg>',
    '',
  ].join('\n');
}

function rowOf(result: Result, top: number): string {
  const length = Math.max(1, Math.round((Math.min(partOf(result), most) / most) * barWidth));
  const unit = result.compared === 'ratio' ? '×' : ` ${result.compared}`;
  const text = `${number(result.value)}${unit}${partOf(result) > most ? ' →' : ''}`;
  return [
    `<text x="${labelWidth - 8}" y="${top + 15}" text-anchor="end">${escaped(result.what)}</text>`,
    `<rect class="${isMet(result) ? 'met' : 'missed'}" x="${labelWidth}" y="${top + 4}" width="${length}" height="14"/>`,
    `<text x="${Math.max(labelWidth + length, goalAt) + 6}" y="${top + 15}">${escaped(text)}</text>`,
  ].join('\n');
}

/** The part of the goal that is used up: what should be large counts the other way round. */
function partOf({ value, goal }: Result): number {
  if (!goal) {
    return 0;
  }
  const part = goal.kind === 'at least' ? goal.value / value : value / (goal.value || 1);
  return Math.max(0, part);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
