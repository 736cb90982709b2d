import { visibleText } from '../../base/text/visibleText.ts';
import type { AnyLaunch } from '../config/serverDefinition.ts';
import { isSecretSignInField, signInNames, type SignInField } from '../config/signInFields.ts';
import type { PlacedText } from '../config/variables.ts';
import { isLoaderVariable } from './loaderVariables.ts';

/** What a field has in a form besides its title. */
export interface FormWords {
  readonly label?: string;
  readonly hint?: string;
  /** One of its texts, for a field that has several. */
  readonly one?: string;
  /** Most servers don't need it. */
  readonly isFolded?: true;
}

/** What the question about a launch, the sentences about it and its approval make of one of its fields. */
export interface LaunchField {
  readonly row: 'command' | 'arguments' | 'directory' | 'address' | 'names' | 'file';
  readonly title: string;
  /** It matters where one of its values begins and ends. */
  readonly isQuoted?: true;
  /** What it is called within a sentence, or one of its texts if it has several. */
  readonly noun: string;
  /** What one of its texts is called, if not by the noun with its place or its name in the field. */
  readonly called?: (name: string) => string;
  /** Whether an approval fixes a text as it is filled in; without it, each. What others hand over is yours to change. */
  readonly isFixed?: (name: string) => boolean;
  /** Messages name a text only as it is written, also where it is fixed. */
  readonly staysAsWritten?: true;
  /** How the server learns its texts, if not by getting them: `unseen` is what only this host uses. */
  readonly learned?: 'when you sign in' | 'unseen';
  /** How the form of a server shows it; without it, the form has fields of its own. */
  readonly form?: FormWords;
}

/** The fields of a launch, in the order in which they are shown and compared. */
export const launchTable: Readonly<Record<keyof AnyLaunch, LaunchField>> = {
  command: {
    row: 'command',
    title: 'Command',
    isQuoted: true,
    noun: 'command',
    form: { hint: 'The program that starts the server. No shell is involved.' },
  },
  args: {
    row: 'arguments',
    title: 'Arguments',
    isQuoted: true,
    noun: 'argument',
    form: {
      one: 'Argument',
      hint: 'One each, without quotes. Enter adds one, Alt+Up and Alt+Down move it.',
    },
  },
  cwd: {
    row: 'directory',
    title: 'Working directory',
    noun: 'working directory',
    learned: 'unseen',
    form: { isFolded: true },
  },
  env: {
    row: 'names',
    title: 'Environment variables',
    noun: 'environment variable',
    isFixed: isLoaderVariable,
    staysAsWritten: true,
    form: {
      one: 'Variable',
      hint: 'Only these, and a few that every program needs, reach the server.',
    },
  },
  envFile: {
    row: 'file',
    title: 'Variables from the file',
    isQuoted: true,
    noun: 'path of the envFile',
    staysAsWritten: true,
    learned: 'unseen',
    form: { label: 'File with environment variables', isFolded: true },
  },
  url: {
    row: 'address',
    title: 'Address',
    noun: 'address',
    form: { hint: 'If the server requires an account, you sign in after you save it.' },
  },
  headers: {
    row: 'names',
    title: 'Headers',
    noun: 'header',
    isFixed: () => false,
    form: { one: 'Header', hint: 'Sent with every request.' },
  },
  oauth: {
    row: 'names',
    title: 'Sign-in',
    noun: 'sign-in',
    called: (field) => `the ${signInNames[field as SignInField]} for the sign-in`,
    isFixed: (field) => !isSecretSignInField(field),
    learned: 'when you sign in',
  },
};

/** What the table says of one text of a launch. */
export function textFacts({ path: [field, inner] }: Pick<PlacedText, 'path'>) {
  // Texts of a launch are in its fields.
  const { noun, called, isFixed, staysAsWritten, learned } = launchTable[field as keyof AnyLaunch];
  const name = String(inner ?? '');
  const place = typeof inner === 'number' ? `${noun} ${inner + 1}` : `the ${noun}`;
  const words = called?.(name) ?? (typeof inner === 'string' ? `${place} ${visibleText(inner)}` : place);
  const fixed = isFixed?.(name) ?? true;
  return {
    called: words,
    isFixed: fixed,
    /** Whether messages name it filled in. */
    isFilledIn: fixed && !staysAsWritten,
    /** Where the server learns it; undefined if it doesn't. */
    learned: learned === 'unseen' ? undefined : (learned ?? `in ${words}`),
  };
}
