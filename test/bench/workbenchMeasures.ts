import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runInExtensionHost } from '../editor/inExtensionHost.ts';
import { node24, root, vsix } from '../editor/paths.mjs';
import { TemporaryFolder } from '../editor/temporaryFolder.ts';
import { multiRootWorkspace } from '../editor/workspaces.ts';
import { benchExtension, bundleSuite } from './bundle.ts';
import { atMost, exactly, median, Results, type Result, type Trials } from './result.ts';
import type { Measurements, ServerSet, WorkbenchTask } from './workbench/task.ts';

/** What is measured in a real workbench beside the editor's own host, by the names that the command line takes. */
export const workbenchMeasures: readonly string[] = [
  'activate',
  'editorStarts',
  'editorCalls',
  'editorFolders',
];

const benchServer = join(root, 'test/bench/servers/benchServer.mjs');
const sdkServer = [join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'];

/** Windows that only activate the extension. */
const activations = 3;

/** With 10,000 tools, the window of the editor doesn't react for minutes. */
const counts = [10, 100, 1_000, 2_000];

/** The sets of servers that are started, each with the goal of its ratio. */
const sets: readonly (ServerSet & { readonly goal: number })[] = [
  { what: '20 servers', name: 'plain', servers: repeated(20, [benchServer]), tools: 4, trials: 3, goal: 0.3 },
  { what: '50 servers', name: 'plain', servers: repeated(50, [benchServer]), tools: 4, trials: 2, goal: 0.3 },
  { what: '12 SDK servers', name: 'SDK', servers: repeated(12, sdkServer), tools: 1, trials: 3, goal: 0.6 },
  ...counts.map((tools) => ({
    what: `1 server with ${tools.toLocaleString('en')} tools`,
    name: `${tools} tools`,
    servers: [[benchServer, `--tools=${tools}`]],
    tools,
    trials: 2,
    goal: 0.3,
  })),
];

/** Measures in windows of the workbench. */
export async function measureInWorkbench(name: string, isQuick: boolean): Promise<readonly Result[]> {
  await bundleSuite();
  const windows = name === 'activate' && !isQuick ? activations : 1;
  const found: Measurements[] = [];
  for (let window = 0; window < windows; window += 1) {
    found.push(await inWindow(name, isQuick));
  }
  const trialsOf = (what: string): Trials => ({
    own: found.flatMap((one) => one[what]?.own ?? []),
    other: found.flatMap((one) => one[what]?.other ?? []),
  });
  return resultsOf[name]?.(trialsOf) ?? [];
}

const editors = "editor's own host";

const resultsOf: Readonly<Record<string, (of: (what: string) => Trials) => readonly Result[]>> = {
  activate(of) {
    const results = new Results('activate', '');
    const measured = of('activate');
    results.own('activate, wall clock', 'ms', measured, 'activateMs', atMost(15));
    results.own('activate, processor time', 'ms', measured, 'activateCpuMs', undefined);
    results.own('load of the code, processor time', 'ms', measured, 'loadCpuMs', atMost(60));
    results.own('files of the SDK that activate loads', 'files', measured, 'sdk', atMost(0));
    const loaded = median(measured.own.map((one) => (one['bytes'] ?? 0) / 1_000));
    results.computed('code that activate loads', 'KB', loaded, atMost(300));
    results.computed('VSIX', 'KB', statSync(vsix).size / 1_000, atMost(700));
    return results.list;
  },

  editorStarts(of) {
    const results = new Results('editorStarts', editors);
    for (const { what, goal } of sets) {
      results.ratio(`${what}, until all tools are listed`, 'ms', of(what), 'ms', atMost(goal));
    }
    return results.list;
  },

  editorCalls(of) {
    const results = new Results('editorCalls', editors);
    const inFlight = (way: string): void =>
      results.ratio(
        `200 calls in flight by the ${way}`,
        'calls a second',
        of(`${way}, in flight`),
        'perSecond',
        undefined,
      );
    results.ratio('call by the public API, median', 'ms', of('public API'), 'p50', atMost(1));
    results.ratio('call by the public API, 95th percentile', 'ms', of('public API'), 'p95', undefined);
    inFlight('public API');
    const trip = of('round trip');
    results.own('a round trip over loopback, median', 'ms', trip, 'p50', undefined);
    const by = median(trip.own.map(({ p50 = Number.NaN }) => p50));
    const trips = { by, name: 'round trips' };
    results.difference('call by the gateway, median', 'ms', of('gateway'), 'p50', atMost(1.5), trips);
    results.ratio('call by the gateway, 95th percentile', 'ms', of('gateway'), 'p95', undefined);
    inFlight('gateway');
    return results.list;
  },

  editorFolders(of) {
    const results = new Results('editorFolders', editors);
    const measured = of('folders');
    const own = measured.own.map((one) => ({ ...one, lastMs: (one['lastMs'] ?? 0) - 50 }));
    const what = 'folder event, until the last of 10 servers is notified';
    results.own(`${what}, beyond the wait of 50 ms`, 'ms', { ...measured, own }, 'lastMs', atMost(10));
    results.own('notifications for each server and change', 'notifications', measured, 'told', exactly(1));
    return results.list;
  },
};

async function inWindow(measure: string, isQuick: boolean): Promise<Measurements> {
  const workspace = multiRootWorkspace();
  const temporary = new TemporaryFolder('bench');
  const [output, result] = [temporary.join('output.txt'), temporary.join('result.json')];
  const folder = temporary.path;
  const task: WorkbenchTask = { measure, isQuick, node: node24, benchServer, sets, folder };
  try {
    const code = await runInExtensionHost({
      extension: benchExtension,
      suite: join(benchExtension, 'suite.cjs'),
      workspace: workspace.file,
      output,
      longestSilenceMs: 180_000,
      server: {
        vsix: [vsix],
        settings: { 'chat.mcp.autostart': 'never' },
        env: { BENCH_OUTPUT: output, BENCH_RESULT: result, BENCH_TASK: JSON.stringify(task) },
      },
    });
    if (code !== 0) {
      throw new Error(`The measures in the workbench have failed: ${code}`);
    }
    return JSON.parse(readFileSync(result, 'utf8')) as Measurements;
  } finally {
    temporary.remove();
    workspace.folder.remove();
  }
}

function repeated(count: number, args: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: count }, () => args);
}
