import { readEnvFile } from './envFile.ts';
import type { ServerDefinition } from './serverDefinition.ts';
import { baseDirectory, withPlaces, type Places } from './workingDirectory.ts';

/**
 * What stands in a definition's `envFile` at this moment; undefined without one, and when it cannot be
 * read or its path takes an input or the environment, which are asked only when the server starts.
 */
export function envFileNow(
  definition: ServerDefinition,
  places: Places,
): Readonly<Record<string, string>> | undefined {
  const { origin } = definition;
  if (definition.type !== 'stdio' || definition.envFile === undefined) {
    return undefined;
  }
  const path = withPlaces(definition.envFile, origin, places);
  try {
    return path === undefined
      ? undefined
      : readEnvFile({ path, base: baseDirectory(origin, places), scope: origin.scope });
  } catch {
    // The start itself says what is wrong with the file.
    return undefined;
  }
}
