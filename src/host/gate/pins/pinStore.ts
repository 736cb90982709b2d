import { createReadStream, statSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile, retryWhileHeld, stampOf } from '../../../base/files/atomicFile.ts';
import { watchFolder } from '../../../base/files/watchFolder.ts';
import type { Disposable } from '../../../base/lifetime/disposable.ts';
import { errorCodeOf } from '../../../base/values/errorCode.ts';
import { Emitter } from '../../../base/lifetime/event.ts';
import type { ServerId } from '../../config/serverDefinition.ts';
import { FileLock } from '../../../base/files/fileLock.ts';
import { sha256 } from '../../../base/text/sha256.ts';
import { readPins, UnreadablePins, writePins } from './pinFile.ts';
import { noPins, type Pins } from './pins.ts';

/** The ending of a file that could not be read. */
const ASIDE = '.unreadable';

/** What pins are of. */
export interface PinSubject {
  readonly serverId: ServerId;
  /** The fingerprint of the launch. */
  readonly launch: string;
  /** Of the protocol. */
  readonly revision: string;
}

interface Known {
  /** Identifies this state of the file. */
  readonly stamp: string;
  readonly pins: Pins;
}

/**
 * What servers listed when they were approved: a file for each launch and revision, which is
 * complete as soon as it has its name. All windows share the folder.
 */
export class PinStore implements Disposable {
  readonly #onDidChange = new Emitter<void>();
  /** Another window may have pinned or accepted something. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #folder: string;
  readonly #remoteName: string | undefined;
  readonly #known = new Map<string, Known>();
  /** The state of each file that this store has written. */
  readonly #written = new Map<string, string>();
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #watcher: Disposable | undefined;
  #isDisposed = false;

  constructor(folder: string, remoteName?: string) {
    this.#folder = folder;
    this.#remoteName = remoteName;
    // Where watching fails, pins of other windows are seen at the next list.
    this.#watcher = watchFolder(folder, (name) => {
      if (name === null || (name.endsWith('.jsonl') && !this.#isOwn(name))) {
        this.#onDidChange.fire();
      }
    });
  }

  /**
   * What is pinned on the disk now; the same object as before when nothing changed.
   *
   * @throws what the file system says when it can't be read.
   */
  read(subject: PinSubject): Promise<Pins> {
    return this.#inTurn(this.#nameOf(subject), (name) => this.#read(name));
  }

  /**
   * Stores what `make` returns for what is pinned now, also by other windows. Nothing is written when
   * it returns the same object.
   *
   * @throws what the file system says when it can't be stored.
   */
  change(subject: PinSubject, make: (pins: Pins) => Pins): Promise<Pins> {
    return this.#inTurn(this.#nameOf(subject), async (name) => {
      const before = await this.#read(name);
      const made = make(before);
      if (made === before || this.#isDisposed) {
        return before;
      }
      return FileLock.during(this.#pathOf(`${name}.lock`), async () => {
        await this.#removeUnfinished(name);
        const latest = await this.#read(name);
        const pins = latest === before ? made : make(latest);
        if (pins !== latest) {
          await this.#write(name, pins);
        }
        return pins;
      });
    });
  }

  /** Copies the pins of a server's launch to the same launch under another identity. */
  async copy(from: ServerId, to: ServerId, launch: string): Promise<void> {
    const source = this.#launchOf({ serverId: from, launch });
    const target = this.#launchOf({ serverId: to, launch });
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names.filter((one) => one.startsWith(`${source}-`) && !one.endsWith('.tmp'))) {
      if (name.endsWith('.jsonl') || name.endsWith(ASIDE)) {
        const copied = target + name.slice(source.length);
        await this.#inTurn(copied, async () => {
          const content = createReadStream(this.#pathOf(name));
          await replaceFile(this.#pathOf(copied), (file) => file.writeFile(content));
          this.#known.delete(copied);
        });
      }
    }
  }

  /** What the same launch listed in other revisions. */
  async inOtherRevisions(subject: PinSubject): Promise<readonly Pins[]> {
    const own = this.#nameOf(subject);
    const launch = this.#launchOf(subject);
    const names = await readdir(this.#folder).catch(() => []);
    const others = names.filter((name) => name.startsWith(launch) && name.endsWith('.jsonl') && name !== own);
    return Promise.all(others.map((name) => this.#inTurn(name, () => this.#read(name))));
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#watcher?.dispose();
    this.#onDidChange.dispose();
  }

  /** Resolved when nothing is being read or written. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#turns.values());
  }

  #inTurn<T>(name: string, work: (name: string) => Promise<T>): Promise<T> {
    const done = Promise.resolve(this.#turns.get(name)).then(() => work(name));
    this.#turns.set(
      name,
      done.catch(() => {}),
    );
    return done;
  }

  async #read(name: string): Promise<Pins> {
    const file = this.#pathOf(name);
    const stats = await stat(file).catch(undefinedIfMissing);
    if (!stats) {
      this.#known.delete(name);
      return (await stat(`${file}${ASIDE}`).catch(undefinedIfMissing)) ? { ...noPins, isLost: true } : noPins;
    }
    const stamp = stampOf(stats);
    const known = this.#known.get(name);
    if (known?.stamp === stamp) {
      return known.pins;
    }
    try {
      const pins = await readPins(file);
      this.#known.set(name, { stamp, pins });
      return pins;
    } catch (error) {
      if (!(error instanceof UnreadablePins || error instanceof RangeError)) {
        throw error;
      }
      await retryWhileHeld(() => rename(file, `${file}${ASIDE}`));
      this.#known.delete(name);
      return { ...noPins, isLost: true };
    }
  }

  /** Left by a process that was killed while it wrote, or slept until its lock was taken as stale. */
  async #removeUnfinished(name: string): Promise<void> {
    const left = (await readdir(this.#folder)).filter(
      (other) => other.startsWith(`${name}.`) && other.endsWith('.tmp'),
    );
    await Promise.all(left.map((other) => rm(this.#pathOf(other), { force: true })));
  }

  async #write(name: string, pins: Pins): Promise<void> {
    let stamp = '';
    await replaceFile(
      this.#pathOf(name),
      async (file) => {
        await writePins(file, pins);
        stamp = stampOf(await file.stat());
        this.#written.set(name, stamp);
      },
      { isDurable: true },
    );
    this.#known.set(name, { stamp, pins });
  }

  /** Whether a file is as this store has written it last, which nobody has to compare again. */
  #isOwn(name: string): boolean {
    try {
      return this.#written.has(name) && stampOf(statSync(this.#pathOf(name))) === this.#written.get(name);
    } catch {
      return false;
    }
  }

  #launchOf({ serverId, launch }: Pick<PinSubject, 'serverId' | 'launch'>): string {
    return sha256(JSON.stringify([this.#remoteName ?? null, serverId, launch])).slice(0, 32);
  }

  #nameOf(subject: PinSubject): string {
    return `${this.#launchOf(subject)}-${sha256(subject.revision).slice(0, 8)}.jsonl`;
  }

  #pathOf(name: string): string {
    return path.join(this.#folder, name);
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (errorCodeOf(error) === 'ENOENT') {
    return undefined;
  }
  throw error;
}
