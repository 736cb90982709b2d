import type { ListedProcess } from './processLists.ts';
import type { KnownProcess, ProcessTable } from './processTable.ts';

/**
 * Milliseconds by which a start may be listed too early: `ps` cuts off what is less than a second, and may reckon from
 * the start of the system; and a process is known by a moment right after its start.
 */
const SLACK_MS = 10_000;

/**
 * Goes by a list of all processes, which takes a program to make. A process is known by the moment at which its id was
 * certainly its own: whatever has the id now and started later is another.
 *
 * @param belonging what makes a process one of the leader's: its group, or, where there are none, that it was started
 * by one of them.
 */
export function listedProcesses(
  list: () => Promise<readonly ListedProcess[]>,
  belonging: 'group' | 'ancestry',
): ProcessTable {
  return {
    startOf: () => Date.now(),

    async isRunning(known) {
      return (await list()).some((listed) => isSame(listed, known));
    },

    async membersOf(leader) {
      const processes = await list();
      const found = processes.find(({ pid }) => pid === leader.pid);
      // An id is not given again while a group has it: that of another process means that all are gone.
      if (found && !(isSame(found, leader) && isNotBefore(found, leader))) {
        return [];
      }
      const members = belonging === 'group' ? groupOf(leader, processes) : startedBy(leader, processes);
      return members.map(({ pid }) => pid);
    },
  };
}

function isSame(listed: ListedProcess, known: KnownProcess): boolean {
  return listed.pid === known.pid && listed.start <= known.start;
}

function groupOf(leader: KnownProcess, processes: readonly ListedProcess[]): readonly ListedProcess[] {
  return processes.filter(
    (one) => one.group === leader.pid && (one.pid === leader.pid || isNotBefore(one, leader)),
  );
}

/** A parent's id may be another's by now, too: a child is never older than its parent. */
function startedBy(leader: KnownProcess, processes: readonly ListedProcess[]): readonly ListedProcess[] {
  const found = processes.filter(({ pid }) => pid === leader.pid);
  let parents: readonly KnownProcess[] = [leader];
  while (parents.length > 0) {
    const children = processes.filter(
      (one) =>
        !found.includes(one) &&
        parents.some((parent) => one.parent === parent.pid && isNotBefore(one, parent)),
    );
    found.push(...children);
    parents = children;
  }
  return found;
}

function isNotBefore(one: ListedProcess, other: KnownProcess): boolean {
  return one.start >= other.start - SLACK_MS;
}
