import { toDisposable, type Disposable } from '../../../src/base/lifetime/disposable.ts';
import type { FolderDisk, FolderState } from '../../../src/host/folders/folderDisk.ts';
import type { FolderProblem } from '../../../src/host/folders/sharedRoot.ts';

/** A disk that has every folder, except for what a test takes away, or makes a link. */
export class FakeDisk implements FolderDisk {
  readonly #looks = new Map<string, FolderState>();
  readonly #watchers = new Map<string, (name: string | undefined) => void>();
  /** How often it was looked at. */
  looks = 0;

  look(path: string): Promise<FolderState> {
    this.looks += 1;
    return Promise.resolve(this.#looks.get(path) ?? { kind: 'folder', realPath: path });
  }

  /** The folders that are watched. */
  get watched(): readonly string[] {
    return [...this.#watchers.keys()];
  }

  watch(folder: string, changed: (name: string | undefined) => void): Disposable {
    this.#watchers.set(folder, changed);
    return toDisposable(() => this.#watchers.delete(folder));
  }

  /** Says that something has changed in a folder. */
  tell(folder: string, name?: string): void {
    this.#watchers.get(folder)?.(name);
  }

  link(path: string, realPath: string): void {
    this.#looks.set(path, { kind: 'folder', realPath });
  }

  take(path: string, kind: FolderProblem['kind'] = 'missing'): void {
    this.#looks.set(path, { kind: 'none', problem: { kind, message: `It is ${kind}.` } });
  }

  giveBack(path: string): void {
    this.#looks.delete(path);
  }
}
