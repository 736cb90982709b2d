import { watch } from 'node:fs';
import { access, constants, opendir, realpath } from 'node:fs/promises';
import { toDisposable, type Disposable } from '../../base/lifetime/disposable.ts';
import { errorCodeOf } from '../../base/values/errorCode.ts';
import type { FolderProblem } from './sharedRoot.ts';

/** What is found at a path: a folder that can be read, or why there is none. */
export type FolderState =
  | { readonly kind: 'folder'; readonly realPath: string }
  | { readonly kind: 'none'; readonly problem: FolderProblem };

/** The disk, as far as roots are concerned. */
export interface FolderDisk {
  /** Never rejects. */
  look(path: string): Promise<FolderState>;
  /**
   * Calls `changed` with the names of entries that may have changed, without one when anything may have;
   * `ended` when the watch has ended. Not recursive.
   *
   * @throws what the system says when it cannot be watched.
   */
  watch(folder: string, changed: (name: string | undefined) => void, ended: () => void): Disposable;
}

/** Milliseconds after which a disk that says nothing counts as unreadable: one that is far away, and gone. */
const ANSWER_MS = 5_000;

/** The disks of this machine. */
export class LocalDisk implements FolderDisk {
  readonly #waiting = new Map<string, Promise<FolderState>>();

  async look(path: string): Promise<FolderState> {
    const isSilent = this.#waiting.has(path);
    const answer = Promise.withResolvers<FolderState>();
    const timer = setTimeout(
      () => answer.resolve(none('unreadable', 'The folder cannot be read: its disk does not answer.')),
      ANSWER_MS,
    );
    // Each look at a silent disk holds one of the few threads that Node has for all files.
    const looking = this.#waiting.get(path) ?? lookAt(path);
    this.#waiting.set(path, looking);
    void looking.then((look) => {
      this.#waiting.delete(path);
      // What was waited for is no answer to a later question.
      answer.resolve(isSilent ? this.look(path) : look);
    });
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  watch(folder: string, changed: (name: string | undefined) => void, ended: () => void): Disposable {
    const watcher = watch(folder, { persistent: false }, (_, name) => changed(name ?? undefined));
    watcher.on('error', () => {
      watcher.close();
      ended();
    });
    return toDisposable(() => watcher.close());
  }
}

async function lookAt(path: string): Promise<FolderState> {
  try {
    const realPath = await realpath(path);
    const folder = await opendir(realPath);
    await folder.close();
    await access(realPath, constants.X_OK);
    return { kind: 'folder', realPath };
  } catch (error) {
    return problemOf(errorCodeOf(error));
  }
}

function problemOf(code: string | number | undefined): FolderState {
  switch (code) {
    case 'ENOENT':
      return none('missing', 'The folder is not there.');
    case 'ENOTDIR':
      return none('notAFolder', 'There is a file where the folder was.');
    case 'EACCES':
    case 'EPERM':
      return none('unreadable', 'The folder cannot be read: permission was denied.');
    case 'ELOOP':
      return none('unreadable', 'The folder cannot be read: its links lead in a circle.');
    default:
      return none('unreadable', `The folder cannot be read (${code ?? 'for an unknown reason'}).`);
  }
}

function none(kind: FolderProblem['kind'], message: string): FolderState {
  return { kind: 'none', problem: { kind, message } };
}
