import { valueOf } from './insideWorkspace.ts';
import { baseName, isContainerRunner } from './packageRunners.ts';

const scriptEnding =
  /\.(?:[cm]?[jt]sx?|py|pyw|sh|bash|zsh|fish|ps1|psm1|rb|pl|php|lua|r|jar|class|exe|cmd|bat|com|dll|so|dylib|node|wasm)$/i;
const interpreters = new Set(
  'node deno bun tsx python py ruby perl php lua java sh bash zsh dash ksh fish pwsh powershell'.split(' '),
);

/** Whether a word of a command is a script, by its ending. */
export function isScript(word: string): boolean {
  return scriptEnding.test(valueOf(word));
}

/** Whether an argument is a script by its ending, or what an interpreter is given first. */
export function isProgram(words: readonly string[], index: number): boolean {
  const word = words[index] ?? '';
  const isFirst = words.slice(1, index).every((one) => one.startsWith('-'));
  return (
    isScript(word) ||
    (isFirst && !word.startsWith('-') && /[/\\]/.test(word) && isInterpreter(words[0] ?? ''))
  );
}

/** Whether an argument is a file of environment variables that an interpreter reads before it runs anything. */
export function isVariablesFile(words: readonly string[], index: number): boolean {
  return (
    !isContainerRunner(baseName(words[0] ?? '')) &&
    (/^--env-file(?:-if-exists)?=/.test(words[index] ?? '') ||
      /^--env-file(?:-if-exists)?$/.test(words[index - 1] ?? ''))
  );
}

/** With or without its version, such as `python3.12`. */
function isInterpreter(command: string): boolean {
  return interpreters.has(baseName(command).replace(/[\d.]+$/, ''));
}
