/** The parts of a command line: what a shell passes to the program, with nothing expanded. */
export interface CommandLine {
  readonly env: Readonly<Record<string, string>>;
  readonly command: string;
  readonly args: readonly string[];
}

export type SplitResult = { readonly line: CommandLine } | { readonly problem: string };

interface Word {
  readonly text: string;
  /** True if a part of it is quoted. */
  readonly isQuoted: boolean;
}

/**
 * Splits a command line as a shell does: it interprets quotes and backslashes, leaves variables and wildcards as they
 * are written, and refuses what only a shell can do. On Windows a backslash is part of a path.
 */
export function splitCommandLine(text: string, platform: NodeJS.Platform): SplitResult {
  const words = wordsOf(text.replace(/^\s*\$\s+/, ''), platform === 'win32');
  if (!Array.isArray(words)) {
    return { problem: words };
  }
  const env: [string, string][] = [];
  // `env NAME=value program` means the same as `NAME=value program`.
  let index = words[0]?.text === 'env' && /^[A-Za-z_]\w*=/.test(words[1]?.text ?? '') ? 1 : 0;
  for (; index < words.length; index += 1) {
    const [, name, value] = /^([A-Za-z_]\w*)=([^]*)$/.exec(words[index]?.text ?? '') ?? [];
    if (name === undefined || value === undefined) {
      break;
    }
    env.push([name, value]);
  }
  const [command, ...args] = words.slice(index).map((word) => word.text);
  if (!command) {
    return { problem: 'Enter the program that starts the server, and its arguments.' };
  }
  return { line: { env: Object.fromEntries(env), command, args } };
}

function wordsOf(text: string, isWindows: boolean): Word[] | string {
  const words: Word[] = [];
  let word: string | undefined;
  let isQuoted = false;
  const end = (): void => {
    if (word !== undefined) {
      words.push({ text: word, isQuoted });
    }
    word = undefined;
    isQuoted = false;
  };
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    const next = text[index + 1];
    if (/\s/.test(character)) {
      end();
    } else if (character === '"' || (character === "'" && !isWindows)) {
      const quoted = quotedPart(text, index, isWindows);
      if (!quoted) {
        return `The quote ${character} at character ${index + 1} is not closed.`;
      }
      word = (word ?? '') + quoted.text;
      isQuoted = true;
      index = quoted.end;
    } else if (character === '\\' && (isWindows ? next === '"' : next !== undefined)) {
      // A backslash before a line end joins the lines; before anything else it quotes the character.
      if (/[\r\n]/.test(next ?? '')) {
        index += text.startsWith('\r\n', index + 1) ? 2 : 1;
      } else {
        word = (word ?? '') + next;
        index += 1;
      }
    } else if (character === '<' && placeholder(text, index)) {
      // A placeholder in documentation, such as `<path>`, is not a redirection.
      const whole = placeholder(text, index);
      word = (word ?? '') + whole;
      index += whole.length - 1;
    } else if (/[|&;<>`]/.test(character) || (character === '$' && next === '(')) {
      return `No shell runs this, so ${character === '$' ? '$(' : character} has no meaning. Quote it, or use a script.`;
    } else if (character === '#' && word === undefined) {
      break;
    } else {
      word = (word ?? '') + character;
    }
  }
  end();
  return words;
}

function placeholder(text: string, start: number): string {
  return /^<[A-Za-z]([\w ./:-]*[\w./:-])?>/.exec(text.slice(start))?.[0] ?? '';
}

/** The text between two quotes; undefined if the second one is missing. `end` is its index. */
function quotedPart(
  text: string,
  start: number,
  isWindows: boolean,
): { readonly text: string; readonly end: number } | undefined {
  const quote = text[start];
  let part = '';
  for (let index = start + 1; index < text.length; index += 1) {
    const character = text[index] ?? '';
    const next = text[index + 1] ?? '';
    if (character === quote) {
      return { text: part, end: index };
    }
    const escapes = isWindows ? '"' : '"\\$`';
    if (character === '\\' && quote === '"' && next !== '' && escapes.includes(next)) {
      part += next;
      index += 1;
    } else {
      part += character;
    }
  }
  return undefined;
}
