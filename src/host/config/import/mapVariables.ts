import type { ImportDialect } from './importLocations.ts';

/** Whose fields and variables are meant; `any` for a snippet, which does not say. */
export type SnippetDialect = ImportDialect | 'any';

/** The variables that mean the same in our settings. */
const ours = /^(workspaceFolder(:.+)?|userHome|pathSeparator|env:[^:]+|input:.+)$/;

/**
 * A text with another program's variables written as ours. What has no equal stays as it is, and is noted:
 * the server then says so instead of starting with something else.
 */
export function mapVariables(text: string, dialect: SnippetDialect, notes: string[]): string {
  if (dialect === 'claudeDesktop') {
    if (text.includes('${')) {
      notes.push(`"${text}" is plain text there; here what is in \${…} is a variable.`);
    }
    return text;
  }
  const braces = text.replaceAll(/\$\{([^}]*)\}/g, (whole, name: string) =>
    mapped(whole, name, dialect, notes),
  );
  // Copilot CLI knows $NAME, too.
  return dialect === 'copilotCli'
    ? braces.replaceAll(/\$([A-Za-z_]\w*)/g, (_, name: string) => `\${env:${name}}`)
    : braces;
}

function mapped(whole: string, name: string, dialect: SnippetDialect, notes: string[]): string {
  if (ours.test(name) && dialect !== 'claudeCode' && dialect !== 'copilotCli') {
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
        `The default "${preset}" of ${whole} is not taken over: the variable ${variable} must be set.`,
      );
    }
    return `\${env:${variable}}`;
  }
  notes.push(`The variable ${whole} is not known here: replace it by a value.`);
  return whole;
}
