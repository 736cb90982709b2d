import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCodeOf } from '../../base/values/errorCode.ts';
import type { Logger } from '../../base/logging/logger.ts';
import { messageOf } from '../errors/hostError.ts';
import { endGroups } from './endGroups.ts';
import { endWithOutsiders } from './endOutsiders.ts';
import { readRecord, thisMachine, type GroupRecord } from './groupRecord.ts';
import type { ProcessTable } from './processTable.ts';
import { systemProcesses } from './systemProcesses.ts';

/** Milliseconds after which no host still writes a temporary file. */
const WRITING_MS = 60_000;
/** Milliseconds after which a file of another machine is removed. */
const FOREIGN_MS = 30 * 24 * 60 * 60 * 1_000;

/** Ends the process groups of hosts that are gone, if their guards didn't, and removes their files. */
export async function sweepGroups(folder: string, logger: Logger, table = systemProcesses()): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  await Promise.all(names.map((name) => sweepFile(path.join(folder, name), logger, table)));
}

async function sweepFile(file: string, logger: Logger, table: ProcessTable): Promise<void> {
  try {
    const age = Date.now() - (await stat(file)).mtimeMs;
    const isDone = file.endsWith('.json')
      ? await sweepRecord(await readFile(file, 'utf8'), age, table, (level, message) =>
          logger.log(level, `${file}: ${message}`),
        )
      : age > WRITING_MS;
    if (isDone) {
      await rm(file, { force: true });
    }
  } catch (error) {
    // Another window was first, or the host of the file no longer has groups.
    if (errorCodeOf(error) !== 'ENOENT') {
      logger.log('warn', `${file} could not be read: ${messageOf(error)}`);
    }
  }
}

/** Whether the file can be removed. */
async function sweepRecord(
  text: string,
  age: number,
  table: ProcessTable,
  log: Logger['log'],
): Promise<boolean> {
  const read = readRecord(text);
  switch (read.kind) {
    case 'newer':
      return false;
    case 'unreadable':
      log('warn', 'It could not be read, and was removed.');
      return true;
    case 'record': {
      const { machine, host, groups }: GroupRecord = read.record;
      const here = thisMachine();
      if (machine.name !== here.name) {
        return age > FOREIGN_MS;
      }
      if (machine.boot !== here.boot) {
        return true;
      }
      if (await table.isRunning(host)) {
        return false;
      }
      await endWithOutsiders(groups, { table, editor: process.ppid, logger: { log } }, async () => {
        const ended = await endGroups(groups, table);
        if (ended.length > 0) {
          log(
            'info',
            `Ended processes that the window left behind: ${ended.map(({ pid }) => pid).join(', ')}.`,
          );
        }
      });
      return true;
    }
  }
}
