/**
 * Characters that a reader cannot see, or that change how their neighbours are shown: controls, format
 * characters (zero width, bidirectional), what Unicode lets a font leave out (fillers, variation
 * selectors), separators and spaces other than the plain one, unassigned and private code points, and
 * the Braille blank.
 */
const invisible =
  /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\u2800]|(?! )\p{Zs}/gu;

/** Of these what prose is not written with: line breaks, tabs and spaces of any width have their place in it. */
const hidden =
  /(?![\t\n])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\u2800]/u;

/** Emoji are a fixed set; some have characters in them that alone could not be seen. */
const emojiOrHidden = new RegExp(String.raw`\p{RGI_Emoji}|${hidden.source}`, 'gv');
const startsHidden = new RegExp(`^${hidden.source}`, 'u');

/** A stretch of text to show; `isWrittenOut` for what stands for something that could not be seen. */
export interface VisiblePart {
  readonly text: string;
  readonly isWrittenOut: boolean;
}

/** Spaces from which on a run is padding, which pushes what follows out of sight. */
const padding = / {4,}/g;

/** The text with every invisible or direction-changing character written out, such as `\u{202E}`. */
export function visibleText(text: string): string {
  return text.replace(invisible, writtenOut);
}

/** A text of many lines, and how many of its characters are written out. */
export interface VisibleProse {
  readonly text: string;
  readonly writtenOut: number;
}

/** As `visibleText`, for prose: line breaks, tabs, spaces and emoji stay as they are. */
export function visibleProse(text: string): VisibleProse {
  let count = 0;
  const visible = (found: string): string => {
    if (!startsHidden.test(found)) {
      return found;
    }
    count += 1;
    return writtenOut(found);
  };
  const lines = text.split('\n').map((line) =>
    // Looking for emoji takes twenty times as long.
    hidden.test(line) ? line.replace(emojiOrHidden, visible) : line,
  );
  return { text: lines.join('\n'), writtenOut: count };
}

/** As `visibleText`, for a reader who can be shown which parts are written out; padding is counted, too. */
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
  const hidden = new RegExp(`${invisible.source}|${padding.source}`, invisible.flags);
  let end = 0;
  for (const { 0: found, index } of text.matchAll(hidden)) {
    add(text.slice(end, index), found.startsWith(' ') ? `[${found.length} spaces]` : writtenOut(found));
    end = index + found.length;
  }
  add(text.slice(end));
  return parts;
}

/**
 * An argument as one sees where it begins and ends: quoted when it is empty or has spaces, quotes or
 * backslashes, which are doubled, so that no two arguments look alike.
 */
export function quotedText(text: string): string {
  return visibleText(inQuotes(text));
}

/** As `quotedText`, in parts. */
export function quotedParts(text: string): readonly VisiblePart[] {
  return visibleParts(inQuotes(text));
}

function inQuotes(text: string): string {
  return text === '' || /[\s"'\\]/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : text;
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
