import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../editor/paths.mjs';
import { chartOf } from './chart.ts';
import type { Machine } from './machine.ts';
import { isMet, type Result } from './result.ts';
import { reasonsFor } from './reasons.ts';
import { cellsOf, heads, loadText } from './table.ts';

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

const [charts, page] = [join(root, 'docs/internals/benchmarks'), join(root, 'docs/internals/benchmarks.md')];

/** Writes `docs/internals/benchmarks.md` and its charts. */
export function writePage(run: BenchRun): void {
  rmSync(charts, { recursive: true, force: true });
  mkdirSync(charts, { recursive: true });
  const parts = Object.entries(chapters).flatMap(([name, title]) => chapterOf(name, title, run.results));
  writeFileSync(page, [headOf(run), ...parts].join('\n\n') + '\n');
  spawnSync(join(root, 'node_modules/.bin/oxfmt'), [page]);
}

function headOf({ machine, date, before, after, results, missing }: BenchRun): string {
  const withGoal = results.filter(({ goal }) => goal);
  const met = withGoal.filter(isMet).length;
  const versions = Object.entries(machine.versions).map(([name, version]) => `${name} ${version}`);
  return `# Benchmarks

\`npm run bench\` writes this page. It measures the packaged extension in a workbench, beside the editor's own MCP host with
the same servers, and the same code in plain Node, beside clients of the bare MCP SDK. The trials of both sides alternate. A
value is the median of the trials, × is how many times as much as the other side. Absolute figures are only as good as the
machine; \`out/bench/results.json\` has each trial. The paragraphs say why goals are missed, as profiles have shown.

- Date: ${date.slice(0, 10)}
- Machine: ${machine.processors}, ${machine.memory}, ${machine.system}
- Versions: ${versions.join(', ')}
- Load before and after: ${loadText(before)}; ${loadText(after)}

${met} of ${withGoal.length} goals are met.${missing.length > 0 ? ` Not measured: ${missing.join(', ')}.` : ''}
In the charts, the dashed line is the goal.`;
}

function chapterOf(name: string, title: string, results: readonly Result[]): readonly string[] {
  const own = results.filter(({ measure }) => measure === name);
  if (own.length === 0) {
    return [];
  }
  writeFileSync(join(charts, `${name}.svg`), chartOf(title, own));
  const against = own.find((one) => one.against !== '')?.against ?? '';
  const cells = own.map((result) => cellsOf(result, [0.5]));
  const columns = [...heads.keys()].filter((column) => cells.some((row) => row[column] !== ''));
  const titles = heads.with(2, against.charAt(0).toUpperCase() + against.slice(1));
  const rows = [titles, heads.map((_, column) => (column === 0 ? '---' : '--:')), ...cells];
  const table = rows.map((row) => `| ${columns.map((column) => row[column]).join(' | ')} |`).join('\n');
  return [`## ${title}`, `![Chart](benchmarks/${name}.svg)`, table, ...reasonsFor(own)];
}
