import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runInExtensionHost } from '../editor/inExtensionHost.ts';
import { node24, root, vsix } from '../editor/paths.mjs';
import { TemporaryFolder } from '../editor/temporaryFolder.ts';
import { multiRootWorkspace } from '../editor/workspaces.ts';
import { benchExtension, bundleSuite } from './bundle.ts';
import { atMost, median, Results, type Result, type Trials } from './result.ts';
import type { Measurements, WorkbenchTask } from './workbench/task.ts';

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
const activations = 4;

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
    const sets = {
      '20': { what: '20 servers', goal: 0.3 },
      '12 SDK': { what: '12 SDK servers', goal: 0.6 },
      '50': { what: '50 servers', goal: 0.3 },
      '2,000 tools': { what: '1 server with 2,000 tools', goal: 0.3 },
    };
    for (const [name, { what, goal }] of Object.entries(sets)) {
      results.ratio(`${what}, until all tools are listed`, 'ms', of(name), 'ms', atMost(goal));
    }
    return results.list;
  },

  editorCalls(of) {
    const results = new Results('editorCalls', editors);
    results.ratio('call by the public API, median', 'ms', of('public API'), 'p50', atMost(1));
    results.ratio('call by the public API, 95th percentile', 'ms', of('public API'), 'p95', undefined);
    results.ratio(
      '200 calls in flight by the public API',
      'calls a second',
      of('public API, 200 in flight'),
      'perSecond',
      undefined,
    );
    return results.list;
  },

  editorFolders(of) {
    const results = new Results('editorFolders', editors);
    const measured = of('folders');
    const beyond = {
      ...measured,
      own: measured.own.map((one) => ({ ...one, lastMs: (one['lastMs'] ?? 0) - 50 })),
    };
    const what = 'folder event, until the last of 10 servers is notified';
    results.own(`${what}, beyond the wait of 50 ms`, 'ms', beyond, 'lastMs', atMost(10));
    results.own('notifications for each server and change', 'notifications', measured, 'told', atMost(1));
    return results.list;
  },
};

async function inWindow(measure: string, isQuick: boolean): Promise<Measurements> {
  const workspace = multiRootWorkspace();
  const temporary = new TemporaryFolder('bench');
  const [output, result] = [temporary.join('output.txt'), temporary.join('result.json')];
  const task: WorkbenchTask = {
    measure,
    isQuick,
    node: node24,
    benchServer,
    sdkServer,
    folder: temporary.path,
  };
  try {
    const code = await runInExtensionHost({
      extension: benchExtension,
      suite: join(benchExtension, 'suite.cjs'),
      workspace: workspace.file,
      output,
      longestSilenceMs: 90_000,
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
