import type { DefinitionOrigin } from '../../config/serverDefinition.ts';
import { textParts } from '../../config/variables.ts';

/** Stands for text of any length that is not shown, because it may be a secret. */
const MASK = '•••';

/**
 * The value of a variable or header as it may be shown: references as they are written, such as `${env:NAME}`, and the
 * mask for everything else, also for the default of a reference. An empty value stays empty.
 */
export function shownValue(text: string, format: DefinitionOrigin['format'], mask = MASK): string {
  let shown = '';
  let at = 0;
  for (const part of textParts(text, format)) {
    const end = typeof part === 'string' ? at + part.length : text.indexOf('}', at) + 1;
    const written = text.slice(at, end);
    at = end;
    if (typeof part === 'string' || part.kind === 'unknown') {
      // What is no variable may be anything. Two masks side by side would tell that there are two.
      shown += part === '' || shown.endsWith(mask) ? '' : mask;
    } else if (part.kind === 'environment' && part.default !== undefined && part.default !== '') {
      shown += `${written.slice(0, written.indexOf(':-') + 2)}${mask}}`;
    } else {
      shown += written;
    }
  }
  return shown;
}

/** A variable or header with its value, as they may be shown. */
export function shownPair(
  [name, value]: readonly [string, string],
  format: DefinitionOrigin['format'],
): string {
  return `${name}: ${shownValue(value, format)}`;
}

/** Whether something of a value can be shown. */
export function hasReference(text: string, format: DefinitionOrigin['format']): boolean {
  return textParts(text, format).some((part) => typeof part !== 'string' && part.kind !== 'unknown');
}
