import type { GetPromptResult } from '@modelcontextprotocol/client';
import { counted } from '../../base/text/words.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { promptText, type PromptText } from './promptText.ts';

/** Characters of a server's name or description in the header, so that the text stays visible. */
const MAX_HEADER_CHARACTERS = 500;
/** So many spaces or line breaks in a row make the text seem to end. */
const MANY_SPACES = 400;
const MANY_LINES = 20;

/** How many words for a chat are named: enough to make you look. */
const MAX_WORDS = 3;

/** The line between the host's words and the prompt: no line of the header can look like it. */
const DIVIDER = `${'─'.repeat(4)} The text to send, copy or insert: all that follows ${'─'.repeat(4)}`;

/** A prompt that a server has answered. */
export interface UsedPrompt {
  /** The server's name as you see it. */
  readonly server: string;
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
  /** Each argument as sent; undefined for one that was left out. */
  readonly args: readonly (readonly [name: string, value: string | undefined])[];
}

export interface PromptDocument {
  /** The header, then `prompt.shown` to the end. */
  readonly text: string;
  readonly prompt: PromptText;
}

/**
 * A prompt's messages (server/prompts) as a document to read before anything is sent. Everything that the host
 * says stands above the divider, so that nothing in the prompt can pose as the host; everything below is the text.
 */
export function promptDocument(used: UsedPrompt, result: GetPromptResult): PromptDocument {
  const prompt = promptText(result);
  const header = [
    'This is a prompt: a text that an MCP server has prepared for a language model.',
    isUsable(prompt)
      ? 'Nothing has been sent. Read the text below, then choose above what to do with it.'
      : 'Nothing has been sent.',
    '',
    `Server: ${short(used.server)}`,
    `Prompt: ${short(used.name === (used.title ?? used.name) ? used.name : `${used.title} (${used.name})`)}`,
    ...descriptionOf(result.description ?? used.description),
    ...argumentLines(used.args),
    `Content: ${counted(prompt.messages, 'message')}, ${counted(prompt.shown.length, 'character')}`,
    ...promptNotes(prompt).flatMap((note) => ['', note]),
    '',
    DIVIDER,
    '',
  ];
  return { text: header.join('\n') + prompt.shown, prompt };
}

/** Whether a prompt can be sent, copied or inserted: it is not empty, and all of it is shown. */
export function isUsable({ isCut, shown }: PromptText): boolean {
  return !isCut && shown !== '';
}

function descriptionOf(description: unknown): readonly string[] {
  return typeof description === 'string' && description.trim() !== ''
    ? [`Description: ${short(description.trim())}`]
    : [];
}

function argumentLines(args: UsedPrompt['args']): readonly string[] {
  return args.length === 0
    ? []
    : [
        'Arguments:',
        ...args.map(
          ([name, value]) => `  ${short(name)}: ${value === undefined ? '(left out)' : visibleText(value)}`,
        ),
      ];
}

/** What to know before a prompt is used, a sentence or two each. */
export function promptNotes(prompt: PromptText): readonly string[] {
  const { shown, hidden, notAsText, isCut } = prompt;
  if (shown === '') {
    return ['The server answered with no text: there is nothing to send.'];
  }
  const notes: string[] = [];
  if (isCut) {
    notes.push('Too large: only its beginning is shown, so it can be neither sent, copied nor inserted.');
  }
  if (hidden > 0) {
    notes.push(
      `Hidden characters: ${number(hidden)}. They are written out below, for example \\u{200B} for a zero-width space. You are asked before they are sent, copied or inserted.`,
    );
  }
  if (notAsText.length > 0) {
    notes.push(`Not part of the text, and so not sent: ${listed(notAsText)}`);
  }
  if (hasWideGap(shown)) {
    notes.push('The text has wide gaps: more follows after them.');
  }
  const words = chatWords(shown);
  if (words.length > 0) {
    notes.push(
      `A chat may take ${words.map((word) => `'${visibleText(word)}'`).join(', ')} for its own commands, or attach what they name: look at them there before you send.`,
    );
  }
  return notes;
}

function hasWideGap(text: string): boolean {
  return [...text.matchAll(/\s{20,}/g)].some(
    ([gap]) => gap.length >= MANY_SPACES || gap.split('\n').length > MANY_LINES,
  );
}

function listed(items: readonly string[]): string {
  const first = items.slice(0, 5).map(visibleText).join('; ');
  return items.length > 5 ? `${first}; and ${items.length - 5} more` : first;
}

function short(text: string): string {
  const visible = visibleText(text.slice(0, MAX_HEADER_CHARACTERS));
  return text.length > MAX_HEADER_CHARACTERS ? `${visible}…` : visible;
}

function number(amount: number): string {
  return amount.toLocaleString('en-US');
}

/**
 * The first words of a text that a chat box may interpret: `#file` attaches, `@name` chooses who
 * answers, `/name` at the start is a command.
 */
function chatWords(text: string): readonly string[] {
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
