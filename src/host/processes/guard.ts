/**
 * The guard: a program of its own, one for each extension host. It reads from the host which process groups live. When
 * its input ends, the host is gone, and it ends those that are left; without any it ends at once.
 */
import { createInterface } from 'node:readline';
import { endGroups } from './endGroups.ts';
import { readLine } from './guardMessage.ts';
import type { KnownProcess } from './processTable.ts';
import { systemProcesses } from './systemProcesses.ts';

const groups = new Map<number, KnownProcess>();
const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const message = readLine(line);
  if (message?.kind === 'begun') {
    groups.set(message.group.pid, message.group);
  } else if (message) {
    groups.delete(message.pid);
  }
});
lines.once('close', () => {
  const table = systemProcesses();
  for (const group of groups.values()) {
    // Where the system does not say what belongs to a group, the sweep of a later host has another try.
    endGroups([group], table).catch(() => {});
  }
});
// A broken pipe is the end of the host, too.
process.stdin.on('error', () => lines.close());
