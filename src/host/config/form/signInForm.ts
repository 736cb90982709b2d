import { isTexts } from '../../../base/values/record.ts';
import { ownValue, type Fields } from '../fieldTypes.ts';
import type { DefinitionScope } from '../serverDefinition.ts';
import {
  isSecretSignInField,
  signInFields,
  withoutUsersFields,
  workspaceRedirectProblem,
  type SignInOptions,
} from '../signInFields.ts';

/** A field of `oauth` as it is typed. */
interface SignInText {
  readonly name: string;
  readonly value: string;
}

/** What is read from the fields of a sign-in; a secret that was typed is still in it. */
export interface SignInReading {
  /** Undefined without any value. */
  readonly oauth: SignInOptions | undefined;
  readonly problems: readonly { readonly field: string; readonly text: string }[];
}

/** Every field of `oauth` as text. */
export function signInTexts(oauth: SignInOptions = {}): readonly SignInText[] {
  return Object.keys(signInFields).map((name) => {
    const value = ownValue(oauth, name);
    const text = isTexts(value) ? value.join(' ') : value === true ? 'true' : value;
    return { name, value: typeof text === 'string' ? text : '' };
  });
}

/** Reads the fields for a file of this scope, without what has no effect there. */
export function readSignInTexts(texts: readonly SignInText[], scope: DefinitionScope): SignInReading {
  const problems: { field: string; text: string }[] = [];
  const fields: Fields = signInFields;
  const entries = texts.flatMap(({ name, value }): [string, unknown][] => {
    const typed = value.trim();
    const type = Object.hasOwn(fields, name) ? fields[name]?.type : undefined;
    if (typed === '' || !type) {
      return [];
    }
    if (isSecretSignInField(name) && !typed.includes('${')) {
      return [[name, typed]];
    }
    const written = type.schema['type'] === 'boolean' ? typed === 'true' : typed;
    const read = type.read(written, name, (message) => {
      const text = isSecretSignInField(name)
        ? 'Enter the secret itself, or one input such as ${input:secret}.'
        : message;
      problems.push({ field: `signIn.${name}`, text });
    });
    return read === undefined ? [] : [[name, read]];
  });
  const all = Object.fromEntries(entries) as SignInOptions;
  const oauth = scope === 'user' ? all : withoutUsersFields(all);
  const text = scope === 'user' ? undefined : workspaceRedirectProblem(oauth);
  if (text !== undefined) {
    problems.push({ field: 'signIn.redirectUri', text });
  }
  return { oauth: Object.keys(oauth).length === 0 ? undefined : oauth, problems };
}
