import type { ServerDefinition } from '../config/serverDefinition.ts';
import { quotedText, visibleText } from './visibleText.ts';

/**
 * The whole launch as the person is shown it before it is allowed: each argument on its own line, nothing
 * cut, nothing invisible. Values of variables and headers are left out, because they are often secrets.
 */
export function launchText(definition: ServerDefinition, workingDirectory: string): string {
  const lines: string[] = [];
  const names = (title: string, record: Readonly<Record<string, string>>): void => {
    const all = Object.keys(record);
    if (all.length > 0) {
      lines.push(`${title}: ${all.map(visibleText).join(', ')}`);
    }
  };
  if (definition.type === 'stdio') {
    lines.push(`Command: ${quotedText(definition.command)}`);
    definition.args.forEach((arg, index) => lines.push(`Argument ${index + 1}: ${quotedText(arg)}`));
    lines.push(`Working directory: ${visibleText(workingDirectory)}`);
    names('Environment variables', definition.env);
  } else {
    lines.push(`Address: ${visibleText(definition.url)}`);
    names('Headers', definition.headers);
  }
  return lines.join('\n');
}
