import { keyOf } from './liveResources.ts';
import type { ResourceAddress } from './resourceAddress.ts';

/** What a resource was made of. */
export interface SeenContents {
  readonly contents: readonly { readonly bytes: Uint8Array }[];
}

interface Seen<S> {
  readonly snapshot: S;
  /** Whether it is something else than the present. */
  readonly differs: boolean;
  /** Nobody has looked since the change that this is from before. */
  readonly isUnseen: boolean;
}

/**
 * What the person last saw of each resource that is shown: its content before the changes that came while
 * they looked away or, if they were looking, before the last one.
 */
export class LastSeen<S extends SeenContents> {
  readonly #limit: number;
  readonly #seen = new Map<string, Seen<S>>();

  /** @param limit - bytes of all that is kept; what changed longest ago is given up first. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Undefined where nothing has changed, or what there was is not kept any more. */
  of(address: ResourceAddress): S | undefined {
    const seen = this.#seen.get(keyOf(address));
    return seen?.differs ? seen.snapshot : undefined;
  }

  changed(address: ResourceAddress, before: S, after: S, isLookedAt: boolean): void {
    const key = keyOf(address);
    const kept = this.#seen.get(key);
    const snapshot = kept?.isUnseen ? kept.snapshot : before;
    this.#seen.delete(key);
    this.#seen.set(key, { snapshot, differs: !areEqual(snapshot, after), isUnseen: !isLookedAt });
    this.#trim();
  }

  /** Call when the resource comes before the person. */
  lookedAt(address: ResourceAddress): void {
    const key = keyOf(address);
    const seen = this.#seen.get(key);
    if (seen) {
      this.#seen.set(key, { ...seen, isUnseen: false });
    }
  }

  /** Forgets what is shown no more. */
  keep(shown: readonly ResourceAddress[]): void {
    const keys = new Set(shown.map(keyOf));
    [...this.#seen.keys()].filter((key) => !keys.has(key)).forEach((key) => this.#seen.delete(key));
  }

  #trim(): void {
    let bytes = 0;
    // The newest are at the end.
    for (const [key, { snapshot }] of [...this.#seen].toReversed()) {
      const size = sizeOf(snapshot);
      if (bytes + size > this.#limit) {
        this.#seen.delete(key);
      } else {
        bytes += size;
      }
    }
  }
}

function sizeOf({ contents }: SeenContents): number {
  return contents.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

function areEqual(one: SeenContents, other: SeenContents): boolean {
  return (
    one.contents.length === other.contents.length &&
    one.contents.every(({ bytes }, index) => {
      const others = other.contents[index]?.bytes;
      return others !== undefined && Buffer.compare(bytes, others) === 0;
    })
  );
}
