import { mkdirSync, watch } from 'node:fs';
import type { Disposable } from '../lifetime/disposable.ts';

/**
 * Creates a folder that only this user can read, and reports each change in it with the name of the file, where the
 * system says it. Undefined if the folder can't be watched.
 */
export function watchFolder(folder: string, changed: (name: string | null) => void): Disposable | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const watcher = watch(folder, { persistent: false }, (_event, name) => changed(name));
    watcher.on('error', () => watcher.close());
    return { dispose: () => watcher.close() };
  } catch {
    return undefined;
  }
}
