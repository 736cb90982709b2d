/** How deeply an item of a list or a block of content may be nested: a deeper one can't be compared or checked. */
export const MAX_DEPTH = 256;
/** Units of work that checking one value takes, about; checking takes longer than reading. */
const VALUE_WORK = 200;

/** What a value costs. */
export interface Weight {
  readonly values: number;
  /** Characters of its texts and of the names of its members. */
  readonly characters: number;
}

/** What a value costs; stops counting at `most`. Works without recursion, for any depth. */
export function weightOf(value: unknown, most: Weight): Weight {
  const left: unknown[] = [value];
  let values = 0;
  let characters = 0;
  while (left.length > 0 && values <= most.values && characters <= most.characters) {
    const one = left.pop();
    values += 1;
    if (typeof one === 'string') {
      characters += one.length;
    } else if (Array.isArray(one)) {
      // Its elements count before they are visited.
      if (values + left.length + one.length > most.values) {
        return { values: values + left.length + one.length, characters };
      }
      for (const part of one) {
        left.push(part);
      }
    } else if (typeof one === 'object' && one !== null) {
      for (const name in one) {
        characters += name.length;
        left.push((one as Readonly<Record<string, unknown>>)[name]);
        if (values + left.length > most.values) {
          return { values: values + left.length, characters };
        }
      }
    }
  }
  return { values, characters };
}

/** Whether a value of this weight exceeds the bounds. */
export function isOver({ values, characters }: Weight, most: Weight): boolean {
  return values > most.values || characters > most.characters;
}

/** How a value exceeds the bounds, as a clause that follows "it"; undefined if it doesn't. */
export function excessOf(value: unknown, most: Weight): string | undefined {
  const { values, characters } = weightOf(value, most);
  if (values > most.values) {
    // Depth first, if both apply, because it explains more.
    return isChain(value)
      ? `is nested more than ${MAX_DEPTH} levels deep`
      : `has more than ${most.values.toLocaleString('en-US')} values`;
  }
  return characters > most.characters
    ? `has more than ${most.characters.toLocaleString('en-US')} characters`
    : undefined;
}

/** The same with its subject. */
export function asClause(excess: string | undefined): string | undefined {
  return excess === undefined ? undefined : `it ${excess}`;
}

/** Whether it is nested too deeply along its first parts; others are not checked. */
function isChain(value: unknown): boolean {
  let one = value;
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    if (typeof one !== 'object' || one === null) {
      return false;
    }
    let next: unknown;
    let seen = 0;
    for (const name in one) {
      const part = (one as Readonly<Record<string, unknown>>)[name];
      next ??= typeof part === 'object' ? part : undefined;
      if ((seen += 1) > 20) {
        break;
      }
    }
    one = next;
  }
  return true;
}

/** Units of work that checking something takes; stops counting at `most`. */
export function workOf({ values, characters }: Weight, most: Weight): number {
  return VALUE_WORK * Math.min(values, most.values) + Math.min(characters, most.characters);
}

/** Bytes that a value of this weight takes in memory, about. */
export function bytesOf({ values, characters }: Weight): number {
  return 32 * values + 2 * characters;
}
