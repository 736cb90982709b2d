import { resourceKey, type ResourceAddress } from './resourceAddress.ts';
import { areSameContents, sizeOf } from './resourceContents.ts';
import type { ResourceSnapshot } from './resourceReader.ts';

type Snapshot = Pick<ResourceSnapshot, 'contents'>;

interface Seen {
  readonly snapshot: Snapshot;
  /** Whether it differs from the present content. */
  readonly differs: boolean;
  /** You have not looked since the change that came after this content. */
  readonly isUnseen: boolean;
}

/**
 * What you last saw of each resource that is shown: its content before the changes that came while
 * it was hidden or, if it was visible, before the last change.
 */
export class LastSeen {
  readonly #limit: number;
  readonly #seen = new Map<string, Seen>();

  /** @param limit - bytes of everything that is kept; what changed longest ago is dropped first. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Undefined if nothing has changed, or the former content is no longer kept. */
  of(address: ResourceAddress): Snapshot | undefined {
    const seen = this.#seen.get(resourceKey(address));
    return seen?.differs ? seen.snapshot : undefined;
  }

  /** Takes a change; `after` is undefined when the resource is gone, `before` when it is new or back. */
  changed(
    address: ResourceAddress,
    before: Snapshot | undefined,
    after: Snapshot | undefined,
    isLookedAt: boolean,
  ): void {
    const key = resourceKey(address);
    const kept = this.#seen.get(key);
    const snapshot = kept && (kept.isUnseen || !before) ? kept.snapshot : before;
    if (snapshot) {
      const differs = after !== undefined && !areSameContents(snapshot.contents, after.contents);
      this.#seen.delete(key);
      this.#seen.set(key, { snapshot, differs, isUnseen: !isLookedAt });
      this.#trim();
    }
  }

  /** Call when the resource becomes visible. */
  lookedAt(address: ResourceAddress): void {
    const key = resourceKey(address);
    const seen = this.#seen.get(key);
    if (seen) {
      this.#seen.set(key, { ...seen, isUnseen: false });
    }
  }

  /** Forgets what is no longer shown. */
  keep(shown: readonly ResourceAddress[]): void {
    const keys = new Set(shown.map(resourceKey));
    [...this.#seen.keys()].filter((key) => !keys.has(key)).forEach((key) => this.#seen.delete(key));
  }

  #trim(): void {
    let bytes = 0;
    // The newest are at the end.
    for (const [key, { snapshot }] of [...this.#seen].toReversed()) {
      const size = sizeOf(snapshot.contents);
      if (bytes + size > this.#limit) {
        this.#seen.delete(key);
      } else {
        bytes += size;
      }
    }
  }
}
