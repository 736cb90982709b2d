import { readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCodeOf } from '../../base/values/errorCode.ts';
import { MARK, type KnownProcess, type ProcessTable } from './processTable.ts';

const GONE: readonly string[] = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'];

interface Status extends KnownProcess {
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** 0 without one. */
  readonly terminal: number;
}

/** The same with the mark of the launch that it belongs to, if it has one. */
interface MarkedStatus extends Status {
  readonly mark: string | undefined;
}

/** Reads `/proc/<pid>/stat`; see proc_pid_stat(5). Id and start, in clock ticks, identify a process exactly. */
export function linuxProcesses(): ProcessTable {
  const marked = forAllWaiting(allMarked);
  return {
    startOf(pid) {
      try {
        return readStatus(pid, readFileSync(`/proc/${pid}/stat`, 'utf8')).start;
      } catch {
        return undefined;
      }
    },

    async isRunning({ pid, start }) {
      const status = await statusOf(pid);
      return status?.start === start && runs(status);
    },

    async membersOf(leader) {
      const status = await statusOf(leader.pid);
      // An id isn't reused while a group or session has it: if another process has it, all members are gone.
      if (status && status.start !== leader.start) {
        return [];
      }
      return (await allStatuses()).filter((one) => isMember(one, leader)).map(({ pid }) => pid);
    },

    async outsidersOf(group, editor) {
      const all = await marked();
      const members = all.filter((one) => isMember(one, group));
      const withMark = all.filter(({ mark, start }) => mark === group.mark && start >= group.start);
      const ofGroup = withDescendants(members, all);
      const ofEditor = withDescendants(
        all.filter(({ pid }) => pid === editor),
        all,
      );
      const ownAncestors = ancestorsOf(process.pid, all);
      const outside = [...withDescendants([...members, ...withMark], all)].filter(
        (one) => !members.includes(one),
      );
      return Promise.all(
        outside.map(async (one) => ({
          ...one,
          name: await programOf(one.pid),
          isSpared: one.terminal !== 0 || ownAncestors.has(one) || (ofEditor.has(one) && !ofGroup.has(one)),
        })),
      );
    },
  };
}

/** Work whose result is for all who asked before it began: when a window closes, many servers end at once. */
function forAllWaiting<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () => {
    next ??= running.then(() => {
      next = undefined;
      const begun = work();
      running = begun.catch(() => {});
      return begun;
    });
    return next;
  };
}

/** The group stays in its leader's session; an older process belonged to an earlier group with this id. */
function isMember({ group, session, start }: Status, leader: KnownProcess): boolean {
  return group === leader.pid && session === leader.pid && start >= leader.start;
}

/** The mark in the environment with which a process of this user was started. */
async function markOf(pid: number): Promise<string | undefined> {
  const variables = await unlessGone(readFile(`/proc/${pid}/environ`, 'latin1'));
  const mark = variables?.split('\0').find((one) => one.startsWith(`${MARK}=`));
  const isOwn = mark !== undefined && (await unlessGone(stat(`/proc/${pid}`)))?.uid === process.getuid?.();
  return isOwn ? mark.slice(MARK.length + 1) : undefined;
}

async function allMarked(): Promise<readonly MarkedStatus[]> {
  const found: MarkedStatus[] = [];
  for (const status of await allStatuses()) {
    found.push({ ...status, mark: await markOf(status.pid) });
  }
  return found;
}

/** The name of its program. */
async function programOf(pid: number): Promise<string> {
  const [program = ''] = (await unlessGone(readFile(`/proc/${pid}/cmdline`, 'utf8')))?.split('\0') ?? [];
  return path.basename(program);
}

function withDescendants<S extends Status>(some: readonly S[], all: readonly S[]): ReadonlySet<S> {
  const found = new Set(some);
  for (let parents = some; parents.length > 0;) {
    const ids = new Set(parents.map(({ pid }) => pid));
    parents = all.filter((one) => ids.has(one.parent) && !found.has(one));
    parents.forEach((one) => found.add(one));
  }
  return found;
}

/** A process and those above it. */
function ancestorsOf<S extends Status>(pid: number, all: readonly S[]): ReadonlySet<S> {
  const byId = new Map(all.map((one) => [one.pid, one]));
  const found = new Set<S>();
  for (let one = byId.get(pid); one && !found.has(one); one = byId.get(one.parent)) {
    found.add(one);
  }
  return found;
}

/** All processes that run. */
async function allStatuses(): Promise<readonly Status[]> {
  const found: Status[] = [];
  // One after the other: there may be more processes than this one may open files.
  for (const name of await readdir('/proc')) {
    const status = /^\d+$/.test(name) ? await statusOf(Number(name)) : undefined;
    if (status && runs(status)) {
      found.push(status);
    }
  }
  return found;
}

/** Undefined for a process that is gone, or another user's. */
async function statusOf(pid: number): Promise<Status | undefined> {
  const text = await unlessGone(readFile(`/proc/${pid}/stat`, 'utf8'));
  return text === undefined ? undefined : readStatus(pid, text);
}

/** @throws any other error of the file system: it doesn't mean that the process is gone. */
async function unlessGone<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (GONE.includes(String(errorCodeOf(error)))) {
      return undefined;
    }
    throw error;
  }
}

function readStatus(pid: number, text: string): Status {
  // The second field is the program's name in parentheses, which may have any characters.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const numberAt = (field: number): number => Number(fields[field - 3]);
  return {
    pid,
    state: fields[0] ?? '',
    parent: numberAt(4),
    group: numberAt(5),
    session: numberAt(6),
    terminal: numberAt(7),
    start: numberAt(22),
  };
}

/** False for a zombie. */
function runs({ state }: Status): boolean {
  return state !== 'Z' && state !== 'X';
}
