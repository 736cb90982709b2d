import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { errorCodeOf } from '../../base/values/errorCode.ts';
import type { ProcessTable } from './processTable.ts';

const GONE: readonly string[] = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'];

interface Status {
  readonly state: string;
  readonly group: number;
  readonly session: number;
  /** Clock ticks from the start of the system to that of the process. */
  readonly start: number;
}

/** Reads `/proc/<pid>/stat`; see proc_pid_stat(5). Id and start identify a process exactly. */
export const linuxProcesses: ProcessTable = {
  startOf(pid) {
    try {
      return readStatus(readFileSync(`/proc/${pid}/stat`, 'utf8')).start;
    } catch {
      return undefined;
    }
  },

  async isRunning({ pid, start }) {
    const status = await statusOf(pid);
    return status?.start === start && runs(status);
  },

  async membersOf({ pid: leader, start }) {
    const status = await statusOf(leader);
    // An id isn't reused while a group or session has it: if another process has it, all members are gone.
    if (status && status.start !== start) {
      return [];
    }
    const members: number[] = [];
    // One after the other: there may be more processes than this one may open files.
    for (const name of await readdir('/proc')) {
      const member = /^\d+$/.test(name) ? await statusOf(Number(name)) : undefined;
      // The group stays in its leader's session; an older process belonged to an earlier group with this id.
      if (member?.group === leader && member.session === leader && member.start >= start && runs(member)) {
        members.push(Number(name));
      }
    }
    return members;
  },
};

/**
 * Undefined for a process that is gone, or another user's.
 *
 * @throws any other error of the file system: it doesn't mean that the process is gone.
 */
async function statusOf(pid: number): Promise<Status | undefined> {
  try {
    return readStatus(await readFile(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    if (GONE.includes(String(errorCodeOf(error)))) {
      return undefined;
    }
    throw error;
  }
}

function readStatus(text: string): Status {
  // The second field is the program's name in parentheses, which may have any characters.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const numberAt = (field: number): number => Number(fields[field - 3]);
  return { state: fields[0] ?? '', group: numberAt(5), session: numberAt(6), start: numberAt(22) };
}

/** False for a zombie. */
function runs({ state }: Status): boolean {
  return state !== 'Z' && state !== 'X';
}
