import { setTimeout as delay } from 'node:timers/promises';
import type { FetchedProgram } from '../launch/warnings/packageRunners.ts';
import { systemProcesses } from '../processes/systemProcesses.ts';
import type { StartPolicy } from './startWait.ts';

interface StartingProcess {
  readonly pid: number | null;
  /** The last lines that it wrote to stderr. */
  readonly stderr: readonly string[];
}

/**
 * Resolves when a process has been silent for so long that it will probably never answer. For a runner, that time
 * begins when it has started what it downloaded.
 *
 * @throws the reason of the signal.
 */
export async function silentTooLong(
  fetched: FetchedProgram | undefined,
  process: StartingProcess,
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

/** docker, podman and nerdctl write to stderr when they begin and end to download an image. */
function pullsImage({ stderr }: StartingProcess): Promise<boolean> {
  const began = stderr.findLastIndex((line) =>
    /\b(?:pull|pulling|unable to find image|resolving)\b/i.test(line),
  );
  const ended = stderr.findLastIndex((line) => /^(?:Status:|Writing manifest|elapsed:)/i.test(line));
  return Promise.resolve(began > ended);
}

/** npx, uvx and the like download a package in one process, and run it in another. */
function aloneInGroup({ pid }: StartingProcess): () => Promise<boolean> {
  const table = systemProcesses();
  const start = pid === null ? undefined : table.startOf(pid);
  return async () => {
    // Windows lists processes only by a program that takes seconds: there, the silence alone counts.
    if (pid === null || start === undefined || process.platform === 'win32') {
      return false;
    }
    const members = await table.membersOf({ pid, start }).catch(() => []);
    return members.length === 1;
  };
}
