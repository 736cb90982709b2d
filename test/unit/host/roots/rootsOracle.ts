import type { WorkspaceFolder } from '../../../../src/host/folders/sharedRoot.ts';

/** What a definition of the user's own says while the user has said nothing. */
export type Beforehand = 'all' | 'none' | undefined;

/**
 * What one server must see, by the rules alone: written without a look at how the host keeps them, as
 * sets that only grow or lose what was taken away.
 */
export class OracleServer {
  readonly #beforehand: Beforehand;
  /** Every folder about which something was decided. */
  readonly #known = new Set<string>();
  readonly #chosen = new Set<string>();
  #isForLater = false;

  constructor(beforehand: Beforehand) {
    this.#beforehand = beforehand;
  }

  /** The launch was allowed with these of the folders. */
  answered(present: readonly WorkspaceFolder[], chosen: readonly WorkspaceFolder[]): void {
    present.forEach(({ uri }) => this.#known.add(uri));
    chosen.forEach(({ uri }) => this.#chosen.add(uri));
    this.#isForLater = present.length === chosen.length;
  }

  /** The workspace has these folders now. */
  workspaceIs(present: readonly WorkspaceFolder[]): void {
    if (this.#isForLater && this.#isPersons(present)) {
      for (const { uri } of present) {
        this.#known.add(uri);
        this.#chosen.add(uri);
      }
    }
  }

  toggled(present: readonly WorkspaceFolder[], toggled: WorkspaceFolder): void {
    const isShared = this.isChosen(present, toggled);
    const isForLater = this.#isPersons(present) ? this.#isForLater : this.#beforehand === 'all';
    const chosen = present.filter((folder) => this.isChosen(present, folder));
    present.forEach(({ uri }) => this.#known.add(uri));
    chosen.forEach(({ uri }) => this.#chosen.add(uri));
    if (isShared) {
      this.#chosen.delete(toggled.uri);
    } else {
      this.#chosen.add(toggled.uri);
    }
    this.#isForLater = isForLater && this.#chosen.size === this.#known.size;
  }

  isChosen(present: readonly WorkspaceFolder[], { uri }: WorkspaceFolder): boolean {
    return this.#isPersons(present) ? this.#chosen.has(uri) : this.#beforehand === 'all';
  }

  sees(present: readonly WorkspaceFolder[], gone: ReadonlySet<string>): readonly WorkspaceFolder[] {
    return present.filter((folder) => this.isChosen(present, folder) && !gone.has(folder.uri));
  }

  #isPersons(present: readonly WorkspaceFolder[]): boolean {
    return present.some(({ uri }) => this.#known.has(uri));
  }
}

/** The same numbers below 1 in each run. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
