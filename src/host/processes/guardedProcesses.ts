import type { Logger } from '../../base/logging/logger.ts';
import { endWithOutsiders } from './endOutsiders.ts';
import {
  unregistered,
  type GroupKeeper,
  type ProcessRegistry,
  type RegisteredGroup,
} from './processRegistry.ts';
import { GroupFile } from './groupFile.ts';
import { thisMachine } from './groupRecord.ts';
import { GuardProcess } from './guardProcess.ts';
import type { ProcessTable } from './processTable.ts';
import { systemProcesses } from './systemProcesses.ts';

export interface GuardPlaces {
  /** The path of the guard's program. */
  readonly guard: string;
  /** The folder that all extension hosts of this user share. */
  readonly folder: string;
}

/** The process groups of this host, ended by its guard if the host is killed, and by a later host if both are. */
export class GuardedProcesses implements ProcessRegistry {
  readonly #table: ProcessTable;
  readonly #logger: Logger;
  readonly #keepers: readonly GroupKeeper[];

  constructor({ guard, folder }: GuardPlaces, logger: Logger, table = systemProcesses()) {
    this.#table = table;
    this.#logger = logger;
    const host = { pid: process.pid, start: table.startOf(process.pid) ?? 0 };
    this.#keepers = [
      new GuardProcess(guard, logger),
      new GroupFile(folder, { machine: thisMachine(), host }, logger),
    ];
  }

  add(leader: number, mark: string): RegisteredGroup {
    const start = this.#table.startOf(leader);
    if (start === undefined) {
      // Without `/proc` it could later not be distinguished from another process with its id.
      return unregistered.add(leader, mark);
    }
    const group = { pid: leader, start, mark };
    this.#keepers.forEach((keeper) => keeper.begun(group));
    const context = { table: this.#table, editor: process.ppid, logger: this.#logger };
    return {
      end: async (endGroup) => {
        await endWithOutsiders([group], context, endGroup);
        this.#keepers.forEach((keeper) => keeper.gone(group));
      },
    };
  }

  /** Call when every process has ended; removes the guard and the file. */
  async close(): Promise<void> {
    await Promise.all(this.#keepers.map((keeper) => keeper.close()));
  }
}
