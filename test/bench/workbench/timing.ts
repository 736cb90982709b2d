import { setTimeout as pause } from 'node:timers/promises';
import type { Numbers } from '../node/worker.ts';
import { quantile } from '../quantile.ts';

export { pause };

type Call = (text: string) => Promise<unknown>;

const text = 'x'.repeat(100);

/** The times of calls, one after the other. */
export async function oneByOne(count: number, call: Call): Promise<Numbers> {
  const times: number[] = [];
  const cpu = process.cpuUsage();
  for (let one = 0; one < count; one += 1) {
    const started = performance.now();
    await call(text);
    times.push(performance.now() - started);
  }
  const { user, system } = process.cpuUsage(cpu);
  return {
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    cpuMs: (user + system) / 1_000 / count,
  };
}

/** How many calls a second, with 200 in flight. */
export async function inFlight(count: number, call: Call): Promise<Numbers> {
  let left = count;
  const started = performance.now();
  const one = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await call(text);
    }
  };
  await Promise.all(Array.from({ length: 200 }, one));
  return { perSecond: (count / (performance.now() - started)) * 1_000 };
}
