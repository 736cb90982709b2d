import { programName } from './calledPrograms.ts';

/** Programs that set variables for the one behind them, or hand on to one of these programs. */
const settingPrograms = new Set(
  'env cross-env cross-env-shell dotenv sudo doas nice ionice nohup time stdbuf setsid npx bunx pnpx'.split(
    ' ',
  ),
);

/** A variable that a word of a command sets. */
export interface AssignedVariable {
  readonly name: string;
  /** Of the word. */
  readonly index: number;
}

/** The variables that a command sets for the program that it starts, as `env NAME=value program` does. */
export function assignedVariables(words: readonly string[]): readonly AssignedVariable[] {
  if (!isSetting(words[0] ?? '')) {
    return [];
  }
  const found: AssignedVariable[] = [];
  for (const [index, word] of words.entries()) {
    // `env -S` takes a whole command in one argument.
    for (const part of word.replace(/^(?:-v?S|--split-string=)/, '').split(/\s+/)) {
      const [, name] = /^["']?([^=\s"'-][^=\s]*)=/.exec(part) ?? [];
      if (name !== undefined) {
        found.push({ name, index });
      } else if (!isSetting(part) && !/^-|^["']?\d*$/.test(part)) {
        return found; // what follows is that program's
      }
    }
  }
  return found;
}

function isSetting(word: string): boolean {
  return settingPrograms.has(programName(word));
}
