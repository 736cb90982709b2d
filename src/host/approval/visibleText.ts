/**
 * Characters that a reader cannot see, or that change how their neighbours are shown: controls, format
 * characters (zero width, bidirectional), separators and spaces other than the plain one, unassigned and
 * private code points, and fillers that look like nothing.
 */
const invisible =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\u115F\u1160\u2800\u3164\uFFA0]|\u17B4|\u17B5|(?! )\p{Zs}/gu;

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

/** An argument as one sees where it begins and ends: quoted when it is empty or has spaces or quotes. */
export function quotedText(text: string): string {
  const visible = visibleText(text);
  return text === '' || /[\s"'\\]/.test(text) ? JSON.stringify(visible).replaceAll('\\\\', '\\') : visible;
}
