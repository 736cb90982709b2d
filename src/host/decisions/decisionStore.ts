import { randomUUID } from 'node:crypto';
import { RecordFolder } from '../../base/files/recordFolder.ts';
import type { Found, RecordFormat } from '../../base/files/recordFormat.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import { rememberingSha256 } from '../../base/text/sha256.ts';
import { Gathered } from '../../base/time/gathered.ts';
import { TurnMemory } from '../../base/time/turnMemory.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { Decision, DecisionKind, DecisionWords, KeptDecision, KeyParts } from './decision.ts';
import { entryFormat, type Entry } from './decisionEntry.ts';

const ENDING = '.json';
/** Of a key's hash, in the name of each of its entries. */
const PREFIX_CHARACTERS = 32;
/** Milliseconds in which changes that are watched are gathered. */
const WATCH_DELAY_MS = 20;

const none: readonly never[] = [];

/** An entry, which is never written again under its name, only replaced by another one. */
interface File {
  /** Another name than the entry's if it was set aside. */
  readonly file: string;
  readonly found: Found<Entry>;
}

/**
 * Everything that you decided: each decision in a file of its own, which is complete from the moment it has its name.
 * Windows share the folder. A decision replaces those that were known when it was made; where two remain, the denial
 * counts. What cannot be read counts as undecided.
 */
export class DecisionStore implements Disposable {
  readonly #onDidChange = new Emitter<void>();
  /** A decision has been made, here or in another window, or taken back. */
  readonly onDidChange = this.#onDidChange.event;
  /** The remote that this window works on: what is decided there holds there. */
  readonly remoteName: string | undefined;
  readonly #kinds: ReadonlyMap<string, DecisionKind>;
  readonly #folder: RecordFolder;
  readonly #format: RecordFormat<Entry>;
  /** The keys that a request has read again in this turn. */
  readonly #seen = new TurnMemory<Set<string>>();
  readonly #hash = rememberingSha256();
  /** By the name of an entry without its ending. */
  readonly #files = new Map<string, File>();
  /** The files of each key, by the beginning of their names; made when it is asked for. */
  #byPrefix: ReadonlyMap<string, readonly (readonly [string, File])[]> | undefined;
  /** What counts, by kind; made when it is asked for. */
  #byKind: ReadonlyMap<string, readonly KeptDecision[]> | undefined;
  /** Another window may decide about many servers at once: each change of the folder leads to a listing of it. */
  readonly #watched = new Gathered(WATCH_DELAY_MS, () => this.refresh());
  #isTelling = false;

  constructor(kinds: readonly DecisionKind[], folder: string, remoteName?: string) {
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.#folder = new RecordFolder(folder);
    this.#format = entryFormat(
      (kind) => this.#kinds.get(kind),
      (name, key) => name.startsWith(this.#prefixOf(key)),
    );
    this.remoteName = remoteName;
    // Where nothing can be written nothing is decided: the first `put` says why.
    this.#folder.watch(() => this.#watched.soon());
    this.#read();
  }

  /** The key of a decision: a later one with the same key replaces it. */
  keyOf(kind: DecisionKind, id: ServerId, ...parts: KeyParts): string {
    return `${kind.name} ${this.#hash(JSON.stringify([this.remoteName ?? null, id, ...parts]))}`;
  }

  /** The key that a decision has by its content. */
  keyOfDecision(decision: Decision): string {
    const kind = this.#kindOf(decision);
    return this.keyOf(kind, decision.serverId, ...(kind.keyParts?.(decision) ?? []));
  }

  isDenial(decision: Decision): boolean {
    return this.#kindOf(decision).isDenial?.(decision) === true;
  }

  /** Undefined for what is kept beside your decisions, which nobody takes back. */
  wordsOf(decision: Decision): DecisionWords | undefined {
    return this.#kindOf(decision).words;
  }

  /** What counts now, one decision for each key, the latest first. */
  all(): readonly KeptDecision[] {
    return this.#find(() => true);
  }

