import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { KnownProcess, ProcessTable } from './processTable.ts';
import { windowsProgram } from './windowsProgram.ts';

/** A running process, as a program of the system lists it. */
export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  /** On Windows, which has no groups, the same as `pid`. */
  readonly group: number;
  /** Milliseconds since the epoch, down to the second on macOS. */
  readonly start: number;
}

/** Runs a program of the system, and gives what it prints. */
type Run = (
  program: string,
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
) => Promise<string>;

const runProgram: Run = async (program, args, env) => {
  const options = { ...(env && { env }), maxBuffer: 16 * 1024 * 1024, windowsHide: true };
  return (await promisify(execFile)(program, args, options)).stdout;
};

/** For macOS and the BSDs; see ps(1). */
export async function listWithPs(run: Run = runProgram): Promise<readonly ListedProcess[]> {
  // Otherwise the format of the start depends on the user's language and time zone.
  const env = { PATH: process.env['PATH'] ?? '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' };
  return rows(
    await run('ps', ['-axo', 'pid=,ppid=,pgid=,stat=,lstart='], env),
    /^(\d+)\s+(\d+)\s+(\d+)\s+([^Z\s]\S*)\s+(\S.*)$/,
    ([pid, parent, group, , start]) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      start: Date.parse(`${start} UTC`),
    }),
  );
}

/** For Windows: `Win32_Process`, with the date of each process's creation. */
export async function listWithPowerShell(run: Run = runProgram): Promise<readonly ListedProcess[]> {
  const script =
    'Get-CimInstance Win32_Process | Where-Object CreationDate | ForEach-Object { ' +
    "'{0} {1} {2:o}' -f $_.ProcessId, $_.ParentProcessId, $_.CreationDate.ToUniversalTime() }";
  return rows(
    await run(windowsProgram('WindowsPowerShell\\v1.0\\powershell.exe'), [
      '-NoProfile',
      '-NonInteractive',
      '-Command',
      script,
    ]),
    /^(\d+) (\d+) (\S+)$/,
    ([pid, parent, start]) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(pid),
      start: Date.parse(start ?? ''),
    }),
  );
}

function rows(
  text: string,
  row: RegExp,
  read: (columns: readonly string[]) => ListedProcess,
): readonly ListedProcess[] {
  return text.split('\n').flatMap((line) => {
    const match = row.exec(line.trim());
    const listed = match ? [read(match.slice(1))] : [];
    return listed.filter(({ start }) => !Number.isNaN(start));
  });
}

/**
 * Milliseconds by which a start may be listed too early: `ps` cuts off fractions of a second, and may count from the start
 * of the system; and a known process has a time right after its start.
 */
const SLACK_MS = 10_000;

/**
 * Uses a list of all processes, which a program of the system writes. A process is identified by its id and a time at
 * which it had the id: a process with this id that started later is another one.
 *
 * @param belonging how a process belongs to its leader: by its group, or, on systems without groups, because the leader
 * or one of its children started it.
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
      // An id isn't reused while a group has it: if another process has it, all members are gone.
      if (found && !(isSame(found, leader) && isNotBefore(found, leader))) {
        return [];
      }
      const members = belonging === 'group' ? groupOf(leader, processes) : startedBy(leader, processes);
      return members.map(({ pid }) => pid);
    },

    // It lists no environment.
    outsidersOf: () => Promise.resolve([]),
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

/** A parent's id may belong to another process by now, too: a child is never older than its parent. */
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
