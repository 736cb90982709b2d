/**
 * Characters that usual fonts draw as nothing although no property says so. Found by hand in the charts of Unicode 17:
 * the null notehead, the Khitan filler, the blanks and the mirror among the Egyptian controls, the object replacement
 * character, joiners that are not format characters, and the Braille blank.
 */
const BLANK = String.raw`\u{1D159}\u{16FE4}\u{13440}-\u{13442}\uFFFC\u{1107F}\u{2D7F}\u{1BC9D}\u2800`;

/**
 * Controls, format characters (zero width, bidirectional), characters that Unicode lets a font leave out (fillers,
 * variation selectors), separators, unassigned and private code points, and blank glyphs.
 */
const UNSEEN = String.raw`\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}${BLANK}`;

/** Characters that nobody can see, or that change how their neighbors are shown, and every space except U+0020. */
const anyInvisible = String.raw`[${UNSEEN}]|(?! )\p{Zs}`;
const invisible = new RegExp(anyInvisible, 'gu');
/** The same, and runs of spaces that are long enough to push what follows out of view. */
const invisibleOrPadding = new RegExp(`${anyInvisible}| {4,}`, 'gu');

/** The same without line breaks and tabs, which belong in prose. */
const hidden = String.raw`(?![\t\n])[${UNSEEN}]`;

/**
 * Spaces of unusual widths. Prose has single ones (French, Japanese), and two where Chinese indents a line; a longer run
 * is padding, or a hidden message.
 */
const spaces = String.raw`(?<!\p{Zs})(?!\u3000{2}(?!\p{Zs}))(?: *(?! )\p{Zs}){2,} *`;

/** An emoji with characters in it that are invisible on their own (UTS 51, ED-17). */
const emoji = String.raw`\p{Emoji}(?=[\p{Emoji_Modifier}\uFE0F\u200D\u{E0020}-\u{E007E}])(?:\p{Emoji_Modifier}|\uFE0F\u20E3?|[\u{E0020}-\u{E007E}]{1,8}\u{E007F})?(?:\u200D\p{Emoji}(?:\p{Emoji_Modifier}|\uFE0F)?){0,9}`;

const unseen = new RegExp(hidden, 'gu');
const hasUnproseful = new RegExp(`${hidden}|${spaces}`, 'u');
const proseFindings = new RegExp(`(?<emoji>${emoji})|(?<spaces>${spaces})|${hidden}`, 'gu');
/** Emoji are a fixed set, and a lookup is slow. */
const wholeEmoji = /^\p{RGI_Emoji}$/v;
const startsHidden = new RegExp(`^(?:${hidden})`, 'u');
/** How many different emoji of one text are looked up; the others are written out. */
const MAX_LOOKED_UP = 100;

/** A piece of text to show; `isWrittenOut` if it shows something invisible. */
export interface VisiblePart {
  readonly text: string;
  readonly isWrittenOut: boolean;
}

/** The text with every invisible or direction-changing character written out, such as `\u{202E}`. */
export function visibleText(text: string): string {
  return text.replace(invisible, writtenOut);
}

/** How many characters of a text are invisible; counts up to `most`. */
export function countUnseen(text: string, most: number, isProse: boolean): number {
  let count = 0;
  for (const _ of text.matchAll(isProse ? unseen : invisible)) {
    count += 1;
    if (count >= most) {
      break;
    }
  }
  return count;
}

/** A text, and how many of its characters are written out. */
export interface VisibleProse {
  readonly text: string;
  readonly writtenOut: number;
}

/** As `visibleText`, for prose: line breaks, tabs, single spaces of any width and emoji stay as they are. */
export function visibleProse(text: string): VisibleProse {
  const parts = proseParts(text);
  return {
    text: parts.map((part) => part.text).join(''),
    writtenOut: parts.reduce((sum, part) => sum + writtenOutIn(part), 0),
  };
}

