import path from 'node:path';
import type { ServerDefinition } from '../../config/serverDefinition.ts';
import { isOnOtherMachine } from '../../folders/otherMachine.ts';
import { withPlaces, type Places } from '../../folders/workingDirectory.ts';
import { isInsideWorkspace, pathOfFileUrl, valueOf } from '../warnings/insideWorkspace.ts';
import { isProgram, isScript, isVariablesFile } from '../warnings/programWords.ts';

/**
 * The files that a launch names by their paths and runs: scripts, and the command itself where it is a script or lies in
 * the workspace. Absolute paths, in the order of the launch; of what a workspace defines, those inside it alone. A path
 * that takes an input or a variable of the environment is not known here; what a module's name or a task leads to is no
 * path.
 */
export function namedFiles(
  definition: ServerDefinition,
  workingDirectory: string,
  places: Places,
): readonly string[] {
  if (definition.type !== 'stdio' || definition.program !== undefined || !path.isAbsolute(workingDirectory)) {
    return [];
  }
  const { command, args, origin } = definition;
  const words = [command, ...args].map((text) => withPlaces(text, origin, places) ?? '');
  const folders = places.folders.flatMap(({ uri }) => pathOfFileUrl(uri) ?? []);
  const mayRead = (file: string): boolean =>
    !isOnOtherMachine(file, workingDirectory) &&
    (origin.scope === 'user' || isInsideWorkspace(file, workingDirectory, folders));
  const files = words.flatMap((word, index) => {
    const value = valueOf(word);
    const file = path.resolve(workingDirectory, pathOfFileUrl(value) ?? value);
    const isNamed =
      index === 0
        ? /[/\\]/.test(word) && (isScript(word) || isInsideWorkspace(file, workingDirectory, folders))
        : isProgram(words, index) || isVariablesFile(words, index);
    return isNamed && !value.includes('\0') && mayRead(file) ? [file] : [];
  });
  return [...new Set(files)];
}
