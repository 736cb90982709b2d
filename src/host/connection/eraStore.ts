import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '../../base/atomicFile.ts';
import { isRecord } from '../../base/record.ts';
import { sha256 } from '../../base/sha256.ts';
import type { KnownEra, Learnt } from './waysToConnect.ts';

/** Milliseconds after which a server is asked anew: it may have learnt the newer era meanwhile. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

interface Verdict extends Learnt {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Which era servers speak that are slow to tell (2026-07-28, basic/versioning: clients SHOULD cache the era), and
 * which end whatever they are asked: a file for each launch, by its fingerprint. Windows share the folder. It is a convenience: what cannot be read or
 * written is as good as not known.
 */
export class EraStore {
  readonly #folder: string;
  readonly #now: () => number;

  constructor(folder: string, now: () => number = Date.now) {
    this.#folder = folder;
    this.#now = now;
  }

  /** What is known of one launch, whose fingerprint is taken at the moment of use. */
  of(launch: () => string | undefined): KnownEra {
    return {
      get: async () => {
        const { era, ends } = (await this.#read(this.#fileOf(launch()))) ?? {};
        return era === undefined && ends === undefined ? undefined : { era, ends };
      },
      set: (learnt) => this.#write(this.#fileOf(launch()), learnt).catch(() => {}),
    };
  }

  #fileOf(launch: string | undefined): string {
    return path.join(this.#folder, `${sha256(launch ?? '')}.json`);
  }

  async #write(file: string, { era, ends }: Learnt = {}): Promise<void> {
    if (era === undefined && ends === undefined) {
      await rm(file, { force: true });
      return;
    }
    await this.#removeOld();
    await replaceFile(file, JSON.stringify({ era, ends, at: this.#now() } satisfies Verdict));
  }

  async #removeOld(): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const file = path.join(this.#folder, name);
      if (name.endsWith('.json') && !(await this.#read(file))) {
        await rm(file, { force: true });
      }
    }
  }

  /** Undefined for what is too old, or is no verdict. */
  async #read(file: string): Promise<Verdict | undefined> {
    const value: unknown = await readFile(file, 'utf8')
      .then(JSON.parse)
      .catch(() => {});
    if (!isRecord(value)) {
      return undefined;
    }
    const { era: found, ends: seen, at } = value;
    const era = found === 'legacy' || found === 'modern' ? found : undefined;
    const ends = isEnds(seen) ? seen : undefined;
    const age = typeof at === 'number' ? this.#now() - at : Infinity;
    return (era ?? ends) !== undefined && age >= 0 && age < KEPT_MS
      ? { era, ends, at: Number(at) }
      : undefined;
  }
}

function isEnds(value: unknown): value is NonNullable<Learnt['ends']> {
  return isRecord(value) && typeof value['probed'] === 'string' && typeof value['initialized'] === 'string';
}
