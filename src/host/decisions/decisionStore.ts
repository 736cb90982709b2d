import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { removeLeftovers, replaceFile } from '../../base/files/atomicFile.ts';
import { FolderLook } from '../../base/files/folderLook.ts';
import { watchFolder } from '../../base/files/watchFolder.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { errorCodeOf } from '../../base/values/errorCode.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import { rememberingSha256 } from '../../base/text/sha256.ts';
import { Gathered } from '../../base/time/gathered.ts';
import { TurnMemory } from '../../base/time/turnMemory.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { Decision, DecisionKind, DecisionWords, KeptDecision, KeyParts } from './decision.ts';
import { entryText, readEntry, type Entry, type ReadEntry } from './decisionEntry.ts';

const ASIDE = '.unreadable';
/** Of a key's hash, in the name of each of its entries. */
const PREFIX_CHARACTERS = 32;
/** Milliseconds in which changes that are watched are gathered. */
const WATCH_DELAY_MS = 20;

const none: readonly never[] = [];

/** A file in the folder: never written again under its name, only replaced by another one. */
interface File {
  readonly name: string;
  readonly read: ReadEntry;
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
  readonly #folder: string;
  readonly #look: FolderLook;
  /** The keys that a request has read again in this turn. */
  readonly #seen = new TurnMemory<Set<string>>();
  readonly #hash = rememberingSha256();
  /** By the name of an entry without its endings. */
  readonly #files = new Map<string, File>();
  /** The files of each key, by the beginning of their names; made when it is asked for. */
  #byPrefix: ReadonlyMap<string, readonly (readonly [string, File])[]> | undefined;
  /** What counts, by kind; made when it is asked for. */
  #byKind: ReadonlyMap<string, readonly KeptDecision[]> | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  /** Another window may decide about many servers at once: each change of the folder leads to a listing of it. */
  readonly #watched = new Gathered(WATCH_DELAY_MS, () => this.refresh());
  readonly #watcher: Disposable | undefined;
  #isTelling = false;

  constructor(kinds: readonly DecisionKind[], folder: string, remoteName?: string) {
    this.#kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.#folder = folder;
    this.#look = new FolderLook(folder);
    this.remoteName = remoteName;
    // Where nothing can be written nothing is decided: the first `put` says why. Where watching fails, what other
    // windows decide is seen at the next `refresh`.
    this.#watcher = watchFolder(folder, () => this.#watched.soon());
    removeLeftovers(folder);
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
    for (const { read } of this.#files.values()) {
      if (read.kind === 'entry' && isMeant(read.entry.decision)) {
        keys.add(read.entry.decision.key);
      }
    }
    return [...keys].flatMap((key) => this.get(key) ?? []).sort((a, b) => b.at - a.at);
  }

