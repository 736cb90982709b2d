import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Numbers } from '../node/worker.ts';
import { quantile } from '../quantile.ts';

export type Call = (text: string) => unknown;

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

/** A request over loopback that does nothing: to a server in the same process, as the gateway is one. */
export class RoundTrip {
  readonly #server = createServer((request, response) => request.pipe(response));

  static async open(): Promise<RoundTrip> {
    const trip = new RoundTrip();
    trip.#server.listen(0, '127.0.0.1');
    await once(trip.#server, 'listening');
    return trip;
  }

  async run(body: string): Promise<void> {
    const { port } = this.#server.address() as AddressInfo;
    await (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).text();
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
