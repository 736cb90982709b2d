import { readFileSync, statSync } from 'node:fs';
import { replaceFile } from '../../../base/files/atomicFile.ts';
import { realPathOf } from '../../../base/files/realPathOf.ts';
import { errorCodeOf } from '../../../base/values/errorCode.ts';
import { definitionBounds } from '../../json/bounds.ts';

/**
 * Changes a text file that other programs read and write, in one step: nobody reads a part of it. A link stays a link,
 * and the file keeps who may read it. A file that isn't there is empty.
 *
 * @returns the new text.
 * @throws Error that says why nothing has changed, such as that another program has changed the file meanwhile.
 */
export async function changeFile(
  file: string,
  change: (text: string) => string | Promise<string>,
): Promise<string> {
  const target = realPathOf(file);
  const before = readText(target);
  const after = await change(before.text);
  await replaceFile(
    target,
    async (handle) => {
      await handle.writeFile(after);
      await handle.chmod(before.mode);
    },
    {
      isStillWanted: () => {
        if (realPathOf(file) !== target || readText(target).text !== before.text) {
          throw new Error('The file has just changed. Try again.');
        }
        return true;
      },
    },
  );
  return after;
}

/** @throws Error also for what is no text file of a size that is read. */
export function readText(file: string): { readonly text: string; readonly mode: number } {
  try {
    const stats = statSync(file);
    // A read of a FIFO would never end.
    if (!stats.isFile() || stats.size > definitionBounds.bytes) {
      throw new Error('It is not a regular file of at most 1 MB.');
    }
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { text: decoder.decode(readFileSync(file)), mode: stats.mode & 0o777 };
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') {
      return { text: '', mode: 0o600 };
    }
    throw error;
  }
}
