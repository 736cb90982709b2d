import type { AnyLaunch, ServerDefinition, StdioServerDefinition } from '../../config/serverDefinition.ts';
import { signInNames, type SignInField } from '../../config/signInFields.ts';
import { capitalized } from '../../../base/text/words.ts';
import { isTexts } from '../../../base/values/record.ts';
import { launchTable, type LaunchField } from '../launchTable.ts';
import { shownPair, shownSignIn } from './shownValue.ts';

/** One thing that a launch has, as it is written. */
export interface LaunchRow {
  readonly title: string;
  readonly isQuoted: boolean;
  readonly kind: LaunchField['row'] | 'program';
  readonly values: readonly string[];
}

/**
 * The whole launch, thing by thing. Of the values of variables and headers only the references are there: the rest is
 * masked, because it is often a secret.
 */
export function launchRows(definition: ServerDefinition, workingDirectory: string): readonly LaunchRow[] {
  const { format } = definition.origin;
  const { program, ...launch }: AnyLaunch & Pick<StdioServerDefinition, 'program'> = definition;
  const cwd = launch.command === undefined ? undefined : workingDirectory;
  const held = { ...launch, cwd, oauth: signInTexts(definition) };
  const rows = Object.entries(launchTable).map(([field, { row, title, isQuoted = false }]): LaunchRow => {
    const value = held[field as keyof AnyLaunch] ?? [];
    const values =
      typeof value === 'string' || isTexts(value)
        ? [value].flat()
        : Object.entries(value).map((pair) => shownPair(pair, format));
    return { kind: row, title, isQuoted, values };
  });
  return [programRow(program), ...rows].filter(({ values }) => values.length > 0);
}

/** How you would sign in, such as `Client ID: abc`. */
function signInTexts(launch: ServerDefinition): readonly string[] {
  return Object.entries(shownSignIn(launch)).map(
    ([field, shown]) => `${capitalized(signInNames[field as SignInField])}: ${shown}`,
  );
}

/** What is behind the paths of a program that comes with this extension. */
function programRow(program: StdioServerDefinition['program']): LaunchRow {
  const words = program && `${programWords[program]}, run by the editor's own Node`;
  return { kind: 'program', title: 'Program', values: words === undefined ? [] : [words], isQuoted: false };
}

const programWords = {
  sample: 'The sample server that comes with MCP Host',
  recording: 'A program of MCP Host that answers from a recording',
} as const;
