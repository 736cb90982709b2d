import { homedir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { wordsOf, type AnyLaunch } from '../../config/serverDefinition.ts';
import { expandableTexts, textParts, type PlacedText } from '../../config/variables.ts';
import { isInside } from '../../folders/rootUri.ts';
import { fixedVariables } from '../fixedTexts.ts';
import { sayableLaunch } from '../launchVariables.ts';
import type { ResolvedLaunch } from '../resolvedLaunch.ts';
import { baseName, fetchedProgram } from '../warnings/packageRunners.ts';
import { isInterpreter } from '../warnings/calledPrograms.ts';
import { isScript } from '../warnings/programWords.ts';
import { namedFiles } from './namedFiles.ts';
import { offeredFiles } from './watchedFiles.ts';

const FOLDER = '${workspaceFolder}';

/**
 * Whether a launch can be allowed in any folder that you trust: a process of your own settings that gets the folder, or
 * one below it, as an argument of the server or as its working directory, and nothing else depends on the folder. Wherever
 * the folder could decide which code runs, you are asked for each folder.
 */
export function canBeInAnyFolder(launch: ResolvedLaunch): boolean {
  const { definition } = launch;
  const { scope, format } = definition.origin;
  if (scope !== 'user' || format !== 'settings') {
    return false;
  }
  const placed = expandableTexts(definition).filter(({ text }) => namesFolder(text));
  const meaning = launch.meanings[FOLDER];
  const takesInput = fixedVariables(launch).some(({ meaning }) => meaning.kind === 'input');
  if (meaning?.kind !== 'place' || placed.length === 0 || takesInput || !placed.every(isFolderAlone)) {
    return false;
  }
  const filled = sayableLaunch(launch).definition;
  const words = wordsOf(filled);
  const startsInside = placed.some(({ path: [field] }) => field === 'cwd');
  return (
    placed.every(({ path: [field, index] }) => field === 'cwd' || isOfServer(words, Number(index) + 1)) &&
    !(startsInside && (looksAround(words) || runsFileOf({ ...launch, definition: filled }, meaning.value)))
  );
}

/** The launch with nothing in it that tells one folder from another. */
export function inAnyFolder(launch: ResolvedLaunch): ResolvedLaunch {
  const { definition, meanings } = launch;
  const { cwd = '' }: AnyLaunch = definition;
  return {
    ...launch,
    meanings: { ...meanings, [FOLDER]: { kind: 'place', value: FOLDER } },
    ...(namesFolder(cwd) && { workingDirectory: cwd }),
  };
}

function namesFolder(text: string): boolean {
  return textParts(text, 'settings').some(
    (part) => typeof part !== 'string' && part.kind === 'workspaceFolder',
  );
}

/** Whether a text is the folder or one below it. A name with an ending may be a file, which can say what runs. */
function isFolderAlone({ path: [field], text }: PlacedText): boolean {
  const [folder, below = '', ...more] = textParts(text, 'settings');
  return (
    (field === 'args' || field === 'cwd') &&
    typeof folder === 'object' &&
    folder.kind === 'workspaceFolder' &&
    folder.name === undefined &&
    typeof below === 'string' &&
    more.length === 0 &&
    /^(?:[/\\]|$)/.test(below) &&
    !below.split(/[/\\]/).includes('..') &&
    path.win32.extname(below) === ''
  );
}

/** Whether an argument is the server's own, so that neither what runs it reads it, nor is it what is run. */
function isOfServer(words: readonly string[], index: number): boolean {
  const [command = '', first = ''] = words;
  const fetched = fetchedProgram(words);
  if (fetched) {
    const [, end] = fetched.options;
    const isKnown = fetched.runner === baseName(command) && fetched.kind !== 'container' && !fetched.isLocal;
    return isKnown && words[end] !== '--' && index > end;
  }
  if (isInterpreter(command)) {
    return first === '-m' ? index > 2 : !first.startsWith('-') && isScript(first) && index > 1;
  }
  // Of any other program, nobody knows which arguments say what it runs.
  return /mcp/i.test(baseName(command));
}

/** Whether the working directory decides where code is loaded from. */
function looksAround(words: readonly string[]): boolean {
  return fetchedProgram(words) !== undefined || words[1] === '-m';
}

/** Whether the launch runs a file of the folder that is there. */
function runsFileOf({ definition, workingDirectory }: ResolvedLaunch, folder: string): boolean {
  const folders = [{ uri: pathToFileURL(folder).href, name: folder }];
  const files = namedFiles(definition, workingDirectory, { folders, home: homedir() });
  const ofFolder = files.filter((file) => isInside(file, folder));
  return offeredFiles(ofFolder, []).length > 0;
}
