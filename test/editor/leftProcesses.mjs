// Finds processes that a run of tests has left behind: all that it starts inherit a mark in their environment.
// Only Linux lets it be read.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const graceMs = 3000;

/**
 * An environment with that mark: in a variable, and as a folder in PATH that isn't there, because servers inherit PATH and
 * little else. The editor takes the PATH of a login shell.
 * @param {NodeJS.ProcessEnv} environment
 * @param {string} mark
 */
export function marked(environment, mark) {
  return process.platform === 'linux'
    ? {
        ...environment,
        MCP_HOST_TEST_RUN: mark,
        PATH: [environment['PATH'] ?? '', join(tmpdir(), mark)].join(delimiter),
      }
    : environment;
}

/**
 * Waits a moment for the processes with that mark to end, ends those that do not, and gives their command lines.
 * @param {string} mark
 */
export async function endLeftProcesses(mark) {
  for (const started = Date.now(); markedProcesses(mark).length > 0 && Date.now() - started < graceMs;) {
    await delay(100);
  }
  /** @type {Map<number, string>} */
  const ended = new Map();
  // Again until nothing is left: what is killed may have started more before.
  for (let left = markedProcesses(mark); left.length > 0; left = markedProcesses(mark)) {
    for (const { pid, command } of left) {
      ended.set(pid, command);
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // it has ended in the meantime
      }
    }
    await delay(20);
  }
  // A killed process loses its environment before it is gone.
  while ([...ended.keys()].some(isRunning)) {
    await delay(20);
  }
  return [...ended.values()];
}

/**
 * False for a zombie.
 * @param {number} pid
 */
function isRunning(pid) {
  const [state = ''] = read(String(pid), 'stat').split(') ').at(-1) ?? '';
  return state !== '' && state !== 'Z' && state !== 'X';
}

/** @param {string} mark */
function markedProcesses(mark) {
  if (!existsSync('/proc/self/environ')) {
    return [];
  }
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids
    .filter((pid) => read(pid, 'environ').includes(mark))
    .map((pid) => ({ pid: Number(pid), command: read(pid, 'cmdline').replaceAll('\0', ' ').trim() }));
}

/**
 * @param {string} pid
 * @param {string} file
 */
function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
