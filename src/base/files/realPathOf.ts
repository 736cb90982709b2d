import { realpathSync } from 'node:fs';

/** A path with its links followed, as Node.js spells the files that it loads; the path itself if nothing is there. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
