import { setTimeout as delay } from 'node:timers/promises';
import { visibleText } from '../../base/text/visibleText.ts';
import type { Logger } from '../../base/logging/logger.ts';
import { messageOf } from '../errors/hostError.ts';
import type { KnownProcess, LaunchedGroup, OutsideProcess, ProcessTable } from './processTable.ts';

/** The signals, and the milliseconds in which a process may end after each. */
const steps = [
  { signal: 'SIGTERM', graceMs: 500 },
  { signal: 'SIGKILL', graceMs: 200 },
] as const;
const POLL_MS = 20;

/** What ending the processes outside of groups takes. */
export interface OutsideContext {
  readonly table: ProcessTable;
  /** The process that started the extension host. */
  readonly editor: number;
  readonly logger: Pick<Logger, 'log'>;
}

/**
 * Ends groups by `endGroups`, and then what the launches have started outside of them (`setsid`, `detached: true`), as
 * libraries that start browsers do. Takes less than a second more than `endGroups`. Never rejects because of the latter.
 */
export async function endWithOutsiders(
  groups: readonly LaunchedGroup[],
  context: OutsideContext,
  endGroups: () => Promise<void>,
): Promise<void> {
  // While their parents run: later, only those that have the mark can be found.
  const before = await outsidersOf(groups, context);
  await endGroups();
  let known = before;
  const ended = new Map<number, OutsideProcess>();
  for (const { signal, graceMs } of steps) {
    const found = [...known, ...(await outsidersOf(groups, context))];
    known = found.filter(({ isSpared }) => !isSpared);
    const running = await runningOf(known, context.table);
    if (running.length === 0) {
      break;
    }
    running.forEach((one) => ended.set(one.pid, one));
    running.forEach((one) => kill(one, signal, context.table));
    await untilGone(running, graceMs, context.table);
  }
  const left = await runningOf(
    before.filter(({ isSpared }) => isSpared),
    context.table,
  );
  log(context.logger, 'info', 'Ended processes that had left their group', [...ended.values()]);
  log(context.logger, 'warn', 'Left running, because they are part of the editor or have a terminal', left);
}

/** Each of them once; none if the system doesn't tell. */
async function outsidersOf(
  groups: readonly LaunchedGroup[],
  { table, editor, logger }: OutsideContext,
): Promise<readonly OutsideProcess[]> {
  try {
    const found = await Promise.all(groups.map((group) => table.outsidersOf(group, editor)));
    return [...new Map(found.flat().map((one) => [one.pid, one])).values()];
  } catch (error) {
    logger.log('warn', `Processes that have left their group are not known: ${messageOf(error)}`);
    return [];
  }
}

async function runningOf(
  some: readonly OutsideProcess[],
  table: ProcessTable,
): Promise<readonly OutsideProcess[]> {
  const each = [...new Map(some.map((one) => [one.pid, one])).values()];
  const are = await Promise.all(each.map((one) => table.isRunning(one).catch(() => false)));
  return each.filter((_, index) => are[index]);
}

/** Another process that has the id by now gets no signal. */
function kill({ pid, start }: KnownProcess, signal: 'SIGTERM' | 'SIGKILL', table: ProcessTable): void {
  try {
    if (table.startOf(pid) === start) {
      process.kill(pid, signal);
    }
  } catch {
    // It has ended since, or may not be ended.
  }
}

async function untilGone(some: readonly OutsideProcess[], ms: number, table: ProcessTable): Promise<void> {
  const until = performance.now() + ms;
  while ((await runningOf(some, table)).length > 0 && performance.now() < until) {
    await delay(POLL_MS);
  }
}

function log(
  logger: Pick<Logger, 'log'>,
  level: 'info' | 'warn',
  words: string,
  processes: readonly OutsideProcess[],
): void {
  if (processes.length > 0) {
    const names = processes.map(({ pid, name }) => `${pid} (${visibleText(name)})`);
    logger.log(level, `${words}: ${names.join(', ')}.`);
  }
}
