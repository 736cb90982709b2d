import { visibleText } from '../../base/text/visibleText.ts';
import type { AnyLaunch } from '../config/serverDefinition.ts';
import { isSecretSignInField, signInNames, type SignInField } from '../config/signInFields.ts';
import type { PlacedText } from '../config/variables.ts';
import { isLoaderVariable } from './loaderVariables.ts';

/** What a field has in a form besides its title. */
interface FormWords {
  readonly label?: string;
  readonly hint?: string;
  /** One of its texts, for a field that has several. */
  readonly one?: string;
  /** Most servers don't need it. */
  readonly isFolded?: true;
}

/** What the question about a launch, the sentences about it and its approval make of one of its fields. */
export interface LaunchField {
  /** The row in the question: values are quoted where it matters where one begins and ends. */
  readonly row: 'command' | 'arguments' | 'directory' | 'address' | 'names' | 'file';
  readonly title: string;
  readonly isQuoted: boolean;
  /** What it is called within a sentence, or one of its texts if it has several. */
  readonly noun: string;
  /** What one of its texts is called, by its index or its name in the field; `the` and the noun if it has only one. */
  readonly called?: (inner: string) => string;
  /** Whether an approval fixes a text as it is filled in. What others hand over is yours to change. */
  readonly isFixed: (inner: string) => boolean;
  /** Messages name a text only as it is written, also where it is fixed. */
  readonly staysAsWritten?: true;
  /** How the form of a server shows it; without it, the form has fields of its own. */
  readonly form?: FormWords;
  /** How the server learns its texts, if not by getting them: `unseen` is what only this host uses. */
  readonly learned?: 'when you sign in' | 'unseen';
}

const always = (): boolean => true;
const byName =
  (noun: string) =>
  (name: string): string =>
    `the ${noun} ${visibleText(name)}`;

/** The fields of a launch, in the order in which they are shown and compared. */
export const launchTable = {
  command: {
    row: 'command',
    title: 'Command',
    isQuoted: true,
    noun: 'command',
    isFixed: always,
    form: { hint: 'The program that starts the server. No shell is involved.' },
  },
  args: {
    row: 'arguments',
    title: 'Arguments',
    isQuoted: true,
    noun: 'argument',
    called: (index) => `argument ${Number(index) + 1}`,
    isFixed: always,
    form: {
      one: 'Argument',
      hint: 'One each, without quotes. Enter adds one, Alt+Up and Alt+Down move it.',
    },
  },
  cwd: {
    row: 'directory',
    title: 'Working directory',
    isQuoted: false,
    noun: 'working directory',
    isFixed: always,
    form: { isFolded: true },
    learned: 'unseen',
  },
  env: {
    row: 'names',
    title: 'Environment variables',
    isQuoted: false,
    noun: 'environment variable',
    called: byName('environment variable'),
    isFixed: isLoaderVariable,
    form: {
      one: 'Variable',
      hint: 'Only these, and a few that every program needs, reach the server.',
    },
    staysAsWritten: true,
  },
  envFile: {
    row: 'file',
    title: 'Variables from the file',
    isQuoted: true,
    noun: 'path of the envFile',
    isFixed: always,
    form: { label: 'File with environment variables', isFolded: true },
    staysAsWritten: true,
    learned: 'unseen',
  },
  url: {
    row: 'address',
    title: 'Address',
    isQuoted: false,
    noun: 'address',
    isFixed: always,
    form: { hint: 'If the server requires an account, you sign in after you save it.' },
  },
  headers: {
    row: 'names',
    title: 'Headers',
    isQuoted: false,
    noun: 'header',
    called: byName('header'),
    isFixed: () => false,
    form: { one: 'Header', hint: 'Sent with every request.' },
  },
  oauth: {
    row: 'names',
    title: 'Sign-in',
    isQuoted: false,
    noun: 'sign-in',
    called: (field) => `the ${signInNames[field as SignInField]} for the sign-in`,
    isFixed: (field) => !isSecretSignInField(field),
    learned: 'when you sign in',
  },
} as const satisfies Readonly<Record<keyof AnyLaunch, LaunchField>>;

/** What the table says of one text of a launch. */
export function textAt({ path: [field, inner = ''] }: Pick<PlacedText, 'path'>): {
  readonly called: string;
  readonly isFixed: boolean;
  readonly isFilledIn: boolean;
  readonly learned: string | undefined;
} {
  // Texts of a launch are in its fields.
  const { noun, called, isFixed, staysAsWritten, learned }: LaunchField =
    launchTable[field as keyof AnyLaunch];
  const words = called?.(String(inner)) ?? `the ${noun}`;
  const fixed = isFixed(String(inner));
  return {
    called: words,
    isFixed: fixed,
    isFilledIn: fixed && !staysAsWritten,
    learned: learned === 'unseen' ? undefined : (learned ?? `in ${words}`),
  };
}
