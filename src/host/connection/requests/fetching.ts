import { setTimeout as delay } from 'node:timers/promises';
import type { FetchedProgram } from '../../launch/warnings/packageRunners.ts';
import { systemProcesses } from '../../processes/systemProcesses.ts';
import type { StartPolicy } from './startPolicy.ts';

/** What is known of a process that a runner is. */
export interface FetchingProcess {
  readonly pid: number | null;
  /** The last lines that it wrote to stderr. */
  readonly stderr: readonly string[];
}

/**
 * Resolves when a process that has answered nothing has been silent for so long that it is taken for one that never
 * will. A runner has that time from the moment on at which it has started what it fetched.
 *
 * @throws what the signal says when it aborted.
 */
export async function silentForLong(
  fetched: FetchedProgram | undefined,
  process: FetchingProcess,
  policy: StartPolicy,
  signal: AbortSignal,
): Promise<void> {
  if (fetched) {
    const isFetching = fetched.kind === 'container' ? pullsImage : aloneInGroup(process);
    while (await isFetching(process)) {
      await delay(policy.lookMs, undefined, { signal });
    }
  }
  await delay(fetched ? policy.runnerSilentMs : policy.silentMs, undefined, { signal });
}

/** docker, podman and nerdctl say on stderr that they fetch an image, and that they have it. */
function pullsImage({ stderr }: FetchingProcess): Promise<boolean> {
  const began = stderr.findLastIndex((line) =>
    /\b(?:pull|pulling|unable to find image|resolving)\b/i.test(line),
  );
  const ended = stderr.findLastIndex((line) => /^(?:Status:|Writing manifest|elapsed:)/i.test(line));
  return Promise.resolve(began > ended);
}

/** npx, uvx and the like fetch a package in one process, and run it in another. */
function aloneInGroup({ pid }: FetchingProcess): () => Promise<boolean> {
  const table = systemProcesses();
  const start = pid === null ? undefined : table.startOf(pid);
  return async () => {
    // Where the system does not tell without a program of its own that takes seconds, the time alone counts.
    if (pid === null || start === undefined || process.platform === 'win32') {
      return false;
    }
    const members = await table.membersOf({ pid, start }).catch(() => []);
    return members.length === 1;
  };
}
