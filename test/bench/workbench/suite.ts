// Runs inside the extension host: measures the installed MCP Host beside the editor's own host. See `WorkbenchTask`.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { format } from 'node:util';
import * as vscode from 'vscode';
import { seen } from '../../host/chatSupport.ts';
import type { Numbers } from '../node/worker.ts';
import { EditorHost } from './editorHost.ts';
import { extensionPath, OwnHost } from './ownHost.ts';
import type { Measurements, WorkbenchTask } from './task.ts';
import { inFlight, oneByOne, RoundTrip, type Call } from './timing.ts';

const task = JSON.parse(process.env['BENCH_TASK'] ?? '{}') as WorkbenchTask;
const print = (...parts: unknown[]): void =>
  appendFileSync(process.env['BENCH_OUTPUT'] ?? '', `${format(...parts)}\n`);
const measured: Record<string, { own: Numbers[]; other: Numbers[] }> = {};
const times = (count: number): number => (task.isQuick ? 1 : count);
const sides = ['own', 'other'] as const;
const editorHost = new EditorHost();

export async function run(): Promise<void> {
  try {
    await measures[task.measure]?.(await OwnHost.open());
    writeFileSync(process.env['BENCH_RESULT'] ?? '', JSON.stringify(measured satisfies Measurements));
  } catch (error) {
    print(error);
    throw error;
  }
}

const measures: Readonly<Record<string, (ownHost: OwnHost) => Promise<void>>> = {
  async activate() {
    await pause(2_000);
    const { mcpHostActivation } = globalThis as unknown as {
      readonly mcpHostActivation: Numbers & { readonly files: readonly string[] };
    };
    const { files, ...numbers } = mcpHostActivation;
    const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0);
    const sdk = files.filter((file) => /sdk/i.test(file.slice(extensionPath.length))).length;
    add('activate', 'own', { ...numbers, bytes, sdk });
  },

  async editorStarts(ownHost) {
    for (const { what, name, servers, tools, trials } of task.sets) {
      await ownHost.define(task.node, servers, name);
      const measureOf = {
        own: async () => {
          await ownHost.stop();
          await pause(500);
          const ms = await ownHost.start(tools);
          await ownHost.stop();
          return ms;
        },
        other: async () => {
          const all = tools * servers.length;
          const ms = await editorHost.start({ command: task.node, servers, tools: all });
          await editorHost.end();
          return ms;
        },
      };
      for (let trial = 0; trial < times(trials); trial += 1) {
        for (const side of trial % 2 === 0 ? sides : sides.toReversed()) {
          add(what, side, { ms: await measureOf[side]() });
        }
      }
      print(`  ${what}`);
    }
  },

  async editorCalls(ownHost) {
    await both(ownHost, 1);
    const [server] = ownHost.servers;
    const own: Call = (text) => server?.callTool('echo', { text });
    const direct = editorHost.caller(/^mcp_bench_echo$/);
    const other: Call = (text) => direct({ text });
    await ownHost.answering(async () => own('decided'));
    await compare({ what: 'public API', own, other });
    await compareInFlight({ what: 'public API', own, other });
    print('  by the public API');

    const pattern = /^mcp_server\w*_echo$/;
    await ownHost.serveFirst();
    await seen('the tools of the gateway', async () => {
      await editorHost.startAll();
      return editorHost.tools.some(({ name }) => pattern.test(name));
    });
    const served = editorHost.caller(pattern);
    const gateway = { what: 'gateway', own: ((text) => served({ text })) satisfies Call, other };
    const trip = await RoundTrip.open();
    await compare(gateway, { what: 'round trip', own: (text) => trip.run(text) });
    await compareInFlight(gateway);
    trip.close();
    print('  by the gateway');
  },

  async editorFolders(ownHost) {
    await both(ownHost, 10);
    const uri = vscode.Uri.file(task.folder);
    const { servers } = ownHost;
    const tools = editorHost.tools.map(({ name }) => name).filter((name) => /^mcp_bench\w*_told$/.test(name));
    const told = {
      own: () => Promise.all(servers.map(async (one) => textIn(await one.callTool('told', {})))),
      other: () => Promise.all(tools.map((name) => editorHost.call(name, {}))),
    };
    await ownHost.answering(told.own);
    for (let change = 0; change < times(6) * 2; change += 1) {
      const before = { own: await told.own(), other: await told.other() };
      const event = await toggleFolder(uri);
      await pause(1_000);
      for (const side of sides) {
        const after = await told[side]();
        const arrivals = after.flatMap((text, server) =>
          timesIn(text).slice(timesIn(before[side][server]).length),
        );
        add('folders', side, {
          lastMs: Math.max(...arrivals.map((at) => Number(at - event) / 1e6)),
          told: arrivals.length / after.length,
        });
      }
    }
  },
};

/** Both hosts run so many servers. */
async function both(ownHost: OwnHost, count: number): Promise<void> {
  const servers = Array.from({ length: count }, () => [task.benchServer]);
  await ownHost.define(task.node, servers);
  await editorHost.start({ command: task.node, servers, tools: 4 * count });
}

interface Compared {
  readonly what: string;
  readonly own: Call;
  readonly other?: Call;
}

/** Blocks of calls in turn, one after the other. */
async function compare(...compared: readonly Compared[]): Promise<void> {
  for (let block = -1; block < times(8); block += 1) {
    for (const { what, ...calls } of compared) {
      for (const side of sides) {
        const call = calls[side];
        const numbers = call && (await oneByOne(60, call));
        // The first block warms up.
        if (numbers && block >= 0) {
          add(what, side, numbers);
        }
      }
    }
  }
}

async function compareInFlight({ what, ...calls }: Required<Compared>): Promise<void> {
  for (let block = 0; block < times(4); block += 1) {
    for (const side of sides) {
      add(`${what}, in flight`, side, await inFlight(1_000, calls[side]));
    }
  }
}

/** Adds a folder to the workspace, or removes it, and gives the time of the event in nanoseconds. */
async function toggleFolder(uri: vscode.Uri): Promise<bigint> {
  const { workspaceFolders: folders = [] } = vscode.workspace;
  const index = folders.findIndex((one) => one.uri.path === uri.path);
  const { promise, resolve } = Promise.withResolvers<bigint>();
  const listening = vscode.workspace.onDidChangeWorkspaceFolders(() => resolve(process.hrtime.bigint()));
  if (index < 0) {
    vscode.workspace.updateWorkspaceFolders(folders.length, 0, { uri });
  } else {
    vscode.workspace.updateWorkspaceFolders(index, 1);
  }
  const event = await promise;
  listening.dispose();
  return event;
}

function add(what: string, side: (typeof sides)[number], numbers: Numbers): void {
  measured[what] ??= { own: [], other: [] };
  measured[what][side].push(numbers);
}

function textIn({
  content: [block],
}: {
  readonly content: readonly { readonly [field: string]: unknown }[];
}): string {
  return String(block?.['text']);
}

function timesIn(text: string | undefined): readonly bigint[] {
  return (JSON.parse(text ?? '[]') as string[]).map(BigInt);
}