  /** The decision of a key, from memory; see `refresh`. */
  get(key: string): KeptDecision | undefined {
    const files = this.#filesOf(key);
    const replaced = new Set(files.flatMap(([, { read }]) => (read.kind === 'entry' ? read.entry.over : [])));
    let found: KeptDecision | undefined;
    for (const [id, { read }] of files) {
      if (replaced.has(id)) {
        continue;
      }
      // It may be a denial.
      if (read.kind !== 'entry') {
        return undefined;
      }
      const { decision } = read.entry;
      if (decision.key === key && (!found || this.#comesBefore(decision, found))) {
        found = { ...decision, id };
      }
    }
    return found;
  }

  /** True when something was decided under a key that cannot be read: it may be a denial. */
  isUnreadable(key: string): boolean {
    return this.#filesOf(key).some(([, { read }]) => read.kind !== 'entry');
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
    if (this.#renewFiles(unseen)) {
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
    return this.#inTurn(async () => {
      if (!isStillMeant()) {
        return;
      }
      const replaced = this.#filesOf(decision.key).map(([id]) => id);
      const entry: Entry = { decision, over: replaced };
      const id = `${this.#prefixOf(decision.key)}-${randomUUID()}`;
      await replaceFile(this.#pathOf(`${id}.json`), entryText(entry), { isDurable: true });
      this.#setFile(id, { name: `${id}.json`, read: { kind: 'entry', entry } });
      for (const old of replaced) {
        // What this version cannot read is left where it is.
        if (this.#files.get(old)?.read.kind === 'entry') {
          await this.#remove(old);
        }
      }
      this.#tellSoon();
    });
  }

  /** Takes a decision back, with all of its key, or an older answer would count again: it will be asked again. */
  forget(id: string): Promise<void> {
    return this.#inTurn(async () => {
      const file = this.#files.get(id);
      if (file?.read.kind === 'entry') {
        const { key } = file.read.entry.decision;
        this.#read(key);
        await this.#removeEntries(this.#filesOf(key));
      }
    });
  }

  /** Takes back all decisions, also those that no longer counted. */
  forgetAll(): Promise<void> {
    return this.#inTurn(async () => {
      this.#read();
      await this.#removeEntries([...this.#files]);
    });
  }

  dispose(): void {
    this.#watcher?.dispose();
    this.#watched.dispose();
    this.#onDidChange.dispose();
  }

  /** Permissions first: if this is cut short, none counts again. */
  async #removeEntries(files: readonly (readonly [string, File])[]): Promise<void> {
    const entries = files.flatMap(([id, { read }]) =>
      read.kind === 'entry' ? [{ id, isDenial: this.isDenial(read.entry.decision) }] : [],
    );
    for (const { id } of entries.sort((a, b) => Number(a.isDenial) - Number(b.isDenial))) {
      await this.#remove(id);
    }
    this.#tellSoon();
  }

  /** One after the other, so that each knows what the one before has written. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#writing.then(work);
    this.#writing = done.catch(() => {});
    return done;
  }

  async #remove(id: string): Promise<void> {
    const file = this.#files.get(id);
    if (file) {
      await rm(this.#pathOf(file.name), { force: true });
      this.#deleteFile(id);
    }
  }

  /** True when something is different from what was known. The files of keys are read again whatever their names are. */
  #read(...keys: readonly string[]): boolean {
    if (!this.#look.mayHaveChanged()) {
      return this.#renewFiles(keys);
    }
    const read = new Set(keys.flatMap((key) => this.#filesOf(key)).map(([id]) => id));
    const seen = new Set<string>();
    let hasChanged = false;
    for (const name of this.#names()) {
      const id = idOf(name);
      if (id !== undefined) {
        seen.add(id);
        const isKnown = this.#files.get(id)?.name === name && !read.has(id);
        hasChanged = (!isKnown && this.#renewFile(id, name)) || hasChanged;
      }
    }
    for (const id of this.#files.keys()) {
      if (!seen.has(id)) {
        this.#deleteFile(id);
        hasChanged = true;
      }
    }
    return hasChanged;
  }

  #renewFiles(keys: readonly string[]): boolean {
    const files = keys.flatMap((key) => this.#filesOf(key));
    return files.map(([id, { name }]) => this.#renewFile(id, name)).includes(true);
  }

  /** Reads a file; true when it is different from what was known of it. */
  #renewFile(id: string, name: string): boolean {
    const known = this.#files.get(id);
    const file = this.#readFile(id, name);
    if (!file) {
      return this.#deleteFile(id);
    }
    const hasChanged = known?.name !== file.name || JSON.stringify(known.read) !== JSON.stringify(file.read);
    if (hasChanged) {
      this.#setFile(id, file);
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

  #names(): readonly string[] {
    try {
      return readdirSync(this.#folder);
    } catch {
      return [];
    }
  }

  /** Undefined when the file is gone. What cannot be read is kept aside under another name. */
  #readFile(id: string, name: string): File | undefined {
    if (name.endsWith(ASIDE)) {
      return { name, read: { kind: 'unreadable' } };
    }
    let read: ReadEntry;
    try {
      read = readEntry(readFileSync(this.#pathOf(name), 'utf8'), (kind) => this.#kinds.get(kind));
    } catch (error) {
      // Another program may hold it for a moment: it is read again at the gate, and not kept aside.
      return errorCodeOf(error) === 'ENOENT' ? undefined : { name, read: { kind: 'unreadable' } };
    }
    if (read.kind === 'entry' && !id.startsWith(this.#prefixOf(read.entry.decision.key))) {
      read = { kind: 'unreadable' };
    }
    if (read.kind !== 'unreadable') {
      return { name, read };
    }
    try {
      renameSync(this.#pathOf(name), this.#pathOf(`${name}${ASIDE}`));
      return { name: `${name}${ASIDE}`, read };
    } catch {
      return { name, read };
    }
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

  #pathOf(name: string): string {
    return path.join(this.#folder, name);
  }
}

/** Whether a decision is of a kind: an entry was checked by its kind when it was read. */
export function isOf<D extends Decision>(
  { name }: DecisionKind<D>,
  decision: KeptDecision | Decision,
): decision is KeptDecision<D> {
  return decision.kind === name;
}

function idOf(name: string): string | undefined {
  return /^(.+)\.json(?:\.unreadable)?$/.exec(name)?.[1];
}
