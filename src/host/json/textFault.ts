/** How many characters the texts of a value may have. */
export interface TextLimits {
  /** Of the name of a member. */
  readonly names: number;
  readonly others: number;
  /** Of the text, or of each text in the list, that a member of this name holds, at any depth. */
  readonly byName?: ReadonlyMap<string, number>;
  /** Whether the texts are run or sent as they are: then none has a character that would be changed or end it. */
  readonly isPassedOn?: boolean;
}

/** What is wrong with a text: where it is, and a clause that follows the name of the place. */
export interface TextFault {
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

/**
 * The first text in a value that is not within its limits; undefined if each is. The value must not be nested too deeply.
 *
 * @param most for the value itself, and without `byName` for all that it holds.
 */
export function textFault(value: unknown, limits: TextLimits, most = limits.others): TextFault | undefined {
  if (typeof value === 'string') {
    return faultOf(value, most, limits);
  }
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  if (Array.isArray(value)) {
    for (const [index, part] of (value as unknown[]).entries()) {
      const fault = textFault(part, limits, most);
      if (fault) {
        return { ...fault, path: [index, ...fault.path] };
      }
    }
    return undefined;
  }
  for (const [name, part] of Object.entries(value)) {
    const fault = faultOf(name, limits.names, limits);
    if (fault) {
      return { path: [], reason: `has a name that ${fault.reason}` };
    }
    const inside = textFault(part, limits, limits.byName ? (limits.byName.get(name) ?? limits.others) : most);
    if (inside) {
      return { ...inside, path: [name, ...inside.path] };
    }
  }
  return undefined;
}

function faultOf(text: string, most: number, { isPassedOn = false }: TextLimits): TextFault | undefined {
  const reason =
    text.length > most
      ? `has more than ${most.toLocaleString('en-US')} characters`
      : isPassedOn && text.includes('\0')
        ? 'has the character NUL, which ends a text'
        : isPassedOn && !text.isWellFormed()
          ? 'has half of a character (a surrogate alone)'
          : undefined;
  return reason === undefined ? undefined : { path: [], reason };
}

/** The fault as a clause that names the member. */
export function faultClause({ path, reason }: TextFault): string {
  const member = path.findLast((part) => typeof part === 'string');
  return `${member === undefined ? 'a text' : `\`${member.slice(0, 100)}\``} ${reason}`;
}
