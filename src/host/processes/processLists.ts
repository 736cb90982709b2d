import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A process that runs, as a program of the system lists it. */
export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  /** On Windows, which has no groups, the same as `pid`. */
  readonly group: number;
  /** Milliseconds since the epoch, down to the second on macOS. */
  readonly start: number;
}

const run = promisify(execFile);
const MAX_BYTES = 16 * 1024 * 1024;

/** For macOS and the BSDs; see ps(1). */
export async function listWithPs(): Promise<readonly ListedProcess[]> {
  // In the person's language and time zone the start would be written in a way of its own.
  const env = { PATH: process.env['PATH'] ?? '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' };
  const columns = 'pid=,ppid=,pgid=,stat=,lstart=';
  const { stdout } = await run('ps', ['-axo', columns], { env, maxBuffer: MAX_BYTES });
  return readPs(stdout);
}

/** For Windows: `Win32_Process`, with what the system says of a process's creation. */
export async function listWithPowerShell(): Promise<readonly ListedProcess[]> {
  const script =
    'Get-CimInstance Win32_Process | Where-Object CreationDate | ForEach-Object { ' +
    "'{0} {1} {2:o}' -f $_.ProcessId, $_.ParentProcessId, $_.CreationDate.ToUniversalTime() }";
  const { stdout } = await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script], {
    maxBuffer: MAX_BYTES,
    windowsHide: true,
  });
  return readPowerShell(stdout);
}

export function readPs(text: string): readonly ListedProcess[] {
  return rows(
    text,
    /^\s*(\d+)\s+(\d+)\s+(\d+)\s+([^Z\s]\S*)\s+(\S.*?)\s*$/,
    ([pid, parent, group, , start]) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      start: Date.parse(`${start} UTC`),
    }),
  );
}

export function readPowerShell(text: string): readonly ListedProcess[] {
  return rows(text, /^(\d+) (\d+) (\S+)\s*$/, ([pid, parent, start]) => ({
    pid: Number(pid),
    parent: Number(parent),
    group: Number(pid),
    start: Date.parse(start ?? ''),
  }));
}

function rows(
  text: string,
  row: RegExp,
  read: (columns: readonly string[]) => ListedProcess,
): readonly ListedProcess[] {
  return text.split('\n').flatMap((line) => {
    const match = row.exec(line);
    const listed = match ? [read(match.slice(1))] : [];
    return listed.filter(({ start }) => !Number.isNaN(start));
  });
}
