/** Behind these options, a shell within the code of a shell is given its own. */
const codeOption = /^(?:-[a-z]*c|\/c)$/i;

/**
 * The commands in the code of a shell, word by word. It knows only quotes and what divides commands: variables and
 * escapes stay as they are written.
 */
export function shellCommands(code: string): readonly (readonly string[])[] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  const endWord = (): void => {
    if (word !== undefined) {
      // What a shell within is given is a command of its own; in any other word, a blank is a part of a path.
      if (codeOption.test(words.at(-1) ?? '')) {
        commands.push(word.split(/\s/).filter((one) => one !== ''));
      }
      words.push(word);
    }
    word = undefined;
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0) {
      commands.push(words);
    }
    words = [];
  };
  for (const character of code) {
    if (quote !== undefined) {
      quote = character === quote ? undefined : quote;
      word = quote === undefined ? (word ?? '') : (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
    } else if (';&|()<>`\n'.includes(character)) {
      endCommand();
    } else if (/\s/.test(character)) {
      endWord();
    } else {
      word = (word ?? '') + character;
    }
  }
  endCommand();
  return commands;
}
