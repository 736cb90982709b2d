import { isRecord } from '../../base/values/record.ts';
import { bracedParts } from './braces.ts';
import { ownValue } from './fieldTypes.ts';
import type { DefinitionOrigin, WrittenLaunch } from './serverDefinition.ts';
import { transports } from './transports.ts';

/** What stands between `${` and `}`. */
export type Variable =
  | { readonly kind: 'workspaceFolder'; readonly name?: string }
  | { readonly kind: 'userHome' }
  | { readonly kind: 'pathSeparator' }
  | { readonly kind: 'environment'; readonly name: string; readonly default?: string }
  | { readonly kind: 'input'; readonly id: string };

/** A variable that does not exist; `advice` says what to write instead. */
export interface UnknownVariable {
  readonly kind: 'unknown';
  readonly text: string;
  readonly advice: string;
}

/** A piece of plain text, or a variable in it. */
export type TextPart = string | Variable | UnknownVariable;

/**
 * Splits a text at its variables. Settings have the editor's own variables (`${workspaceFolder}`, `${env:NAME}`, …), a
 * `.mcp.json` the most usual of them and those of other programs (`${NAME}`, `${NAME:-default}`); both have `${input:id}`.
 * What comes with the extension has none.
 */
export function textParts(text: string, format: DefinitionOrigin['format']): readonly TextPart[] {
  if (format === 'extension') {
    return text === '' ? [] : [text];
  }
  return bracedParts(text).map((part) =>
    part.inside === undefined ? part.text : variableOf(part.inside, format),
  );
}

/** The variables of a text, in order. */
export function variablesIn(
  text: string,
  format: DefinitionOrigin['format'],
): readonly (Variable | UnknownVariable)[] {
  return textParts(text, format).filter((part) => typeof part !== 'string');
}

/** A variable as it is written in a format; unique to the variable. */
export function variableText(
  variable: Variable | UnknownVariable,
  format: DefinitionOrigin['format'],
): string {
  switch (variable.kind) {
    case 'workspaceFolder':
      return variable.name === undefined ? '${workspaceFolder}' : `\${workspaceFolder:${variable.name}}`;
    case 'userHome':
    case 'pathSeparator':
      return `\${${variable.kind}}`;
    case 'environment': {
      const fallback = variable.default === undefined ? '' : `:-${variable.default}`;
      return format === 'settings' ? `\${env:${variable.name}}` : `\${${variable.name}${fallback}}`;
    }
    case 'input':
      return `\${input:${variable.id}}`;
    case 'unknown':
      return `\${${variable.text}}`;
  }
}

/** A text of a definition, and its path. */
export interface PlacedText {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** The texts of a definition in which variables are replaced: all texts of its launch. */
export function expandableTexts(launch: WrittenLaunch): readonly PlacedText[] {
  const texts: PlacedText[] = [];
  mapTexts(launch, (text, path) => {
    texts.push({ path, text });
    return text;
  });
  return texts;
}

/** The launch with every text replaced; names of variables and headers stay. */
export function mapTexts<Launch extends WrittenLaunch>(
  launch: Launch,
  change: (text: string, path: PlacedText['path']) => string,
): Launch {
  const mapped = (value: unknown, path: PlacedText['path']): unknown => {
    if (typeof value === 'string') {
      return change(value, path);
    }
    if (Array.isArray(value)) {
      return value.map((item, index) => mapped(item, [...path, index]));
    }
    return isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapped(item, [...path, name])]))
      : value;
  };
  const fields = Object.keys(transports[launch.type].fields);
  const held = fields.filter((field) => ownValue(launch, field) !== undefined);
  return {
    ...launch,
    ...Object.fromEntries(held.map((field) => [field, mapped(ownValue(launch, field), [field])])),
  };
}

function variableOf(text: string, format: DefinitionOrigin['format']): Variable | UnknownVariable {
  if (text.startsWith('input:') && text.length > 'input:'.length && !text.includes('${')) {
    return { kind: 'input', id: text.slice('input:'.length) };
  }
  return format === 'settings' ? settingsVariable(text) : mcpJsonVariable(text);
}

function settingsVariable(text: string): Variable | UnknownVariable {
  const [name = '', ...rest] = text.split(':');
  const argument = rest.length > 0 ? rest.join(':') : undefined;
  if (argument === undefined) {
    switch (name) {
      case 'workspaceFolder':
      case 'userHome':
        return { kind: name };
      case 'pathSeparator':
      case '/':
        return { kind: 'pathSeparator' };
    }
  } else if (argument !== '' && !argument.includes('${')) {
    switch (name) {
      case 'workspaceFolder':
        return { kind: 'workspaceFolder', name: argument };
      case 'env':
        return { kind: 'environment', name: argument };
    }
  }
  const advice = /^[A-Z_][A-Z0-9_]*$/.test(text)
    ? `for an environment variable write \${env:${text}}.`
    : 'use ${workspaceFolder}, ${workspaceFolder:name}, ${userHome}, ${env:NAME}, ${input:id}, or ${pathSeparator}.';
  return { kind: 'unknown', text, advice };
}

/** Variables of the editor that no environment variable is called. */
const ofEditor =
  /^(?:workspaceFolderBasename|workspaceRoot|pathSeparator|\/|cwd|execPath|lineNumber|columnNumber|selectedText|(?:relativeFile|file)(?:Dirname|DirnameBasename|Basename|BasenameNoExtension|Extname|WorkspaceFolder)?)$/;

function mcpJsonVariable(text: string): Variable | UnknownVariable {
  if (text === 'workspaceFolder' || text === 'userHome') {
    return { kind: text };
  }
  const [, ofEnvironment] = /^env:([^\s:${}]+)$/.exec(text) ?? [];
  const [, name = ofEnvironment, fallback] = /^([^\s:${}]+)(?::-([^]*))?$/.exec(text) ?? [];
  if (name !== undefined && !ofEditor.test(text) && !fallback?.includes('${')) {
    return { kind: 'environment', name, ...(fallback !== undefined && { default: fallback }) };
  }
  const advice =
    text === 'pathSeparator' || text === '/'
      ? 'in .mcp.json write /.'
      : 'in .mcp.json use ${NAME}, ${NAME:-default}, ${env:NAME}, ${workspaceFolder}, ${userHome}, or ${input:id}.';
  return { kind: 'unknown', text, advice };
}
