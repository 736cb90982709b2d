import type { GetPromptResult } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/values/record.ts';
import { visibleProse, visibleText } from '../../base/text/visibleText.ts';
import { contentSection, type FoundMedia } from './contentSection.ts';
import { textAt } from '../schemas/jsonSchema.ts';
import type { MediaContent } from '../results/mediaContent.ts';
import { unreadableIn } from '../results/unreadableContent.ts';

/** Characters of a prompt that can be shown and sent: about 250,000 tokens, more than most models take. */
const MAX_CHARACTERS = 1_000_000;

/** A prompt as one text: what is sent, copied or inserted, and nothing else. */
export interface PromptText {
  /** The text with invisible characters written out, such as `\u{202E}`. */
  readonly shown: string;
  /** The text with its invisible characters; the same as `shown` when there are none. */
  readonly original: string;
  /** How many characters are invisible. */
  readonly hidden: number;
  readonly messages: number;
  /** Images, sounds and other bytes that the text only mentions, such as `Image (image-1.png, image/png, 12 bytes)`. */
  readonly notAsText: readonly string[];
  readonly images: readonly MediaContent[];
  readonly audio: readonly MediaContent[];
  /** True when the prompt is larger than can be shown; then `shown` is its beginning, and not to be sent. */
  readonly isCut: boolean;
}

interface Piece {
  readonly role: unknown;
  readonly text: string;
}

/**
 * The messages of a prompt (server/prompts) as one text. Messages of the user alone are paragraphs; where
 * there are other roles, each stands under its role.
 */
export function promptText(result: GetPromptResult): PromptText {
  const messages: readonly unknown[] = Array.isArray(result.messages) ? result.messages : [];
  const found: FoundMedia = { images: [], audio: [] };
  const notAsText: string[] = [];
  const pieces: Piece[] = [];
  let length = 0;
  for (const message of messages) {
    const { role, content } = isRecord(message) ? message : { role: undefined, content: message };
    for (const block of Array.isArray(content) ? (content as readonly unknown[]) : [content]) {
      const text = pieceText(block, found, notAsText);
      length += text.length;
      pieces.push({ role, text });
    }
    if (length > MAX_CHARACTERS) {
      break;
    }
  }
  const whole = composed(pieces);
  const isCut = whole.length > MAX_CHARACTERS;
  const original = isCut ? whole.slice(0, MAX_CHARACTERS) : whole;
  const { text: shown, writtenOut } = visibleProse(original);
  return { shown, original, hidden: writtenOut, messages: messages.length, notAsText, isCut, ...found };
}

function pieceText(block: unknown, found: FoundMedia, notAsText: string[]): string {
  if (isRecord(block) && block['type'] === 'text' && !unreadableIn(block)) {
    return withPlainBreaks(textAt(block, 'text') ?? '');
  }
  const { title, text, isBinary } = contentSection(block, found);
  if (!isBinary) {
    return withPlainBreaks(`--- ${title} ---\n${text}`);
  }
  const [last = ''] = text.split('\n').slice(-1);
  notAsText.push(`${title} (${last.replace(/^Error: /, '')})`);
  return `--- ${title}, not part of this text ---\n${text}`;
}

/** With plain line breaks, which is how the editor shows the others. */
export function withPlainBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function composed(pieces: readonly Piece[]): string {
  const isDialogue = pieces.some(({ role }) => role !== 'user');
  return pieces.map(({ role, text }) => (isDialogue ? `${roleName(role)}:\n${text}` : text)).join('\n\n');
}

/** Who speaks in a message. */
export function roleName(role: unknown): string {
  switch (role) {
    case 'user':
      return 'User';
    case 'assistant':
      return 'Assistant';
    default:
      return `Unknown role ${visibleText(JSON.stringify(role) ?? 'none')}`;
  }
}
