/** The text without these characters at its end, in linear time: a pattern such as `a+$` tries again behind each of them. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] ?? '')) {
    end -= 1;
  }
  return text.slice(0, end);
}
