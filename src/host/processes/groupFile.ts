import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '../../base/files/atomicFile.ts';
import type { Logger } from '../../base/logging/logger.ts';
import { messageOf } from '../errors/hostError.ts';
import type { GroupKeeper } from './processRegistry.ts';
import { recordText, type GroupRecord } from './groupRecord.ts';
import type { LaunchedGroup } from './processTable.ts';

/**
 * The file with the process groups of this host, for the sweep of a later host; see `sweepGroups`. It exists while there
 * is a group.
 */
export class GroupFile implements GroupKeeper {
  readonly #path: string;
  readonly #owner: Omit<GroupRecord, 'groups'>;
  readonly #logger: Logger;
  readonly #groups = new Set<LaunchedGroup>();
  #isWritten = true;
  #writing: Promise<void> | undefined;
  #hasWarned = false;

  constructor(folder: string, owner: Omit<GroupRecord, 'groups'>, logger: Logger) {
    this.#path = path.join(folder, `${owner.host.pid}-${randomUUID()}.json`);
    this.#owner = owner;
    this.#logger = logger;
  }

  begun(group: LaunchedGroup): void {
    this.#groups.add(group);
    this.#write();
  }

  gone(group: LaunchedGroup): void {
    this.#groups.delete(group);
    this.#write();
  }

  async close(): Promise<void> {
    await this.#writing;
  }

  #write(): void {
    this.#isWritten = false;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Writes until the file is up to date. */
  async #writeAll(): Promise<void> {
    while (!this.#isWritten) {
      this.#isWritten = true;
      try {
        await this.#replace([...this.#groups]);
      } catch (error) {
        this.#warn(messageOf(error));
      }
    }
  }

  async #replace(groups: readonly LaunchedGroup[]): Promise<void> {
    if (groups.length === 0) {
      await rm(this.#path, { force: true });
      return;
    }
    // Need not outlast a loss of power, which no process does either.
    await replaceFile(this.#path, recordText({ ...this.#owner, groups }));
  }

  #warn(reason: string): void {
    if (!this.#hasWarned) {
      this.#hasWarned = true;
      this.#logger.log('warn', `The list of running processes could not be saved: ${reason}`);
    }
  }
}
