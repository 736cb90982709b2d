import { portableFileName } from '../../base/files/deviceName.ts';

/** How much is kept; the newest document always is. */
export interface DocumentLimits {
  readonly documents: number;
  /** Bytes of all documents together. */
  readonly bytes: number;
}

export interface StoredDocument {
  readonly bytes: Uint8Array;
  /** Milliseconds since the epoch; no two documents have the same. */
  readonly mtime: number;
}

/** Documents kept in memory, each under its own path. The oldest closed ones are dropped first. */
export class DocumentStore {
  readonly #documents = new Map<string, StoredDocument>();
  readonly #limits: DocumentLimits;
  #lastTime = 0;

  constructor(limits: DocumentLimits) {
    this.#limits = limits;
  }

  /** The paths that are kept, oldest first. */
  get paths(): readonly string[] {
    return [...this.#documents.keys()];
  }

  get(path: string): StoredDocument | undefined {
    return this.#documents.get(path);
  }

  /** Keeps a document under a free path made of file names that any system allows, and returns that path. */
  add(name: string, bytes: Uint8Array): string {
    const path = this.#freePath(name);
    this.#put(path, bytes);
    return path;
  }

  /** Replaces the bytes under a path; false if nothing is kept there any longer. */
  replace(path: string, bytes: Uint8Array): boolean {
    if (!this.#documents.has(path)) {
      return false;
    }
    this.#put(path, bytes);
    return true;
  }

  /** Drops documents beyond the limits, closed ones first, and returns their paths. */
  trim(isOpen: (path: string) => boolean): readonly string[] {
    const gone: string[] = [];
    const older = this.paths.slice(0, -1);
    const closed = older.filter((path) => !isOpen(path));
    const order = [...closed, ...older.filter((path) => !closed.includes(path))];
    for (const path of order) {
      if (!this.#isTooMuch()) {
        break;
      }
      this.#documents.delete(path);
      gone.push(path);
    }
    return gone;
  }

  /** The names of the files and folders directly in a folder; undefined when there is no such folder. */
  list(folder: string): ReadonlyMap<string, 'file' | 'folder'> | undefined {
    const prefix = folder.endsWith('/') ? folder : `${folder}/`;
    const entries = new Map<string, 'file' | 'folder'>();
    for (const path of this.#documents.keys()) {
      if (path.startsWith(prefix)) {
        const [name = '', ...rest] = path.slice(prefix.length).split('/');
        entries.set(name, rest.length > 0 ? 'folder' : 'file');
      }
    }
    return entries.size > 0 || prefix === '/' ? entries : undefined;
  }

  #put(path: string, bytes: Uint8Array): void {
    this.#lastTime = Math.max(Date.now(), this.#lastTime + 1);
    this.#documents.set(path, { bytes, mtime: this.#lastTime });
  }

  #isTooMuch(): boolean {
    let bytes = 0;
    this.#documents.forEach((document) => {
      bytes += document.bytes.length;
    });
    return this.#documents.size > this.#limits.documents || bytes > this.#limits.bytes;
  }

  #freePath(name: string): string {
    const wanted = `/${name.split('/').filter(Boolean).map(fileName).join('/')}`;
    const dot = wanted.lastIndexOf('.');
    const end = dot > wanted.lastIndexOf('/') ? dot : wanted.length;
    let path = wanted;
    for (let count = 2; this.#documents.has(path); count += 1) {
      path = `${wanted.slice(0, end)}-${count}${wanted.slice(end)}`;
    }
    return path;
  }
}

/** A text as one file name: characters with a meaning for file systems, or that mislead readers, are replaced. */
export function fileName(text: string): string {
  const plain = text.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}._() -]/gu, '_');
  const short = portableFileName(Array.from(plain).slice(-80).join('').trim());
  return short === '' ? '_' : short;
}
