// Runs inside the extension host: measures the installed MCP Host beside the editor's own host. See `WorkbenchTask`.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { format } from 'node:util';
import * as vscode from 'vscode';
import { allowAll, answerQuestions, api, configure, until } from '../../host/support.ts';
import type { Numbers } from '../node/worker.ts';
import { EditorHost } from './editorHost.ts';
import type { Measurements, WorkbenchTask } from './task.ts';
import { inFlight, oneByOne, pause } from './timing.ts';

const task = JSON.parse(process.env['BENCH_TASK'] ?? '{}') as WorkbenchTask;
const print = (...parts: unknown[]): void =>
  appendFileSync(process.env['BENCH_OUTPUT'] ?? '', `${format(...parts)}\n`);
const measured: Record<string, { own: Numbers[]; other: Numbers[] }> = {};
const times = (count: number): number => (task.isQuick ? 1 : count);

/** The editor's API as MCP Host has it, in which somebody answers its questions. */
const { extensionPath = '' } = vscode.extensions.getExtension('mcphost.mcp-host') ?? {};
const editorOfHost = createRequire(join(extensionPath, 'dist/extension.cjs'))('vscode') as typeof vscode;
const editorHost = new EditorHost();

export async function run(): Promise<void> {
  try {
    await settings({ 'tools.confirm': 'byTrust', 'roots.default': 'all' });
    answerQuestions(
      (question) => (question.kind === 'call' ? { answer: 'run', span: 'always', scope: 'one' } : undefined),
      editorOfHost,
    );
    print(`  in the workbench: ${task.measure}`);
    await measures[task.measure]?.();
    writeFileSync(process.env['BENCH_RESULT'] ?? '', JSON.stringify(measured satisfies Measurements));
  } catch (error) {
    print(error);
    throw error;
  }
}

