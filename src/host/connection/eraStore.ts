import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '../../base/files/atomicFile.ts';
import { isRecord } from '../../base/values/record.ts';
import { sha256 } from '../../base/text/sha256.ts';
import type { ProtocolEra } from '../state/connectionState.ts';

/** Milliseconds after which a server is probed again: it may have been updated to the newer era. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** What earlier starts of the same launch have found out. */
export interface EraCache {
  get(): Promise<CachedEra | undefined>;
  /** Undefined removes what turned out to be wrong. Never rejects. */
  set(era: CachedEra | undefined): Promise<void>;
}

export interface CachedEra {
  readonly era?: ProtocolEra | undefined;
  /** How the process ended with and without the probe, by `WayEnd.mark`. If alike, one try is enough next time. */
  readonly ends?: { readonly probed: string; readonly initialized: string } | undefined;
}

interface StoredEra extends CachedEra {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * The eras of servers that are slow to answer the probe (2026-07-28, basic/versioning: clients SHOULD cache the era),
 * and how processes end that do not answer: a file for each launch, by its fingerprint. Windows share the folder. What
 * cannot be read or written is not cached.
 */
export class EraStore {
  readonly #folder: string;
  readonly #now: () => number;

  constructor(folder: string, now: () => number = Date.now) {
    this.#folder = folder;
    this.#now = now;
  }

  /** The cache for one launch; its fingerprint is read when it is used. */
  of(launch: () => string | undefined): EraCache {
    return {
      get: async () => {
        const { era, ends } = (await this.#read(this.#fileOf(launch()))) ?? {};
        return era === undefined && ends === undefined ? undefined : { era, ends };
      },
      set: (found) => this.#write(this.#fileOf(launch()), found).catch(() => {}),
    };
  }

  #fileOf(launch: string | undefined): string {
    return path.join(this.#folder, `${sha256(launch ?? '')}.json`);
  }

  async #write(file: string, { era, ends }: CachedEra = {}): Promise<void> {
    if (era === undefined && ends === undefined) {
      await rm(file, { force: true });
      return;
    }
    await this.#removeOld();
    await replaceFile(file, JSON.stringify({ era, ends, at: this.#now() } satisfies StoredEra));
  }

  async #removeOld(): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const file = path.join(this.#folder, name);
      if (name.endsWith('.json') && !(await this.#read(file))) {
        await rm(file, { force: true });
      }
    }
  }

  /** Undefined if it is too old or not valid. */
  async #read(file: string): Promise<StoredEra | undefined> {
    const value: unknown = await readFile(file, 'utf8')
      .then(JSON.parse)
      .catch(() => {});
    if (!isRecord(value)) {
      return undefined;
    }
    const { era: stored, ends: seen, at } = value;
    const era = stored === 'legacy' || stored === 'modern' ? stored : undefined;
    const ends = isEnds(seen) ? seen : undefined;
    const age = typeof at === 'number' ? this.#now() - at : Infinity;
    return (era ?? ends) !== undefined && age >= 0 && age < KEPT_MS
      ? { era, ends, at: Number(at) }
      : undefined;
  }
}

function isEnds(value: unknown): value is NonNullable<CachedEra['ends']> {
  return isRecord(value) && typeof value['probed'] === 'string' && typeof value['initialized'] === 'string';
}
