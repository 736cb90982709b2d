import { number } from './table.ts';
import { isMet, type Result } from './result.ts';

const [width, rowHeight, labelWidth, barWidth] = [760, 26, 400, 250];
/** Values above that many times their goal end at the edge. */
const most = 3;

/** How each value stands to its goal, as bars: up to the line it is met. */
export function chartOf(title: string, results: readonly Result[]): string {
  const shown = results.filter(({ goal, value }) => goal !== undefined && Number.isFinite(value));
  const height = (shown.length + 1) * rowHeight + 8;
  const goalAt = labelWidth + barWidth / most;
  const rows = shown.map((result, index) => rowOf(result, (index + 1) * rowHeight));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    '<style>text { font: 12px sans-serif; fill: #808080; } .met { fill: #2e8b57; } .missed { fill: #c4541a; } line { stroke: #808080; stroke-dasharray: 3; }</style>',
    `<text x="${goalAt}" y="16" text-anchor="middle">goal</text>`,
    ...rows,
    `<line x1="${goalAt}" y1="22" x2="${goalAt}" y2="${height - 4}"/>`,
    '</svg>',
    '',
  ].join('\n');
}

function rowOf(result: Result, top: number): string {
  const { what, value, goal } = result;
  const part = goal ? Math.max(0, value) / (goal.value || 1) : 0;
  const length = (Math.min(part, most) / most) * barWidth;
  const kind = isMet(result) ? 'met' : 'missed';
  const text = `${number(value)} (${goal?.kind ?? ''} ${number(goal?.value ?? 0)})`;
  return [
    `<text x="${labelWidth - 8}" y="${top + 14}" text-anchor="end">${escaped(what)}</text>`,
    `<rect class="${kind}" x="${labelWidth}" y="${top + 3}" width="${Math.max(1, Math.round(length))}" height="14"/>`,
    `<text x="${labelWidth + Math.max(1, Math.round(length)) + 6}" y="${top + 14}">${escaped(text)}</text>`,
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
