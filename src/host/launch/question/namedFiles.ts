import path from 'node:path';
import type { ServerDefinition } from '../../config/serverDefinition.ts';
import { isOnOtherMachine } from '../../folders/otherMachine.ts';
import { withPlaces, type Places } from '../../config/workingDirectory.ts';
import { isInsideWorkspace, pathOfFileUrl, valueOf } from '../warnings/insideWorkspace.ts';
import { hasSeparator, isScript, isVariablesFile, programTexts } from '../warnings/programWords.ts';

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
  const fileOf = (text: string): string => path.resolve(workingDirectory, pathOfFileUrl(text) ?? text);
  const isCommand = (word: string): boolean =>
    hasSeparator(word) &&
    (isScript(word) || isInsideWorkspace(fileOf(valueOf(word)), workingDirectory, folders));
  const programs = programTexts(words);
  const files = words
    .flatMap((word, index) => {
      const isWhole = index === 0 ? isCommand(word) : isVariablesFile(words, index);
      return isWhole ? [word] : (programs[index] ?? []);
    })
    .map(valueOf)
    .filter((text) => !text.includes('\0') && mayRead(fileOf(text)))
    .map(fileOf);
  return [...new Set(files)];
}