/** As `visibleProse`, in parts. Takes time in proportion to the length of any text. */
export function proseParts(text: string): readonly VisiblePart[] {
  if (!hasUnproseful.test(text)) {
    return [{ text, isWrittenOut: false }];
  }
  const known = new Map<string, boolean>();
  const isEmoji = (found: string): boolean => {
    const before = known.get(found);
    if (before !== undefined || known.size >= MAX_LOOKED_UP) {
      return before ?? false;
    }
    const is = wholeEmoji.test(found);
    known.set(found, is);
    return is;
  };
  const parts: VisiblePart[] = [];
  const add = (part: string, isWrittenOut: boolean): void => {
    const last = parts.at(-1);
    if (!isWrittenOut && last?.isWrittenOut === false) {
      parts[parts.length - 1] = { text: last.text + part, isWrittenOut };
    } else if (part !== '') {
      parts.push({ text: part, isWrittenOut });
    }
  };
  let end = 0;
  for (const { 0: found, index, groups } of text.matchAll(proseFindings)) {
    add(text.slice(end, index), false);
    end = index + found.length;
    if (groups?.['spaces'] !== undefined) {
      add(visibleText(found), true);
    } else if (groups?.['emoji'] === undefined) {
      add(writtenOut(found), true);
    } else if (isEmoji(found)) {
      add(found, false);
    } else {
      // Not one emoji: each of its characters counts on its own.
      for (const one of found) {
        const isHidden = startsHidden.test(one);
        add(isHidden ? writtenOut(one) : one, isHidden);
      }
    }
  }
  add(text.slice(end), false);
  return parts;
}

/** How many invisible characters a part shows. */
export function writtenOutIn({ text, isWrittenOut }: VisiblePart): number {
  return isWrittenOut && !text.startsWith('[') ? (text.match(/\\(?:u\{|[nrt])/g)?.length ?? 0) : 0;
}

/** As `visibleProse`, for JSON on one line: what is written out is an escape of JSON, and the value stays the same. */
export function visibleJson(json: string): string {
  return proseParts(json)
    .map(({ text, isWrittenOut }) =>
      isWrittenOut ? text.replaceAll(/\\u\{([0-9A-F]{1,6})\}/g, escaped) : text,
    )
    .join('');
}

function escaped(_: string, hex: string): string {
  const character = String.fromCodePoint(Number.parseInt(hex, 16));
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');
}

/** As `visibleText`, in parts, so that the view can mark what is written out; padding is written out as its length. */
export function visibleParts(text: string): readonly VisiblePart[] {
  const parts: VisiblePart[] = [];
  const add = (plain: string, written?: string): void => {
    if (plain !== '') {
      parts.push({ text: plain, isWrittenOut: false });
    }
    if (written !== undefined) {
      parts.push({ text: written, isWrittenOut: true });
    }
  };
  let end = 0;
  for (const { 0: found, index } of text.matchAll(invisibleOrPadding)) {
    add(text.slice(end, index), found.startsWith(' ') ? `[${found.length} spaces]` : writtenOut(found));
    end = index + found.length;
  }
  add(text.slice(end));
  return parts;
}

/**
 * An argument whose beginning and end are visible. Most are shown as they are, such as `C:\Users`, and in double quotes if
 * they have spaces: `"C:\Program Files"`. One with double quotes or invisible characters is in single quotes, with
 * backslashes before single quotes and backslashes, so that no two arguments look alike.
 */
export function quotedText(text: string): string {
  return visibleText(quotedIfNeeded(text));
}

/** As `quotedText`, in parts. */
export function quotedParts(text: string): readonly VisiblePart[] {
  return visibleParts(quotedIfNeeded(text));
}

/** As `quotedText`, with quotes around every text: within a sentence. */
export function inQuotes(text: string): string {
  return visibleText(quoted(text));
}

function quotedIfNeeded(text: string): string {
  return /^[^ "']+$/.test(text) && !hasInvisible(text) ? text : quoted(text);
}

function quoted(text: string): string {
  // A backslash at the end would look as if it belonged to the quote.
  return text.includes('"') || text.endsWith('\\') || hasInvisible(text)
    ? `'${text.replaceAll(/['\\]/g, '\\$&')}'`
    : `"${text}"`;
}

function hasInvisible(text: string): boolean {
  return text.search(invisible) !== -1;
}

function writtenOut(character: string): string {
  switch (character) {
    case '\n':
      return '\\n';
    case '\t':
      return '\\t';
    case '\r':
      return '\\r';
    default:
      return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
  }
}
