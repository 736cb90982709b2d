import { RecordFolder } from '../../base/files/recordFolder.ts';
import { jsonFormat } from '../../base/files/recordFormat.ts';
import { sha256 } from '../../base/text/sha256.ts';
import { isRecord, type UnknownRecord } from '../../base/values/record.ts';
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

const format = jsonFormat<StoredEra>(readEra);

/**
 * The eras of servers that are slow to answer the probe (2026-07-28, basic/versioning: clients SHOULD cache the era),
 * and how processes end that do not answer: a record for each launch, by its fingerprint. Windows share the folder. What
 * cannot be read or written is not cached.
 */
export class EraStore {
  readonly #records: RecordFolder;
  readonly #now: () => number;

  constructor(folder: string, now: () => number = Date.now) {
    this.#records = new RecordFolder(folder);
    this.#now = now;
  }

  /** The cache for one launch; its fingerprint is read when it is used. */
  of(launch: () => string | undefined): EraCache {
    const name = (): string => `${sha256(launch() ?? '')}.json`;
    return {
      get: () => {
        const stored = this.#get(name());
        return Promise.resolve(stored && { era: stored.era, ends: stored.ends });
      },
      set: (found) => this.#records.inTurn(() => this.#set(name(), found)).catch(() => {}),
    };
  }

  async #set(name: string, { era, ends }: CachedEra = {}): Promise<void> {
    if (era === undefined && ends === undefined) {
      await this.#records.delete(name);
      return;
    }
    for (const stored of this.#records.namesIfChanged()?.keys() ?? []) {
      if (!this.#get(stored)) {
        await this.#records.delete(stored);
      }
    }
    await this.#records.put(name, { era, ends, at: this.#now() }, format);
  }

  /** Undefined if it is too old or not valid. */
  #get(name: string): StoredEra | undefined {
    const found = this.#records.get(name, format);
    const age = found.kind === 'value' ? this.#now() - found.value.at : -1;
    return found.kind === 'value' && age >= 0 && age < KEPT_MS ? found.value : undefined;
  }
}

function readEra({ era: stored, ends: seen, at }: UnknownRecord): StoredEra | undefined {
  const era = stored === 'legacy' || stored === 'modern' ? stored : undefined;
  const ends = isEnds(seen) ? seen : undefined;
  return (era ?? ends) !== undefined && typeof at === 'number' ? { era, ends, at } : undefined;
}

function isEnds(value: unknown): value is NonNullable<CachedEra['ends']> {
  return isRecord(value) && typeof value['probed'] === 'string' && typeof value['initialized'] === 'string';
}
