/**
 * Characters that a reader cannot see, or that change how their neighbours are shown: controls, format
 * characters (zero width, bidirectional), what Unicode lets a font leave out (fillers, variation
 * selectors), separators and spaces other than the plain one, unassigned and private code points, and
 * the Braille blank.
 */
const invisible =
  /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\u2800]|(?! )\p{Zs}/gu;

/** The text with every invisible or direction-changing character written out, such as `\u{202E}`. */
export function visibleText(text: string): string {
  return text.replace(invisible, (character) => {
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
  });
}

/**
 * An argument as one sees where it begins and ends: quoted when it is empty or has spaces, quotes or
 * backslashes, which are doubled, so that no two arguments look alike.
 */
export function quotedText(text: string): string {
  return text === '' || /[\s"'\\]/.test(text)
    ? `"${visibleText(text.replaceAll(/["\\]/g, '\\$&'))}"`
    : visibleText(text);
}
