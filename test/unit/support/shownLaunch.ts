import { quotedText, visibleText } from '../../../src/base/text/visibleText.ts';
import type { ServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import { launchRows } from '../../../src/host/launch/question/launchText.ts';

/**
 * The whole launch as text, as you see it before you allow it: each argument on its own line,
 * nothing cut, nothing invisible.
 */
export function launchText(definition: ServerDefinition, workingDirectory: string): string {
  const lines = launchRows(definition, workingDirectory).flatMap(({ kind, title, values, isQuoted }) => {
    const shown = values.map(isQuoted ? quotedText : visibleText);
    switch (kind) {
      case 'arguments':
        return shown.map((value, index) => `Argument ${index + 1}: ${value}`);
      case 'names':
        return [`${title}:`, ...shown.map((value) => `  ${value}`)];
      default:
        return [`${title}: ${shown.join(', ')}`];
    }
  });
  return lines.join('\n');
}
