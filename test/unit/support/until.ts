import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Disposable } from '../../../src/base/lifetime/disposable.ts';
import type { ConnectionState } from '../../../src/host/state/connectionState.ts';
import type { ServerConnection } from '../../../src/host/connection/serverConnection.ts';

/** Milliseconds that only a defect exceeds. */
const BOUND_MS = 240_000;

/** An event of any value. */
type AnyEvent = (listener: () => void) => Disposable;

/** Resolves as soon as the claim holds: asked at once, and after each of the events. */
export function until(claim: () => boolean, what: string, event: AnyEvent): Promise<void> {
  if (claim()) {
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      subscription.dispose();
      reject(new Error(`Waited without success until ${what}`));
    }, BOUND_MS);
    const subscription = event(() => {
      if (claim()) {
        clearTimeout(timer);
        subscription.dispose();
        resolve();
      }
    });
  });
}

/** As `until`, for what tells nobody: a process that ends, a server's own record. */
export async function untilSeen(claim: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + BOUND_MS; !(await claim()); await delay(10)) {
    if (Date.now() > end) {
      throw new Error(`Waited without success until ${what}`);
    }
  }
}

export function untilState(connection: ServerConnection, kind: ConnectionState['kind']): Promise<void> {
  return until(() => connection.state.kind === kind, `the server is ${kind}`, connection.onDidChangeState);
}

/** True while a process runs; one that has ended and waits for its parent to ask how is no longer running. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return process.platform !== 'linux';
  }
}
