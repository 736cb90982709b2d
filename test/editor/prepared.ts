import { existsSync } from 'node:fs';

/** Names the folder that `prepare` has filled, for the processes of a run. */
export const preparedVariable = 'PREPARED_EXTENSION';

/** The packaged extension, as the editor has installed it, if it has been for this run. */
export function preparedExtension(): string | undefined {
  const folder = process.env[preparedVariable];
  return folder !== undefined && existsSync(folder) ? folder : undefined;
}
