import { replacedBraces } from '../braces.ts';
import type { ImportDialect } from './importLocations.ts';

/** The program whose fields and variables are used; `any` for a snippet, which does not say. */
export type SnippetDialect = ImportDialect | 'any';

/** The variables that mean the same in our settings. */
const ours = /^(workspaceFolder(:.+)?|userHome|pathSeparator|env:[^:]+|input:.+)$/;

/**
 * A text with another program's variables written as ours. A variable that does not exist here stays as it is, with
 * a note: the server reports it instead of starting with something else.
 */
export function mapVariables(text: string, dialect: SnippetDialect, notes: string[]): string {
  if (dialect === 'claudeDesktop') {
    if (text.includes('${')) {
      notes.push(`"${text}" is plain text in Claude Desktop; here \${…} is a variable.`);
    }
    return text;
  }
  const braces = replacedBraces(text, (name, whole) => mapped(whole, name, dialect, notes));
  // Copilot CLI also has $NAME.
  return dialect === 'copilotCli'
    ? braces.replaceAll(/\$([A-Za-z_]\w*)/g, (_, name: string) => `\${env:${name}}`)
    : braces;
}

function mapped(whole: string, name: string, dialect: SnippetDialect, notes: string[]): string {
  if (ours.test(name)) {
    return whole;
  }
  if (name === '/') {
    return '${pathSeparator}';
  }
  const [, variable, preset] = /^([A-Za-z_]\w*)(?::-([^]*))?$/.exec(name) ?? [];
  const hasShellForm = dialect === 'claudeCode' || dialect === 'copilotCli' || dialect === 'any';
  const isEditorVariable = /^(workspaceFolder|file|relativeFile|lineNumber|selectedText|execPath|cwd)/.test(
    name,
  );
  if (hasShellForm && variable !== undefined && !isEditorVariable) {
    if (preset !== undefined) {
      notes.push(
        `The default "${preset}" of ${whole} is not imported: the variable ${variable} must be set.`,
      );
    }
    return `\${env:${variable}}`;
  }
  notes.push(`The variable ${whole} does not exist here: replace it with a value.`);
  return whole;
}
