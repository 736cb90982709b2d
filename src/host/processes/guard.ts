/**
 * The guard: a separate program, one for each extension host. The host tells it which process groups run. When its input
 * ends, the host is gone, and the guard ends the groups that are left, and then exits. Its argument is the process that
 * started the host.
 */
import { createInterface } from 'node:readline';
import { endGroups } from './endGroups.ts';
import { readGuardLine } from './guardMessage.ts';
import { endWithOutsiders } from './endOutsiders.ts';
import type { LaunchedGroup } from './processTable.ts';
import { systemProcesses } from './systemProcesses.ts';

const groups = new Map<number, LaunchedGroup>();
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const message = readGuardLine(line);
  if (message?.kind === 'begun') {
    groups.set(message.group.pid, message.group);
  } else if (message) {
    groups.delete(message.pid);
  }
});
lines.once('close', () => {
  const table = systemProcesses();
  const context = { table, editor: Number(process.argv[2]), logger: { log() {} } };
  const left = [...groups.values()];
  // If the system doesn't tell the members of a group, the sweep of a later host tries again.
  endWithOutsiders(left, context, async () => {
    await Promise.allSettled(left.map((group) => endGroups([group], table)));
  }).catch(() => {});
});
// A broken pipe means the end of the host, too.
process.stdin.on('error', () => lines.close());