  /** As `all`, of one kind; the same list until something changes. */
  allOf<D extends Decision>(kind: DecisionKind<D>): readonly KeptDecision<D>[] {
    this.#byKind ??= Map.groupBy(this.all(), (one) => one.kind);
    // Each was checked by its kind when it was read, see `isOf`.
    return (this.#byKind.get(kind.name) ?? none) as readonly KeptDecision<D>[];
  }

  /** As `all`, about one server. */
  allAbout(id: ServerId): readonly KeptDecision[] {
    return this.#find(({ serverId }) => serverId === id);
  }

  /** As `get`, of one kind. */
  getOf<D extends Decision>(kind: DecisionKind<D>, key: string): KeptDecision<D> | undefined {
    const decision = this.get(key);
    return decision && isOf(kind, decision) ? decision : undefined;
  }

  #kindOf({ kind }: Decision): DecisionKind {
    const found = this.#kinds.get(kind);
    if (!found) {
      throw new Error(`There is no kind of decision '${kind}'.`);
    }
    return found;
  }

  #find(isMeant: (decision: Decision) => boolean): readonly KeptDecision[] {
    const keys = new Set<string>();
    for (const { found } of this.#files.values()) {
      if (found.kind === 'value' && isMeant(found.value.decision)) {
        keys.add(found.value.decision.key);
      }
    }
    return [...keys].flatMap((key) => this.get(key) ?? []).sort((a, b) => b.at - a.at);
  }

  /** The decision of a key, from memory; see `refresh`. */
  get(key: string): KeptDecision | undefined {
    const files = this.#filesOf(key);
    const replaced = new Set(
      files.flatMap(([, { found }]) => (found.kind === 'value' ? found.value.over : [])),
    );
    let counting: KeptDecision | undefined;
    for (const [id, { found }] of files) {
      if (replaced.has(id)) {
        continue;
      }
      // It may be a denial.
      if (found.kind !== 'value') {
        return undefined;
      }
      const { decision } = found.value;
      if (decision.key === key && (!counting || this.#comesBefore(decision, counting))) {
        counting = { ...decision, id };
      }
    }
    return counting;
  }

  /** True when something was decided under a key that cannot be read: it may be a denial. */
  isUnreadable(key: string): boolean {
    return this.#filesOf(key).some(([, { found }]) => found.kind !== 'value');
  }

  /** Reads what other windows have written, at once; of these keys also what is known already. */
  refresh(...keys: readonly string[]): void {
    if (this.#read(...keys)) {
      this.#tellSoon();
    }
  }

  /**
   * As `refresh`, once for a request as long as this process handles no other event: what it reads in between is what it
   * has read. Each request looks at the folder itself, and again after it has waited.
   */
  refreshFor(request: object, ...keys: readonly string[]): void {
    const seen = this.#seen.get(request);
    if (!seen) {
      this.#seen.set(request, new Set(keys));
      this.refresh(...keys);
      return;
    }
    const unseen = keys.filter((key) => !seen.has(key));
    unseen.forEach((key) => seen.add(key));
    if (this.#renewKeys(unseen)) {
      this.#tellSoon();
    }
  }

  /**
   * Keeps a decision: on the disk when this is resolved.
   *
   * @param isStillMeant Asked at the very moment at which it takes the place of what is known; without it, it is.
   * @throws what the file system says when it cannot be kept.
   */
  put(decision: Decision, isStillMeant: () => boolean = () => true): Promise<void> {
    return this.#folder.inTurn(async () => {
      if (!isStillMeant()) {
        return;
      }
      const replaced = this.#filesOf(decision.key).map(([id]) => id);
      const entry: Entry = { over: replaced, decision };
      const id = `${this.#prefixOf(decision.key)}-${randomUUID()}`;
      await this.#folder.put(id + ENDING, entry, this.#format);
      this.#setFile(id, { file: id + ENDING, found: { kind: 'value', value: entry } });
      for (const old of replaced) {
        // What this version cannot read is left where it is.
        if (this.#files.get(old)?.found.kind === 'value') {
          await this.#remove(old);
        }
      }
      this.#tellSoon();
    });
  }

  /** Takes a decision back, with all of its key, or an older answer would count again: it will be asked again. */
  forget(id: string): Promise<void> {
    return this.#folder.inTurn(async () => {
      const found = this.#files.get(id)?.found;
      if (found?.kind === 'value') {
        const { key } = found.value.decision;
        this.#read(key);
        await this.#removeEntries(this.#filesOf(key));
      }
    });
  }

  /** Takes back all decisions, also those that no longer counted. */
  forgetAll(): Promise<void> {
    return this.#folder.inTurn(async () => {
      this.#read();
      await this.#removeEntries([...this.#files]);
    });
  }

  dispose(): void {
    this.#folder.dispose();
    this.#watched.dispose();
    this.#onDidChange.dispose();
  }

  /** Permissions first: if this is cut short, none counts again. */
  async #removeEntries(files: readonly (readonly [string, File])[]): Promise<void> {
    const entries = files.flatMap(([id, { found }]) =>
      found.kind === 'value' ? [{ id, isDenial: this.isDenial(found.value.decision) }] : [],
    );
    for (const { id } of entries.sort((a, b) => Number(a.isDenial) - Number(b.isDenial))) {
      await this.#remove(id);
    }
    this.#tellSoon();
  }

  async #remove(id: string): Promise<void> {
    await this.#folder.delete(id + ENDING);
    this.#deleteFile(id);
  }

  /** True when something is different from what was known. The files of keys are read again whatever their names are. */
  #read(...keys: readonly string[]): boolean {
    const names = this.#folder.namesIfChanged();
    if (!names) {
      return this.#renewKeys(keys);
    }
    const asked = new Set(keys.flatMap((key) => this.#filesOf(key)).map(([id]) => id));
    const gone = [...this.#files.keys()].filter((id) => !names.has(id + ENDING));
    gone.forEach((id) => this.#deleteFile(id));
    const hasChanged = [...names].map(([name, file]) => {
      const id = name.slice(0, -ENDING.length);
      const isKnown = this.#files.get(id)?.file === file && !asked.has(id);
      return !isKnown && this.#renewFile(id, file);
    });
    return gone.length > 0 || hasChanged.includes(true);
  }

  #renewKeys(keys: readonly string[]): boolean {
    const files = keys.flatMap((key) => this.#filesOf(key));
    return files.map(([id, { file }]) => this.#renewFile(id, file)).includes(true);
  }

  /** Reads a file; true when it is different from what was known of it. */
  #renewFile(id: string, file: string): boolean {
    const before = this.#files.get(id);
    const found = this.#folder.get(id + ENDING, this.#format);
    if (found.kind === 'absent') {
      return this.#deleteFile(id);
    }
    const hasChanged = before?.file !== file || JSON.stringify(before.found) !== JSON.stringify(found);
    if (hasChanged) {
      this.#setFile(id, { file, found });
    }
    return hasChanged;
  }

  #setFile(id: string, file: File): void {
    this.#files.set(id, file);
    this.#forgetIndex();
  }

  #deleteFile(id: string): boolean {
    this.#forgetIndex();
    return this.#files.delete(id);
  }

  #forgetIndex(): void {
    this.#byPrefix = undefined;
    this.#byKind = undefined;
  }

  /** Begins the name of each entry of a key. */
  #prefixOf(key: string): string {
    return this.#hash(key).slice(0, PREFIX_CHARACTERS);
  }

  #filesOf(key: string): readonly (readonly [string, File])[] {
    this.#byPrefix ??= Map.groupBy(this.#files, ([id]) => id.slice(0, PREFIX_CHARACTERS));
    return this.#byPrefix.get(this.#prefixOf(key)) ?? [];
  }

  /** In a microtask, because the caller may be a listener that reads again. */
  #tellSoon(): void {
    if (!this.#isTelling) {
      this.#isTelling = true;
      queueMicrotask(() => {
        this.#isTelling = false;
        this.#onDidChange.fire();
      });
    }
  }

  /** A denial comes first; among equals what gives less, then the later one. */
  #comesBefore(decision: Decision, other: Decision): boolean {
    const [one, two] = [decision, other].map((each) => this.#kindOf(each).generosity?.(each) ?? 0);
    return one === two ? decision.at > other.at : Number(one) < Number(two);
  }
}

/** Whether a decision is of a kind: an entry was checked by its kind when it was read. */
export function isOf<D extends Decision>(
  { name }: DecisionKind<D>,
  decision: KeptDecision | Decision,
): decision is KeptDecision<D> {
  return decision.kind === name;
}
