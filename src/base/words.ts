/** A count with its noun, such as "1 tool" and "1,200 tools"; the plural is regular. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** A clause, as a sentence begins. */
export function capitalized(clause: string): string {
  return clause.charAt(0).toUpperCase() + clause.slice(1);
}
