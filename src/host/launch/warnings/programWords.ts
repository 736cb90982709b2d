import { calledPrograms, isAssignment, isInterpreter } from './calledPrograms.ts';
import { shellWithCode } from './inlineCode.ts';
import { valueOf } from './insideWorkspace.ts';
import { baseName, isContainerRunner } from './packageRunners.ts';
import { shellCommands } from './shellCommands.ts';

const scriptEnding =
  /\.(?:[cm]?[jt]sx?|py|pyw|sh|bash|zsh|fish|ps1|psm1|rb|pl|php|lua|r|jar|class|exe|cmd|bat|com|dll|so|dylib|node|wasm)$/i;

/** Whether a word of a command is a script, by its ending. */
export function isScript(word: string): boolean {
  return scriptEnding.test(valueOf(word));
}

/**
 * For each word of a command, the texts in it that name a program: an argument that is a script by its ending, or what
 * an interpreter is given first; in what a shell is given as code, those of each command. None for the command itself.
 */
export function programTexts(words: readonly string[]): readonly (readonly string[])[] {
  const shell = shellWithCode(words);
  const code = shell === undefined ? words.length : words.findIndex((word) => baseName(word) === shell) + 1;
  const programs = plainPrograms(words);
  return words.map((word, index) => {
    if (index < code) {
      return index > 0 && programs.has(index) ? [word] : [];
    }
    return shellCommands(word).flatMap((command) => {
      const assigned = command.findIndex((one) => !isAssignment(one));
      const own = command.slice(Math.max(assigned, 0));
      const named = plainPrograms(own);
      const called = new Set(calledPrograms(own).map(({ at }) => at));
      return own.filter((one, at) => named.has(at) || (called.has(at) && hasSeparator(one)));
    });
  });
}

/** Whether an argument is a file of environment variables that an interpreter reads before it runs anything. */
export function isVariablesFile(words: readonly string[], index: number): boolean {
  return (
    !isContainerRunner(baseName(words[0] ?? '')) &&
    (/^--env-file(?:-if-exists)?=/.test(words[index] ?? '') ||
      /^--env-file(?:-if-exists)?$/.test(words[index - 1] ?? ''))
  );
}

export function hasSeparator(text: string): boolean {
  return /[/\\]/.test(text);
}

/** Where a program is named in words that no shell reads. */
function plainPrograms(words: readonly string[]): ReadonlySet<number> {
  const given = calledPrograms(words).flatMap(({ name, end }) => (isInterpreter(name) ? [end] : []));
  return new Set([
    ...words.flatMap((word, index) => (isScript(word) ? [index] : [])),
    ...given.filter((index) => hasSeparator(words[index] ?? '') && !words[index]?.startsWith('-')),
  ]);
}
