import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../editor/paths.mjs';
import { chartOf } from './chart.ts';
import type { Machine } from './machine.ts';
import { isMet, type Result } from './result.ts';
import { cellsOf, heads } from './table.ts';

/** One run of all measures. */
export interface BenchRun {
  readonly machine: Machine;
  /** ISO 8601. */
  readonly date: string;
  readonly minutes: number;
  /** The average load of the last 1, 5 and 15 minutes. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly results: readonly Result[];
  /** Measures that were not made, or have failed. */
  readonly missing: readonly string[];
}

/** What the page says about each measure, in its order. */
const chapters: Readonly<Record<string, string>> = {
  starts: 'Starts, beside the bare SDK',
  editorStarts: "Starts, beside the editor's own host",
  folders: 'Folders, beside the bare SDK',
  editorFolders: "Folders, beside the editor's own host",
  calls: 'Calls through the gate, beside the bare SDK',
  inFlight: 'Many calls at the same time, beside the bare SDK',
  editorCalls: "Calls in the workbench, beside the editor's own host",
  results: 'Large results, beside the bare SDK',
  notifications: 'Many notifications',
  resources: 'Many resources',
  memory: 'Memory, beside the bare SDK',
  idle: 'Idle servers, beside the bare SDK',
  activate: 'Activation and size',
};

const [charts, page] = [join(root, 'docs/benchmarks'), join(root, 'docs/benchmarks.md')];
/** What stands between these lines is written by hand, and kept. */
const notes = /<!-- notes -->[^]*<!-- end of notes -->/;

/** Writes `docs/benchmarks.md` and its charts. */
export function writePage(run: BenchRun): void {
  rmSync(charts, { recursive: true, force: true });
  mkdirSync(charts, { recursive: true });
  const kept = notes.exec(readPage())?.[0] ?? '<!-- notes -->\n\n<!-- end of notes -->';
  const parts = Object.entries(chapters).flatMap(([name, title]) => chapterOf(name, title, run.results));
  writeFileSync(page, [headOf(run), ...parts, '## What misses its goal, and why', kept].join('\n\n') + '\n');
}

function readPage(): string {
  try {
    return readFileSync(page, 'utf8');
  } catch {
    return '';
  }
}

function headOf({ machine, date, minutes, before, after, results, missing }: BenchRun): string {
  const withGoal = results.filter(({ goal }) => goal);
  const met = withGoal.filter(isMet).length;
  const versions = Object.entries(machine.versions).map(([name, version]) => `${name} ${version}`);
  return `# Benchmarks

\`npm run bench\` measures the packaged extension beside the editor's own MCP host in the same workbench, and the same code
in plain Node beside clients of the bare MCP SDK, on the same servers. The trials of both sides alternate. Ratios are of the medians of
the trials; absolute figures are only as good as the machine. The command writes this page, except for its last part.

- Date: ${date.slice(0, 10)}
- Machine: ${machine.processors}, ${machine.memory}, ${machine.system}
- Versions: ${versions.join(', ')}
- Load (average of 1, 5 and 15 minutes) before: ${loadText(before)}; after: ${loadText(after)}
- Duration: ${minutes.toFixed(1)} minutes

${met} of ${withGoal.length} goals are met.${missing.length > 0 ? ` Not measured: ${missing.join(', ')}.` : ''}`;
}

function chapterOf(name: string, title: string, results: readonly Result[]): readonly string[] {
  const own = results.filter(({ measure }) => measure === name);
  if (own.length === 0) {
    return [];
  }
  const rows = [heads, heads.map((_, column) => (column === 0 ? '---' : '--:')), ...own.map(cellsOf)];
  const table = rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
  writeFileSync(join(charts, `${name}.svg`), chartOf(title, own));
  const units = [...new Set(own.map(({ what, unit }) => `${what}: ${unit}`))];
  return [`## ${title}`, `![${title}](benchmarks/${name}.svg)`, table, `Units: ${units.join('; ')}.`];
}

function loadText(load: readonly number[]): string {
  return load.map((one) => one.toFixed(1)).join(', ');
}
