import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Names the folder that `prepare` has filled, for the processes of a run. */
export const preparedVariable = 'PREPARED_EDITOR';

/** What a run of all journeys makes once for its many windows; a window without it is the same, and slower. */
export interface Prepared {
  /** The packaged extension, as the editor has installed it. */
  readonly extension: string;
  /** What Chromium keeps of the editor's own code, and nothing else. */
  readonly caches: string;
}

/** The parts of a prepared folder. */
export function partsOf(folder: string): Prepared {
  return { extension: join(folder, 'extension'), caches: join(folder, 'caches') };
}

/** What has been prepared for this run, if anything has. */
export function prepared(): Prepared | undefined {
  const folder = process.env[preparedVariable];
  return folder !== undefined && existsSync(folder) ? partsOf(folder) : undefined;
}
