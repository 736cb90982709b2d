import { consistsOf } from '../../../base/text/consistsOf.ts';
import { calledPrograms, type CalledProgram } from './calledPrograms.ts';
import { codeTable, type CodeKind } from './codeTable.ts';

/** An argument that makes a program run code. */
export interface CodeArgument {
  readonly kind: CodeKind;
  /** The program. */
  readonly name: string;
  /** Of the word. */
  readonly index: number;
}

/** The words of a command that `codeTable` knows to run code, the first of each kind for each program. */
export function codeArguments(words: readonly string[]): readonly CodeArgument[] {
  return calledPrograms(words).flatMap((called) =>
    codeTable
      .filter(({ of }) => of.includes(called.name))
      .flatMap(({ kind, arguments: tokens }) => {
        const index = firstMatch(words, called, tokens);
        return index === undefined ? [] : [{ kind, name: called.name, index }];
      }),
  );
}

function firstMatch(
  words: readonly string[],
  { at, end }: CalledProgram,
  tokens: readonly string[],
): number | undefined {
  const own = words.slice(at + 1, tokens.includes('.') ? undefined : Math.max(end, at + 1));
  const bare = own.findIndex((word) => !word.startsWith('-'));
  // A verb ends the options of an interpreter, too.
  const verb = bare < 0 ? words[end] : own[bare];
  const verbAt = bare < 0 ? own.length : bare;
  if (tokens.some((token) => token.startsWith('!') && token.slice(1) === verb)) {
    return at + 1 + verbAt;
  }
  const found = own.findIndex((_, index) =>
    tokens.some((token) =>
      token.startsWith('^')
        ? index < verbAt && isMatch(token.slice(1), own, index)
        : !token.startsWith('!') && isMatch(token, own, index),
    ),
  );
  return found < 0 ? undefined : at + 1 + found;
}

function isMatch(token: string, words: readonly string[], index: number): boolean {
  const word = words[index] ?? '';
  if (token === '.') {
    return true;
  }
  if (token.startsWith('-~')) {
    return hasLetter(word, token.slice(2));
  }
  const equals = token.indexOf('=');
  if (equals > 0 && token.startsWith('-')) {
    const value = valueAt(words, index, token.slice(0, equals));
    return value !== undefined && consistsOf(value.toLowerCase(), token.slice(equals + 1).split('*'));
  }
  if (token.includes('*')) {
    return consistsOf(token.startsWith('-') ? word : word.toLowerCase(), token.split('*'));
  }
  return word === token || word.startsWith(`${token}=`);
}

/** What an option is given: behind `=`, right behind its letter, or in the next word. */
function valueAt(words: readonly string[], index: number, option: string): string | undefined {
  const word = words[index] ?? '';
  if (word === option) {
    return words[index + 1];
  }
  if (word.startsWith(`${option}=`)) {
    return word.slice(option.length + 1);
  }
  return option.length === 2 && word.startsWith(option) ? word.slice(2) : undefined;
}

/** Whether short options in one word have a letter among them. */
function hasLetter(word: string, letter: string): boolean {
  if (!word.startsWith('-')) {
    return false;
  }
  for (const character of word.slice(1)) {
    if (character === letter) {
      return true;
    }
    if (!/[a-z]/i.test(character)) {
      return false;
    }
  }
  return false;
}
