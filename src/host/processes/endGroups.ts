import { spawn } from 'node:child_process';
import { hasEnded, signalGroup } from './processTree.ts';
import { taskkillProgram } from './taskkill.ts';
import type { KnownProcess, ProcessTable } from './processTable.ts';

type Signal = 'SIGTERM' | 'SIGKILL';

/** The signals, and the milliseconds in which a group may end after each. Its input has ended with its host. */
const steps: readonly { readonly signal?: Signal; readonly graceMs: number }[] = [
  { graceMs: 1_000 },
  { signal: 'SIGTERM', graceMs: 2_000 },
  { signal: 'SIGKILL', graceMs: 1_000 },
];

/**
 * Ends groups whose host is gone, all at the same time, within about four seconds (basic/lifecycle, stdio shutdown).
 * Other processes that now have the id of one of them get no signal.
 *
 * @returns the groups that needed a signal.
 */
export async function endGroups(
  groups: readonly KnownProcess[],
  table: ProcessTable,
): Promise<readonly KnownProcess[]> {
  const signalled = await Promise.all(
    groups.map(async (group) => ((await endGroup(group, table)) ? [group] : [])),
  );
  return signalled.flat();
}

async function endGroup(group: KnownProcess, table: ProcessTable): Promise<boolean> {
  let isSignalled = false;
  for (const { signal, graceMs } of steps) {
    const members = await table.membersOf(group);
    if (members.length === 0) {
      break;
    }
    if (signal) {
      isSignalled = true;
      signalMembers(group, members, signal);
    }
    await hasEnded(group.pid, graceMs);
  }
  return isSignalled;
}

function signalMembers({ pid: leader }: KnownProcess, members: readonly number[], signal: Signal): void {
  if (process.platform !== 'win32') {
    signalGroup(leader, signal);
  } else if (signal === 'SIGKILL') {
    // Windows has no other signal for a process without a window. `/T` misses processes whose parent is gone.
    const which = members.flatMap((pid) => ['/PID', String(pid)]);
    spawn(taskkillProgram, ['/F', ...which], { windowsHide: true, stdio: 'ignore' }).on('error', () => {});
  }
}
