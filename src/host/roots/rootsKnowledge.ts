import { afterTimeout, type After } from '../../base/time/clock.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import { isSameRoots, type SharedRoot } from '../folders/sharedRoot.ts';

/** Milliseconds in which a server that is notified of a change lists again, if it ever does. */
const LIST_AGAIN_MS = 5_000;

/**
 * What one server knows of its roots since its start. It is notified of what it may see, and not forced to
 * forget: one that does not list again, or keeps its last folder when it gets none, may still use
 * what was withdrawn.
 */
export class RootsKnowledge implements Disposable {
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  readonly #current: () => readonly SharedRoot[];
  readonly #after: After;
  #hasAsked = false;
  #lastListed: readonly SharedRoot[] | undefined;
  /** What it listed last, apart from empty lists. */
  #listed: readonly SharedRoot[] = [];
  #mayStillUse: readonly SharedRoot[] = [];
  #patience: Disposable | undefined;

  constructor(current: () => readonly SharedRoot[], after: After = afterTimeout) {
    this.#current = current;
    this.#after = after;
  }

  /** Whether it has asked for roots since its start: nothing that is decided guides one that never does. */
  get hasAsked(): boolean {
    return this.#hasAsked;
  }

  /** What it was answered last; undefined before it has asked. */
  get lastListed(): readonly SharedRoot[] | undefined {
    return this.#lastListed;
  }

  /** What it has listed, was withdrawn, and may still be used until it restarts or lists again. */
  get mayStillUse(): readonly SharedRoot[] {
    return this.#mayStillUse;
  }

  /** Call when its request for roots was answered. */
  listed(roots: readonly SharedRoot[]): void {
    const isNews = !this.#lastListed || !isSameRoots(this.#lastListed, roots);
    this.#hasAsked = true;
    this.#lastListed = roots;
    this.#waitNoMore();
    if (roots.length > 0) {
      this.#listed = roots;
    }
    // Without any folder, a server may keep what it had: server-filesystem does.
    this.#set(roots.length > 0 ? [] : this.#listed, isNews);
  }

  /** Call when the workspace's folders, or what is shared of them, may have changed. */
  changed(): void {
    const current = this.#current();
    const withdrawn = this.#withdrawnFrom(current);
    if (withdrawn.length === 0 || current.length === 0) {
      this.#waitNoMore();
      this.#set(withdrawn);
      return;
    }
    this.#set(this.#mayStillUse.filter((root) => withdrawn.includes(root)));
    if (this.#mayStillUse.length < withdrawn.length) {
      this.#patience ??= this.#after(LIST_AGAIN_MS, () => {
        this.#waitNoMore();
        this.#set(this.#withdrawnFrom(this.#current()));
      });
    }
  }

  /** Call when the server has ended: the next one knows nothing. */
  ended(): void {
    const hadAsked = this.#hasAsked;
    this.#hasAsked = false;
    this.#lastListed = undefined;
    this.#listed = [];
    this.#waitNoMore();
    this.#set([], hadAsked);
  }

  dispose(): void {
    this.#waitNoMore();
    this.#onDidChange.dispose();
  }

  #withdrawnFrom(current: readonly SharedRoot[]): readonly SharedRoot[] {
    return this.#listed.filter(({ uri }) => !current.some((root) => root.uri === uri));
  }

  #waitNoMore(): void {
    this.#patience?.dispose();
    this.#patience = undefined;
  }

  #set(mayStillUse: readonly SharedRoot[], isChange = false): void {
    const before = this.#mayStillUse;
    this.#mayStillUse = mayStillUse;
    if (
      isChange ||
      mayStillUse.length !== before.length ||
      mayStillUse.some((root) => !before.includes(root))
    ) {
      this.#onDidChange.fire();
    }
  }
}
