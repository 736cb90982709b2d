/** A stretch of a text: from `${` to the next `}`, or what stands around that. */
export interface BracedPart {
  readonly text: string;
  /** What stands between the braces. */
  readonly inside?: string;
}

/**
 * The stretches of a text, in order. In linear time: the pattern `\$\{[^}]*\}` looks for the brace again behind each `${`.
 */
export function bracedParts(text: string): readonly BracedPart[] {
  const parts: BracedPart[] = [];
  let end = 0;
  for (;;) {
    const start = text.indexOf('${', end);
    const brace = start < 0 ? -1 : text.indexOf('}', start);
    const plain = text.slice(end, brace < 0 ? undefined : start);
    if (plain !== '') {
      parts.push({ text: plain });
    }
    if (brace < 0) {
      return parts;
    }
    end = brace + 1;
    parts.push({ text: text.slice(start, end), inside: text.slice(start + 2, brace) });
  }
}

export function hasBraces(text: string): boolean {
  return bracedParts(text).some(({ inside }) => inside !== undefined);
}

export function withoutBraces(text: string): string {
  return replacedBraces(text, () => '');
}

export function replacedBraces(text: string, replaced: (inside: string, whole: string) => string): string {
  return bracedParts(text)
    .map((part) => (part.inside === undefined ? part.text : replaced(part.inside, part.text)))
    .join('');
}
