import type {
  HttpServerDefinition,
  ServerDefinition,
  StdioServerDefinition,
} from '../../config/serverDefinition.ts';
import { signInNames, type SignInField } from '../../config/signInFields.ts';
import { capitalized } from '../../../base/text/words.ts';
import { shownPair, shownSignIn } from './shownValue.ts';

/** One thing that a launch has, as it is written: `quoted` where it matters where a value begins and ends. */
export interface LaunchRow {
  readonly kind: 'program' | 'command' | 'arguments' | 'directory' | 'address' | 'names' | 'file';
  readonly title: string;
  readonly values: readonly string[];
  readonly isQuoted: boolean;
}

/**
 * The whole launch, thing by thing. Of the values of variables and headers only the references are there: the rest is
 * masked, because it is often a secret.
 */
export function launchRows(definition: ServerDefinition, workingDirectory: string): readonly LaunchRow[] {
  const pairs = (record: Readonly<Record<string, string>>): readonly string[] =>
    Object.entries(record).map((pair) => shownPair(pair, definition.origin.format));
  const rows: LaunchRow[] =
    definition.type === 'stdio'
      ? [
          { kind: 'program', title: 'Program', values: programText(definition), isQuoted: false },
          { kind: 'command', title: 'Command', values: [definition.command], isQuoted: true },
          { kind: 'arguments', title: 'Arguments', values: definition.args, isQuoted: true },
          { kind: 'directory', title: 'Working directory', values: [workingDirectory], isQuoted: false },
          {
            kind: 'names',
            title: 'Environment variables',
            values: pairs(definition.env),
            isQuoted: false,
          },
          {
            kind: 'file',
            title: 'Variables from the file',
            values: definition.envFile === undefined ? [] : [definition.envFile],
            isQuoted: true,
          },
        ]
      : [
          { kind: 'address', title: 'Address', values: [definition.url], isQuoted: false },
          { kind: 'names', title: 'Headers', values: pairs(definition.headers), isQuoted: false },
          { kind: 'names', title: 'Sign-in', values: signInTexts(definition), isQuoted: false },
        ];
  return rows.filter(({ values }) => values.length > 0);
}

/** How you would sign in, such as `Client ID: abc`. */
function signInTexts(definition: HttpServerDefinition): readonly string[] {
  return Object.entries(shownSignIn(definition)).map(([field, shown]) => {
    const name = signInNames[field as SignInField];
    return `${capitalized(name)}: ${shown}`;
  });
}

/** What is behind the paths of a program that comes with this extension. */
function programText({ program }: StdioServerDefinition): readonly string[] {
  return program === undefined
    ? []
    : ["The sample server that comes with MCP Host, run by the editor's own Node"];
}
