import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '../../base/atomicFile.ts';
import type { Logger } from '../../base/logger.ts';
import { messageOf } from '../errors/hostError.ts';
import type { GroupKeeper } from './groupKeeper.ts';
import { recordText, type GroupRecord } from './groupRecord.ts';
import type { KnownProcess } from './processTable.ts';

/**
 * The file in which this host keeps its groups, for the sweep of a later one; see `sweepGroups`. It is there while
 * there is a group.
 */
export class GroupFile implements GroupKeeper {
  readonly #path: string;
  readonly #owner: Omit<GroupRecord, 'groups'>;
  readonly #logger: Logger;
  readonly #groups = new Set<KnownProcess>();
  #isWritten = true;
  #writing: Promise<void> | undefined;
  #hasWarned = false;

  constructor(folder: string, owner: Omit<GroupRecord, 'groups'>, logger: Logger) {
    this.#path = path.join(folder, `${owner.host.pid}-${randomUUID()}.json`);
    this.#owner = owner;
    this.#logger = logger;
  }

  begun(group: KnownProcess): void {
    this.#groups.add(group);
    this.#write();
  }

  gone(group: KnownProcess): void {
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

  /** Until what is on the disk is what is known. */
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

  async #replace(groups: readonly KnownProcess[]): Promise<void> {
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
      this.#logger.log('warn', `Which processes run could not be written down: ${reason}`);
    }
  }
}
