/** Levels that are indented: deeper JSON would grow by its depth on every line. */
const MAX_DEPTH = 64;
/** Characters of indented text; if it would be longer, the JSON stays as it was sent. */
const MAX_CHARACTERS = 20_000_000;

/**
 * Valid JSON text on indented lines, with every token as it was sent, also large numbers, escapes and duplicate keys.
 * Text that is nested too deeply, or would grow too long, is returned as it is.
 */
export function indentJson(json: string): string {
  const lines: string[] = [];
  let line = '';
  let depth = 0;
  let isOpen = false;
  let length = 0;
  const startLine = (): void => {
    lines.push(line);
    length += line.length + 1;
    line = '  '.repeat(depth);
  };
  for (const token of tokensOf(json)) {
    const isClosing = token === '}' || token === ']';
    depth -= isClosing ? 1 : 0;
    // An empty object or array stays on its line.
    if (isClosing !== isOpen) {
      startLine();
    }
    isOpen = token === '{' || token === '[';
    line += token;
    if (isOpen) {
      depth += 1;
    } else if (token === ',') {
      startLine();
    } else if (token === ':') {
      line += ' ';
    }
    if (depth > MAX_DEPTH || length > MAX_CHARACTERS) {
      return json;
    }
  }
  lines.push(line);
  return lines.join('\n');
}

/** Strings are read by hand: a regular expression would keep a backtracking position for each character. */
function* tokensOf(json: string): Generator<string> {
  const other = /[^\s"{}[\],:]+/y;
  for (let at = 0; at < json.length;) {
    let end = at + 1;
    const first = json.charAt(at);
    if (first === '"') {
      while (end < json.length && json.charCodeAt(end) !== 0x22) {
        end += json.charCodeAt(end) === 0x5c ? 2 : 1;
      }
      end += 1;
      yield json.slice(at, end);
    } else if ('{}[],:'.includes(first)) {
      yield first;
    } else {
      other.lastIndex = at;
      const [text] = other.exec(json) ?? [];
      if (text !== undefined) {
        end = at + text.length;
        yield text;
      }
    }
    at = end;
  }
}
