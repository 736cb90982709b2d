import { afterTimeout, type After } from '../../base/time/clock.ts';
import path from 'node:path';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { FolderDisk, FolderState } from './folderDisk.ts';

/** Milliseconds between two looks at a folder without an event: the system reports no mount that goes. */
const POLL_MS = 30_000;
/** Milliseconds for which what is heard of a folder is gathered. */
const SETTLE_MS = 100;

/** Milliseconds for which a look at a folder that is not watched says something about it. */
const FRESH_MS = 1_000;

/**
 * What is known of folders, and that it stays true of those that are watched (2025-11-25, client/roots:
 * clients SHOULD monitor the accessibility of roots): by their parents, each watched once and not below,
 * and by a look now and then.
 */
export class FolderWatch implements Disposable {
  readonly #onDidChange = new Emitter<void>();
  /** A look has found something else than the last one. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #disk: FolderDisk;
  readonly #after: After;
  readonly #looks = new Map<string, { readonly look: FolderState; readonly at: number }>();
  readonly #looking = new Map<string, Promise<void>>();
  readonly #parents = new Map<string, Disposable>();
  readonly #heard = new Map<string, Disposable>();
  #watched: ReadonlySet<string> = new Set();
  #poll: Disposable | undefined;
  #isDisposed = false;

  constructor(disk: FolderDisk, after: After = afterTimeout) {
    this.#disk = disk;
    this.#after = after;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.watch([]);
    this.#onDidChange.dispose();
  }

  /** What the last look has found; undefined before the first, and when nobody needs it any longer. */
  lookOf(folder: string): FolderState | undefined {
    return this.#looks.get(folder)?.look;
  }

  /** How many folders of the disk are watched: the parents. */
  get watchedParents(): readonly string[] {
    return [...this.#parents.keys()];
  }

  /** Watches exactly these folders; what is new among them is looked at. */
  watch(folders: Iterable<string>): void {
    const before = this.#watched;
    this.#watched = new Set(folders);
    for (const folder of before) {
      if (!this.#watched.has(folder)) {
        this.#looks.delete(folder);
        this.#heard.get(folder)?.dispose();
        this.#heard.delete(folder);
      }
    }
    this.#watchParents();
    if (this.#watched.size === 0) {
      this.#poll?.dispose();
      this.#poll = undefined;
    } else {
      this.#poll ??= this.#after(POLL_MS, () => this.#polled());
    }
    const added = [...this.#watched].filter((folder) => !before.has(folder));
    const old = performance.now() - FRESH_MS;
    for (const folder of added.filter((one) => (this.#looks.get(one)?.at ?? 0) < old)) {
      this.#looks.delete(folder);
    }
    void this.look(added);
  }

  /** Looks now. */
  async look(folders: readonly string[]): Promise<void> {
    await Promise.all(folders.map((folder) => this.#look(folder)));
  }

  /** A look that has begun may have seen what was before: a later caller waits for the next. */
  async #look(folder: string): Promise<void> {
    const running = this.#looking.get(folder);
    if (running) {
      await running;
      return this.#looking.get(folder) ?? this.#lookAgain(folder);
    }
    return this.#lookAgain(folder);
  }

  #lookAgain(folder: string): Promise<void> {
    const looking = this.#disk.look(folder).then((look) => {
      this.#looking.delete(folder);
      if (this.#isDisposed) {
        return;
      }
      const before = this.lookOf(folder);
      this.#looks.set(folder, { look, at: performance.now() });
      if (JSON.stringify(look) !== JSON.stringify(before)) {
        this.#onDidChange.fire();
      }
    });
    this.#looking.set(folder, looking);
    return looking;
  }

  #watchParents(): void {
    const wanted = new Set([...this.#watched].map((folder) => path.dirname(folder)));
    for (const [parent, watcher] of this.#parents) {
      if (!wanted.has(parent)) {
        watcher.dispose();
        this.#parents.delete(parent);
      }
    }
    for (const parent of wanted) {
      if (!this.#parents.has(parent)) {
        this.#watchParent(parent);
      }
    }
  }

  #watchParent(parent: string): void {
    const store = new DisposableStore();
    const ended = (): void => {
      store.dispose();
      this.#parents.delete(parent);
    };
    try {
      store.add(this.#disk.watch(parent, (name) => this.#heardOf(parent, name), ended));
      this.#parents.set(parent, store);
    } catch {
      // It is not there, or the system no longer watches it: the next poll tries again.
    }
  }

  #heardOf(parent: string, name: string | undefined): void {
    // A folder that is gone is heard of under its own name, which may be that of an entry, too.
    // Without case: on Windows and macOS, the name that is heard may be written otherwise than in the path.
    const heard = name?.toLowerCase();
    const own = path.basename(parent).toLowerCase();
    for (const folder of this.#watched) {
      const isMeant = heard === undefined || heard === own || heard === path.basename(folder).toLowerCase();
      if (isMeant && path.dirname(folder) === parent && !this.#heard.has(folder)) {
        const later = this.#after(SETTLE_MS, () => {
          this.#heard.delete(folder);
          void this.look([folder]);
        });
        this.#heard.set(folder, later);
      }
    }
  }

  #polled(): void {
    this.#poll = this.#after(POLL_MS, () => this.#polled());
    // A parent that went and came back is another folder: what watched it gets none of its events.
    this.#parents.forEach((watcher) => watcher.dispose());
    this.#parents.clear();
    this.#watchParents();
    void this.look([...this.#watched]);
  }
}
