// Measures one side once, in a process of its own: worker.cjs JSON, which prints its numbers. See `Task`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inspect } from 'node:util';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { toolsOf } from '../servers/content.mjs';
import { BareSide } from './bareSide.ts';
import { LongestTurn, parseMs } from './longestTurn.ts';
import { OwnSide } from './ownSide.ts';
import { textOf, type BenchServer, type Side } from './side.ts';
import { quantile } from '../quantile.ts';

/** What is measured, on which side. */
export interface Task {
  readonly side: 'own' | 'bare';
  /** Where this host keeps what is decided, from one process to the next. */
  readonly folder: string;
  readonly measure: keyof typeof measures;
  /** The arguments of a stdio server, for Node. */
  readonly args: readonly string[];
  readonly servers: number;
  /** Whether the server is reached over HTTP. */
  readonly http?: boolean;
  /** How often, how many, or how many bytes: see each measure. */
  readonly count: number;
}

export type Numbers = Readonly<Record<string, number>>;

const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

const measures = {
  /** From the trigger until all tools of all servers are listed. */
  async starts({ side, servers }: Ground): Promise<Numbers> {
    const cpu = process.cpuUsage();
    const started = performance.now();
    await side.start(servers);
    return { ms: performance.now() - started, cpuMs: cpuMs(cpu) };
  },

  /** The longest turn until all tools are listed, once the SDK is loaded: for both sides, that takes longer. */
  async listTurn({ side, servers, task }: Ground): Promise<Numbers> {
    await (side instanceof OwnSide ? import('../../../src/host/sdk/sdk.ts') : import('./bareSdk.ts'));
    const longest = new LongestTurn();
    await side.start(servers);
    const turnMs = longest.end();
    const listed = /--tools=(\d+)/.exec(task.args.join(' '))?.[1];
    const page = Math.min(Number(listed ?? 0), 500);
    return { turnMs, parseMs: parseMs(JSON.stringify(toolsOf(0, page))) };
  },

  /** One call after the other, `count` of them. */
  async calls({ side, servers, task: { count } }: Ground): Promise<Numbers> {
    await begin(side, servers);
    return oneByOne(count, (text) => side.call(0, 'echo', { text }));
  },

  async agentCalls({ side, servers, task: { count } }: Ground): Promise<Numbers> {
    await begin(side, servers);
    return oneByOne(count, (text) => side.callAsAgent(0, 'echo', { text }));
  },

  /** 200 calls in flight, `count` in all. */
  async inFlight({ side, servers, task: { count } }: Ground): Promise<Numbers> {
    await begin(side, servers);
    const run = (most: number): Promise<unknown> => {
      let left = most;
      const one = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          await side.call(0, 'echo', { text: hundredBytes });
        }
      };
      return Promise.all(Array.from({ length: 200 }, one));
    };
    await run(1_000);
    const cpu = process.cpuUsage();
    const started = performance.now();
    await run(count);
    return {
      perSecond: (count / (performance.now() - started)) * 1_000,
      cpuMs: cpuMs(cpu) / count,
    };
  },

  /** Results of `count` bytes. */
  async results({ side, servers, task: { count: size } }: Ground): Promise<Numbers> {
    await begin(side, servers);
    const message = JSON.stringify({ content: [{ type: 'text', text: 'x'.repeat(size) }] });
    const times: number[] = [];
    const turns: number[] = [];
    for (let call = 0; call < (size < 1e6 ? 60 : size < 1e7 ? 6 : 4); call += 1) {
      const longest = new LongestTurn();
      const started = performance.now();
      const { length } = textOf(await side.call(0, 'large', { size }));
      times.push(performance.now() - started);
      turns.push(longest.end());
      if (length !== size) {
        throw new Error(`The result has ${length} of ${size} bytes.`);
      }
      await turn();
    }
    return { ms: quantile(times.slice(1), 0.5), turnMs: quantile(turns, 0.5), parseMs: parseMs(message) };
  },

  /** Calls of one server while another one sends `count` notifications at a time, again and again. */
  async notifications({ side, servers, task: { count } }: Ground): Promise<Numbers> {
    await begin(side, servers);
    const calm = await oneByOne(300, (text) => side.call(1, 'echo', { text }));
    const floods = { isOver: false };
    const flooding = (async () => {
      for (let flood = 0; flood < 5; flood += 1) {
        await side.call(0, 'flood', { size: count });
      }
      floods.isOver = true;
    })();
    const times: number[] = [];
    while (!floods.isOver) {
      const started = performance.now();
      await side.call(1, 'echo', { text: hundredBytes });
      times.push(performance.now() - started);
    }
    await flooding;
    return {
      calmP50: calm['p50'] ?? 0,
      calmP95: calm['p95'] ?? 0,
      p50: quantile(times, 0.5),
      p95: quantile(times, 0.95),
      calls: times.length,
    };
  },

  /** Resources that are listed, shown and kept. */
  async resources({ side, servers }: Ground): Promise<Numbers> {
    await side.start(servers);
    const before = heapBytes();
    const longest = new LongestTurn();
    const { count, shownMs } = await side.showResources();
    const turnMs = longest.end();
    return { shownMs, turnMs, bytes: (heapBytes() - before) / count, count };
  },

  /** A folder that comes and goes, `count` times: when each server has read the notification. */
  async folders({ side, servers, task: { count, folder } }: Ground): Promise<Numbers> {
    const paths = ['one', 'two'].map((name) => join(folder, name));
    paths.forEach((path) => mkdirSync(path, { recursive: true }));
    await side.setFolders(paths.slice(0, 1));
    await side.start(servers);
    await decided(side, ['told']);
    await delay(500);
    const last: number[] = [];
    const first: number[] = [];
    let told = 0;
    for (let change = 0; change < count; change += 1) {
      const before = await toldTo(side, servers.length);
      const started = process.hrtime.bigint();
      await side.setFolders(change % 2 === 0 ? paths : paths.slice(0, 1));
      await delay(400);
      const after = await toldTo(side, servers.length);
      const arrivals = after.flatMap((times, server) => times.slice(before[server]?.length));
      told += arrivals.length;
      const sinceMs = arrivals.map((at) => Number(BigInt(at) - started) / 1e6);
      last.push(Math.max(...sinceMs));
      first.push(Math.min(...sinceMs));
    }
    return {
      firstMs: quantile(first, 0.5),
      lastMs: quantile(last, 0.5),
      lastP95: quantile(last, 0.95),
      told: told / count / servers.length,
    };
  },

  /** What servers take that do nothing. */
  async idleMemory({ side, servers }: Ground): Promise<Numbers> {
    await side.start(servers);
    await delay(1_000);
    return memory();
  },

  /** What stays after `count` calls. */
  async memoryAfterCalls({ side, servers, task: { count } }: Ground): Promise<Numbers> {
    await begin(side, servers);
    await oneByOne(count, (text) => side.call(0, 'echo', { text }));
    await delay(500);
    return memory();
  },

  /** What stays after `count` connects to a server over HTTP. */
  async memoryAfterConnects({ side, servers, task: { count } }: Ground): Promise<Numbers> {
    await side.start(servers);
    // Until then V8 keeps more code compiled with each connect.
    for (let connect = 0; connect < 300; connect += 1) {
      await side.restart();
    }
    const before = await memory();
    for (let connect = 0; connect < count; connect += 1) {
      await side.restart();
    }
    const after = await memory();
    return { ...after, grownMb: (after['heapMb'] ?? 0) - (before['heapMb'] ?? 0) };
  },

  /** Processor time and wake-ups in `count` milliseconds without anything to do. */
  async idle({ side, servers, task: { count } }: Ground): Promise<Numbers> {
    await side.start(servers);
    await delay(3_000);
    const cpu = process.cpuUsage();
    const before = process.resourceUsage();
    await delay(count);
    const after = process.resourceUsage();
    return {
      cpuMs: cpuMs(cpu),
      wakeUps: after.voluntaryContextSwitches - before.voluntaryContextSwitches,
    };
  },
};