const measures: Readonly<Record<string, () => Promise<void>>> = {
  async activate() {
    await api();
    await pause(2_000);
    const { mcpHostActivation } = globalThis as unknown as {
      readonly mcpHostActivation: Numbers & { readonly files: readonly string[] };
    };
    const { files, ...numbers } = mcpHostActivation;
    const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0);
    const sdk = files.filter((file) => /sdk/i.test(file.slice(extensionPath.length))).length;
    add('activate', 'own', { ...numbers, bytes, sdk });
  },

  async editorStarts() {
    const sets = [
      { what: '20', servers: repeated(20, [task.benchServer]), trials: 3 },
      { what: '12 SDK', servers: repeated(12, task.sdkServer), trials: 2 },
      { what: '50', servers: repeated(50, [task.benchServer]), trials: 2 },
      { what: '2,000 tools', servers: [[task.benchServer, '--tools=2000']], trials: 2 },
    ];
    for (const { what, servers, trials } of sets) {
      await defineOwn(servers, what);
      for (let trial = 0; trial < times(trials); trial += 1) {
        await stopOwn();
        await pause(500);
        add(what, 'own', { ms: await timed(() => startOwn(what === '2,000 tools' ? 2_000 : 1)) });
        await stopOwn();
        await editorHost.define(task.node, servers);
        add(what, 'other', { ms: await timed(() => editorHost.start()) });
        await editorHost.define(task.node, []);
        print(
          `    ${what}: ${JSON.stringify(measured[what]?.own.at(-1))} ${JSON.stringify(measured[what]?.other.at(-1))}`,
        );
      }
    }
    await configure(vscode.ConfigurationTarget.Global, undefined);
  },

  async editorCalls() {
    await both(1);
    const [server] = (await api()).servers;
    const theirs = nameOf(/^mcp_bench_echo$/);
    const own = (text: string): Promise<unknown> => Promise.resolve(server?.callTool('echo', { text }));
    const other = (text: string): Promise<unknown> => editorHost.call(theirs, { text });
    await answering(() => own('decided'));
    await other('decided');
    await compare('public API', own, other);
    await editorHost.define(task.node, []);
    await configure(vscode.ConfigurationTarget.Global, undefined);
  },

  async editorFolders() {
    await both(10);
    const uri = vscode.Uri.file(task.folder);
    const { servers } = await api();
    const tools = editorHost.tools.map(({ name }) => name).filter((name) => /^mcp_bench\w*_told$/.test(name));
    const told = {
      own: () => Promise.all(servers.map(async (one) => textIn(await one.callTool('told', {})))),
      other: () => Promise.all(tools.map((name) => editorHost.call(name, {}))),
    };
    await answering(told.own);
    await told.other();
    for (let change = 0; change < times(6) * 2; change += 1) {
      const before = { own: await told.own(), other: await told.other() };
      const index = vscode.workspace.workspaceFolders?.findIndex((one) => one.uri.path === uri.path) ?? -1;
      const { promise, resolve } = Promise.withResolvers<bigint>();
      const listening = vscode.workspace.onDidChangeWorkspaceFolders(() => resolve(process.hrtime.bigint()));
      if (index < 0) {
        vscode.workspace.updateWorkspaceFolders(vscode.workspace.workspaceFolders?.length ?? 0, 0, { uri });
      } else {
        vscode.workspace.updateWorkspaceFolders(index, 1);
      }
      const event = await promise;
      listening.dispose();
      await pause(1_000);
      for (const side of ['own', 'other'] as const) {
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
    await editorHost.define(task.node, []);
    await configure(vscode.ConfigurationTarget.Global, undefined);
  },
};

/** Does what asks you something, while somebody opens and answers each question. */
async function answering(work: () => Promise<unknown>): Promise<void> {
  const reviewing = setInterval(() => void vscode.commands.executeCommand('mcpHost.reviewQuestions'), 200);
  try {
    await work();
  } finally {
    clearInterval(reviewing);
  }
}

/** Blocks of calls of both sides in turn, one after the other and many at the same time. */
async function compare(
  what: string,
  own: (text: string) => Promise<unknown>,
  other: (text: string) => Promise<unknown>,
): Promise<void> {
  const sides = { own, other };
  for (const call of [own, other]) {
    await oneByOne(30, call);
  }
  for (let block = 0; block < times(5); block += 1) {
    for (const side of ['own', 'other'] as const) {
      add(what, side, await oneByOne(60, sides[side]));
    }
  }
  for (let block = 0; block < times(3); block += 1) {
    for (const side of ['own', 'other'] as const) {
      add(`${what}, 200 in flight`, side, await inFlight(1_000, sides[side]));
    }
  }
}

/** Both hosts run so many servers. */
async function both(count: number): Promise<void> {
  const servers = repeated(count, [task.benchServer]);
  await defineOwn(servers);
  await editorHost.define(task.node, servers);
  await editorHost.start();
}

/** MCP Host has these servers, which are allowed and run. */
async function defineOwn(servers: readonly (readonly string[])[], name = 'server'): Promise<void> {
  const host = await api();
  const definitions = servers.map((args, index) => [`${name} ${index}`, { command: task.node, args }]);
  await configure(vscode.ConfigurationTarget.Global, Object.fromEntries(definitions));
  const isDefined = (): boolean =>
    host.servers.length === servers.length &&
    host.servers.every(({ state }) => state === 'awaitingApproval' || state === 'running');
  await until('all servers are defined', isDefined);
  if (host.servers.some(({ state }) => state === 'awaitingApproval')) {
    await allowAll(editorOfHost);
  }
  await until('the tools of all servers', () => host.servers.every(({ tools }) => tools.length > 0));
}

async function startOwn(tools: number): Promise<void> {
  const { servers } = await api();
  await Promise.all(servers.map((one) => one.start()));
  await until('all tools are listed', () => servers.every((one) => one.tools.length >= tools));
}

async function stopOwn(): Promise<void> {
  await Promise.all((await api()).servers.map((one) => one.stop()));
}

function add(what: string, side: 'own' | 'other', numbers: Numbers): void {
  measured[what] ??= { own: [], other: [] };
  measured[what][side].push(numbers);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function repeated(count: number, args: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: count }, () => args);
}

function nameOf(pattern: RegExp): string {
  const found = editorHost.tools.find(({ name }) => pattern.test(name));
  if (!found) {
    throw new Error(
      `No tool is called ${String(pattern)}, only ${editorHost.tools.map(({ name }) => name).join(', ')}.`,
    );
  }
  return found.name;
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

async function settings(values: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await vscode.workspace.getConfiguration('mcpHost').update(name, value, vscode.ConfigurationTarget.Global);
  }
}
