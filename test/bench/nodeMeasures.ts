import { join } from 'node:path';
import { root } from '../editor/paths.mjs';
import { atLeast, atMost, exactly, median, Results, type Result, type Trials } from './result.ts';
import type { Measured, NodeTrials } from './trials.ts';

const benchServer = join(root, 'test/bench/servers/benchServer.mjs');
const sdkServer = [join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'];
const plain = (...switches: readonly string[]): Pick<Measured, 'args'> => ({
  args: [benchServer, ...switches],
});

const bare = 'bare SDK';
const mostTurnMs = 50;

/** What is measured in plain Node beside clients of the bare SDK, by the names that the command line takes. */
export const nodeMeasures: Readonly<Record<string, (trials: NodeTrials) => Promise<readonly Result[]>>> = {
  async starts(trials) {
    const results = new Results('starts', bare);
    const start = (servers: number, args: Pick<Measured, 'args'>, times: number): Promise<Trials> =>
      trials.alternating({ measure: 'starts', servers, count: 1, ...args }, times);
    const many = [
      { what: '20 servers', servers: 20, args: plain(), times: 4, goal: 1.15 },
      { what: '12 SDK servers', servers: 12, args: { args: sdkServer }, times: 3, goal: 1.05 },
      { what: '50 servers', servers: 50, args: plain(), times: 2, goal: 1.15 },
    ];
    for (const { what, servers, args, times, goal } of many) {
      const measured = await start(servers, args, times);
      results.ratio(`${what}, until all tools are listed`, 'ms', measured, 'ms', atMost(goal));
      results.ratio(`${what}, processor time`, 'ms', measured, 'cpuMs', atMost(2));
    }
    const byCount = new Map<number, Trials>();
    for (const count of [10, 100, 1_000, 10_000]) {
      const measured = await start(1, plain(`--tools=${count}`), 3);
      byCount.set(count, measured);
      const what = `1 server with ${words(count)} tools`;
      results.ratio(`${what}, until all are listed`, 'ms', measured, 'ms', atMost(1.15));
      results.ratio(`${what}, processor time`, 'ms', measured, 'cpuMs', atMost(2));
    }
    const msOf = (count: number): number =>
      median((byCount.get(count)?.own ?? []).map((one) => one['ms'] ?? 0));
    const costOf = (count: number): number => (msOf(count) - msOf(10)) / count;
    const flat = costOf(10_000) / costOf(1_000);
    results.computed('cost of a tool among 10,000, against one among 1,000', 'ratio', flat, atMost(1.3));
    const long = { measure: 'listTurn', servers: 1, count: 1, ...plain('--tools=10000') } as const;
    const turns = overParse(await trials.alternating(long, 3));
    results.own('longest turn over JSON.parse, 10,000 tools', 'ms', turns, 'ms', atMost(mostTurnMs));
    return results.list;
  },

  async folders(trials) {
    const results = new Results('folders', bare);
    const measured = await trials.alternating({ measure: 'folders', servers: 10, count: 8, ...plain() }, 2);
    const beyond = (key: string): Trials => less(measured, key, 50);
    const what = 'folder event, until the last of 10 servers is notified';
    results.own(`${what}, beyond the wait of 50 ms`, 'ms', beyond('lastMs'), 'lastMs', atMost(10));
    results.own('notifications for each server and change', 'notifications', measured, 'told', exactly(1));
    return results.list;
  },

  async calls(trials) {
    const results = new Results('calls', bare);
    const callers = { 'another extension': 'calls', 'agent mode': 'agentCalls' } as const;
    for (const [caller, measure] of Object.entries(callers)) {
      const measured = await trials.alternating({ measure, servers: 1, count: 2_000, ...plain() }, 4);
      const what = `call of 100 bytes by ${caller}`;
      results.ratio(`${what}, median`, 'ms', measured, 'p50', atMost(1.5));
      results.ratio(`${what}, 95th percentile`, 'ms', measured, 'p95', atMost(2));
      results.difference(`${what}, processor time`, 'ms', measured, 'cpuMs', atMost(0.3));
    }
    return results.list;
  },

  async inFlight(trials) {
    const results = new Results('inFlight', bare);
    const measured = await trials.alternating(
      { measure: 'inFlight', servers: 1, count: 6_000, ...plain() },
      3,
    );
    results.ratio('200 calls in flight', 'calls a second', measured, 'perSecond', atLeast(0.7));
    return results.list;
  },

  async results(trials) {
    const results = new Results('results', bare);
    const sizes = [
      { what: '100 KB', count: 100_000, stdio: 1.3 },
      { what: '5 MB', count: 5_000_000, stdio: 0.5 },
      { what: '20 MB', count: 20_000_000, stdio: 0.2 },
    ];
    for (const http of [false, true]) {
      for (const { what, count, stdio } of sizes) {
        const times = 2;
        const measured = await trials.alternating(
          { measure: 'results', servers: 1, count, http, ...plain() },
          times,
        );
        const title = `result of ${what} over ${http ? 'HTTP' : 'stdio'}`;
        results.ratio(title, 'ms', measured, 'ms', atMost(http ? 1.3 : stdio));
        results.own(
          `${title}, longest turn over JSON.parse`,
          'ms',
          overParse(measured),
          'ms',
          atMost(mostTurnMs),
        );
      }
    }
    return results.list;
  },

  async notifications(trials) {
    const results = new Results('notifications', bare);
    const task = { measure: 'notifications', servers: 2, count: 10_000, ...plain() } as const;
    const measured = await trials.alternating(task, 3);
    const slower = (key: string, calm: string): Trials =>
      mapped(measured, (one) => ({ value: (one[key] ?? 0) / (one[calm] ?? 0) }));
    const what = "another server's calls during 10,000 notifications, against calm";
    results.own(`${what}, median`, 'ratio', slower('p50', 'calmP50'), 'value', atMost(1.5));
    results.own(`${what}, 95th percentile`, 'ratio', slower('p95', 'calmP95'), 'value', undefined);
    return results.list;
  },

  async resources(trials) {
    const results = new Results('resources', bare);
    for (const count of [20_000, 100_000]) {
      const task = { measure: 'resources', servers: 1, count, ...plain(`--resources=${count}`) } as const;
      const measured = await trials.alternating(task, 2);
      const what = `${words(count)} resources`;
      results.own(
        `${what}, shown after the list's arrival`,
        'ms',
        { ...measured, other: [] },
        'shownMs',
        atMost(100),
      );
      results.own(`${what}, memory of each`, 'bytes', measured, 'bytes', atMost(1_024));
    }
    return results.list;
  },

  async memory(trials) {
    const results = new Results('memory', bare);
    const idle = await trials.alternating({ measure: 'idleMemory', servers: 20, count: 1, ...plain() }, 2);
    const each = { by: 20, name: 'MB a server' };
    results.difference('20 idle servers, resident set', 'MB', idle, 'rssMb', atMost(0.5), each);
    results.difference('20 idle servers, heap', 'MB', idle, 'heapMb', atMost(0.5), each);
    const calls = await trials.alternating(
      { measure: 'memoryAfterCalls', servers: 1, count: 5_000, ...plain() },
      2,
    );
    results.ratio('after 5,000 calls, resident set', 'MB', calls, 'rssMb', atMost(1.3));
    const connecting = { measure: 'memoryAfterConnects', servers: 1, http: true, ...plain() } as const;
    const connects = await trials.alternating({ ...connecting, count: 1_000 }, 1);
    results.ratio('after 1,000 connects, resident set', 'MB', connects, 'rssMb', atMost(1.3));
    results.difference('heap that 1,000 connects leave', 'MB', connects, 'grownMb', atMost(0.5));
    return results.list;
  },

  async idle(trials) {
    const results = new Results('idle', bare);
    const measured = await trials.together({ measure: 'idle', servers: 20, count: 30_000, ...plain() });
    results.ratio(
      '20 idle servers for 30 seconds between pings, processor time',
      'ms',
      measured,
      'cpuMs',
      atMost(1),
    );
    results.ratio(
      '20 idle servers for 30 seconds between pings, wake-ups',
      'wake-ups',
      measured,
      'wakeUps',
      atMost(2),
    );
    return results.list;
  },
};

/** The longest turn without what parsing the same bytes takes. */
function overParse(trials: Trials): Trials {
  return mapped(trials, ({ turnMs = 0, parseMs = 0 }) => ({ ms: Math.max(0, turnMs - parseMs) }));
}

function less({ own, other }: Trials, key: string, by: number): Trials {
  return { own: own.map((one) => ({ ...one, [key]: (one[key] ?? 0) - by })), other };
}

function mapped({ own, other }: Trials, map: (one: Trials['own'][number]) => Trials['own'][number]): Trials {
  return { own: own.map(map), other: other.map(map) };
}

function words(count: number): string {
  return count.toLocaleString('en');
}
