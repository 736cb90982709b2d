/** How many words are named: enough to make somebody look. */
const MAX_WORDS = 3;

/**
 * The first words of a text that a chat box may read as its own: `#file` attaches, `@name` chooses who
 * answers, `/name` at the start is a command.
 */
export function chatWords(text: string): readonly string[] {
  const words = new Set<string>();
  for (const [, word] of text.matchAll(/(?:^|\s)([#@][\w:./-]{1,40})/g)) {
    if (word !== undefined && /[a-z]/i.test(word)) {
      words.add(word);
    }
    if (words.size >= MAX_WORDS) {
      break;
    }
  }
  const [command] = /^\s*\/[\w-]{1,40}(?!\S)/.exec(text) ?? [];
  return command === undefined ? [...words] : [command.trim(), ...words].slice(0, MAX_WORDS);
}
