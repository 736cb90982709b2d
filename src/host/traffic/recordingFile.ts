import { readFile, stat } from 'node:fs/promises';
import { sha256 } from '../../base/text/sha256.ts';
import { checkSize } from './recording.ts';

/** The text of a recording, and the SHA-256 of its bytes. @throws what the file system says, and as `checkSize`. */
export async function recordingFile(file: string): Promise<{ readonly text: string; readonly hash: string }> {
  checkSize((await stat(file)).size);
  const bytes = await readFile(file);
  return { text: bytes.toString('utf8'), hash: sha256(bytes) };
}