interface Ground {
  readonly side: Side;
  readonly servers: readonly BenchServer[];
  readonly task: Task;
}

const hundredBytes = 'x'.repeat(100);

async function begin(side: Side, servers: readonly BenchServer[]): Promise<void> {
  await side.start(servers);
  await decided(side, ['echo', 'large', 'flood', 'told']);
}

/** Calls are decided already, and this process has known their folder for so long that it lists it no longer at each look. */
async function decided(side: Side, tools: readonly string[]): Promise<void> {
  if (side instanceof OwnSide) {
    await side.decide(tools);
    await delay(2_500);
  }
}

async function oneByOne(count: number, call: (text: string) => Promise<unknown>): Promise<Numbers> {
  for (let warmUp = 0; warmUp < 300; warmUp += 1) {
    await call(hundredBytes);
  }
  const times: number[] = [];
  const cpu = process.cpuUsage();
  for (let one = 0; one < count; one += 1) {
    const started = performance.now();
    await call(hundredBytes);
    times.push(performance.now() - started);
  }
  const usedMs = cpuMs(cpu);
  return {
    minMs: quantile(times, 0),
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    cpuMs: usedMs / count,
  };
}

/** When each server was notified. */
async function toldTo(side: Side, servers: number): Promise<readonly (readonly string[])[]> {
  return Promise.all(
    Array.from(
      { length: servers },
      async (_, server) => JSON.parse(textOf(await side.call(server, 'told', {}))) as string[],
    ),
  );
}

function heapBytes(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

async function memory(): Promise<Numbers> {
  heapBytes();
  await delay(100);
  const heapMb = heapBytes() / 1_048_576;
  await delay(100);
  return { heapMb, rssMb: process.memoryUsage.rss() / 1_048_576 };
}

/** Starts the server at an address, in a process of its own. */
async function serveHttp(args: readonly string[]): Promise<{ readonly url: string; end(): void }> {
  const child = spawn(process.execPath, [...args, '--http'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { url, end: () => child.kill() };
}

async function main(): Promise<void> {
  const task = JSON.parse(process.argv[2] ?? '') as Task;
  const http = task.http ? await serveHttp(task.args) : undefined;
  const side = task.side === 'own' ? new OwnSide(task.folder) : new BareSide();
  const servers: readonly BenchServer[] = Array.from({ length: task.servers }, (_, index) => {
    const name = `server ${index}`;
    return http ? { name, url: http.url } : { name, args: task.args };
  });
  try {
    const numbers = await measures[task.measure]({ side, servers, task });
    process.stdout.write(`${JSON.stringify(numbers)}\n`);
  } finally {
    await side.close();
    http?.end();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${inspect(error)}\n`);
    process.exit(1);
  },
);
