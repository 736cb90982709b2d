import { isServerAddress, isSocketScheme } from '../../addresses/serverAddress.ts';
import { isRecord } from '../../../base/values/record.ts';
import { inputsFor } from '../import/mapInputs.ts';
import { launchFields } from '../fields.ts';
import { namedTexts, ownValue, texts, type Field, type Fields, type ValueOf } from '../fieldTypes.ts';
import type { AnyLaunch, DefinitionScope, InputDeclaration, WrittenLaunch } from '../serverDefinition.ts';
import { transports } from '../transports.ts';
import { problemOfHeader, problemOfToken, problemOfTokenHeader } from '../tokenText.ts';
import { isSecretSignInField, signInNames, type SignInOptions } from '../signInFields.ts';
import { forPlace, otherReaders, renamed } from '../edit/fitDraft.ts';
import { isPlaceholder, looksLikeSecret, namesSecret } from '../../../base/text/secretShapes.ts';
import { secretsIn, withSecretsAsInputs, type FoundSecret } from '../edit/secrets.ts';
import type { ServerDraft } from '../edit/serverDraft.ts';
import type { ServersFile } from '../edit/serversFile.ts';
import { problemOfName, type TakenNames } from '../edit/withServer.ts';
import { readSignInTexts, signInTexts } from './signInForm.ts';

export interface NamedText {
  readonly name: string;
  readonly value: string;
}

/** The fields of a launch that are typed as they are; `oauth` has fields of its own. */
const { oauth: _, ...httpFields } = launchFields.http;
const formFields = { stdio: launchFields.stdio, http: httpFields } as const;
const allFormFields = { ...formFields.stdio, ...formFields.http } as const;

/** The fields of a launch as they are typed; those of the other kind of server are empty. */
type TypedFields = {
  readonly [Name in keyof typeof allFormFields]: ValueOf<(typeof allFormFields)[Name]> extends infer Value
    ? Value extends string
      ? string
      : Value extends readonly string[]
        ? readonly string[]
        : readonly NamedText[]
    : never;
};

/** What is typed in each field of a launch: one text, several, or several with names. */
export const typedKinds = Object.fromEntries(
  Object.entries<Field>(allFormFields).map(([name, { type }]) => [
    name,
    type === namedTexts ? 'named' : type === texts ? 'texts' : 'text',
  ]),
) as Readonly<Record<keyof TypedFields, 'text' | 'texts' | 'named'>>;

/** A server while you edit it. */
export interface ServerForm extends TypedFields {
  readonly type: WrittenLaunch['type'];
  readonly name: string;
  /** Every field of `oauth` as text, empty without a value. */
  readonly signIn: readonly NamedText[];
  /** A token that is never in the file, under the header that it is sent in, which can be empty; see `sentHeader`. */
  readonly token?: NamedText;
  /** The place of the file that it is saved in. */
  readonly place: string;
  /** Values that were entered for inputs, by id. */
  readonly values: readonly NamedText[];
  /** Whether a secret is kept out of the file, by its key, where you chose. */
  readonly kept: Readonly<Record<string, boolean>>;
  /** The URIs of the folders to share; without it, those that are proposed. */
  readonly folders?: readonly string[];
  /** Whether the server is made available to chat; without it, it isn't. */
  readonly inChat?: boolean;
}

/** A sentence about one field: `name`, `command`, `args.0`, `env.0.name`, `env.0.value`, `signIn.issuer`. */
export interface FieldNote {
  readonly field: string;
  readonly text: string;
}

/** A text that can be kept out of the file. */
export interface SecretField {
  readonly key: string;
  readonly field: string;
  readonly isKept: boolean;
  /** It can't be in the file. */
  readonly isAlwaysKept?: true;
}

/** Where a form is saved, and which names the file already has. */
export interface FormPlace {
  readonly where: ServersFile;
  readonly scope: DefinitionScope;
  readonly taken: TakenNames;
}

/** What is read from a form. */
export interface FormReading {
  /** What is written, if there are no problems. */
  readonly draft: ServerDraft;
  readonly problems: readonly FieldNote[];
  readonly hints: readonly FieldNote[];
  readonly secrets: readonly SecretField[];
}

/** The form of a launch. Secrets that are only examples are left out, so that you enter your own. */
export function serverFormOf(name: string, place: string, launch: WrittenLaunch): ServerForm {
  const { oauth }: AnyLaunch = launch;
  const typed = Object.entries<Field>(allFormFields).map(([field, { default: preset = '' }]) => {
    const value = ownValue(launch, field) ?? preset;
    return [field, isRecord(value) ? named(value as Readonly<Record<string, string>>) : value];
  });
  return {
    // Each value has the form that its field's type requires.
    ...(Object.fromEntries(typed) as TypedFields),
    type: launch.type,
    name,
    signIn: signInTexts(oauth),
    place,
    values: [],
    kept: {},
  };
}

function named(record: Readonly<Record<string, string>>): readonly NamedText[] {
  return Object.entries(record).map(([name, value]) => ({ name, value: withoutExample(name, value) }));
}

function withoutExample(name: string, value: string): string {
  if (!isPlaceholder(value) || !(namesSecret(name) || looksLikeSecret(name, value))) {
    return value;
  }
  return /^(?:Bearer|Basic|Token|ApiKey)\s+/i.exec(value)?.[0] ?? '';
}

/** Reads a form. `declared` are the inputs that the launch may refer to. */
export function readForm(
  form: ServerForm,
  declared: readonly InputDeclaration[],
  { where, scope, taken }: FormPlace,
): FormReading {
  const signIn = readSignInTexts(form.signIn, scope);
  const launch = launchIn(form, signIn.oauth);
  const nameProblem = problemOfName(form.name, taken.servers);
  const problems = [
    ...(nameProblem === undefined ? [] : [{ field: 'name', text: nameProblem }]),
    ...launchProblems(form),
    ...(form.type === 'stdio' ? [] : [...tokenProblems(form), ...signIn.problems]),
  ];
  const found = secretsOf(form, launch);
  const kept = found.filter(({ isKept }) => isKept).map(({ secret }) => secret);
  const inputs = inputsFor(launch, declared, []);
  const values = new Map(
    form.values.filter(({ value }) => value !== '').map(({ name, value }) => [name, value]),
  );
  const used = new Set(inputs.map(({ id }) => id));
  const draft: ServerDraft = {
    name: form.name,
    launch,
    inputs,
    values: new Map([...values].filter(([id]) => used.has(id))),
  };
  const safe = renamed(
    withSecretsAsInputs(draft, kept, taken.inputs, isEmptyOrExample),
    form.name,
    taken.inputs,
  );
  const placed = forPlace(safe, where, taken.hasEnv);
  const readers = where === 'mcpJson' ? otherReaders(safe) : undefined;
  if (typeof placed === 'string') {
    problems.push({ field: 'place', text: placed });
  }
  return {
    draft: typeof placed === 'string' ? safe : placed,
    problems,
    hints: [...hintsOf(form, kept), ...(readers === undefined ? [] : [{ field: 'place', text: readers }])],
    secrets: found.map(({ secret, isKept }) => ({
      key: keyOf(form, secret),
      field: fieldOf(form, secret),
      isKept,
      ...(secret.place === 'oauth' && { isAlwaysKept: true }),
    })),
  };
}

/** What is typed on the page counts, unless it is clearly a placeholder of the documentation. */
function isEmptyOrExample(value: string): boolean {
  return value === '' || isExample(value);
}

function isExample(value: string): boolean {
  return /^<.*>$|^\[.*\]$|\byour[-_ ]|^x{4,}$|\/path\/to\//i.test(value);
}

function launchIn(form: ServerForm, oauth: SignInOptions | undefined): WrittenLaunch {
  const fields: Fields = formFields[transports[form.type].kind];
  const values = Object.entries(fields).flatMap(([name, { type, required }]) => {
    const typed = form[name as keyof TypedFields];
    const value =
      typeof typed === 'string'
        ? typed.trim()
        : type === namedTexts
          ? record(typed as readonly NamedText[])
          : typed;
    return value === '' && required === undefined ? [] : [[name, value]];
  });
  // The fields of this kind of server, except optional ones that are empty.
  return {
    type: form.type,
    ...Object.fromEntries(values),
    ...(form.type !== 'stdio' && oauth && { oauth }),
  } as WrittenLaunch;
}

function record(texts: readonly NamedText[]): Record<string, string> {
  return Object.fromEntries(texts.filter(isUsed).map(({ name, value }) => [name.trim(), value]));
}

function isUsed({ name, value }: NamedText): boolean {
  return name.trim() !== '' || value !== '';
}

function launchProblems(form: ServerForm): readonly FieldNote[] {
  if (form.type === 'stdio') {
    const isEmpty = form.command.trim() === '';
    return [
      ...(isEmpty ? [{ field: 'command', text: 'Enter the program that starts the server.' }] : []),
      ...namedProblems('env', form.env),
    ];
  }
  const url = form.url.trim();
  const hasScheme = /^(?:https?|unix|pipe):\/\//i.test(url);
  const isAddress = isServerAddress(url) || (hasScheme && url.includes('${'));
  return [
    ...(isAddress || url.startsWith('${')
      ? []
      : [{ field: 'url', text: 'Enter a complete address that begins with https:// or http://.' }]),
    ...namedProblems('headers', form.headers),
  ];
}

function tokenProblems({ token, url }: ServerForm): readonly FieldNote[] {
  if (!token || token.value.trim() === '') {
    return [];
  }
  const problem = isSocketScheme(url)
    ? 'Nobody signs in over a socket. If the server wants a token, add a header.'
    : url.includes('${')
      ? 'With a variable in the address, set the token after the first start.'
      : problemOfToken(token.value);
  const ofHeader = problemOfTokenHeader(token.name);
  return [
    ...(problem === undefined ? [] : [{ field: 'token', text: problem }]),
    ...(ofHeader === undefined ? [] : [{ field: 'tokenHeader', text: ofHeader }]),
  ];
}

function namedProblems(part: 'env' | 'headers', texts: readonly NamedText[]): readonly FieldNote[] {
  const names = texts.map(({ name }) => (part === 'headers' ? name.trim().toLowerCase() : name.trim()));
  return texts.flatMap((text, index) => {
    if (!isUsed(text)) {
      return [];
    }
    const name = text.name.trim();
    const isTwice = names.indexOf(names[index] ?? '') < index;
    const problem = isTwice
      ? `${name} is already in the list.`
      : name === '__proto__'
        ? 'This name cannot be used.'
        : part === 'env'
          ? /^[^=\s\0]+$/.test(name) || 'A variable needs a name without spaces and without "=".'
          : (problemOfHeader(name) ?? true);
    return problem === true ? [] : [{ field: `${part}.${index}.name`, text: problem }];
  });
}

interface Found {
  readonly secret: FoundSecret;
  readonly isKept: boolean;
}

/** The texts that look like secrets, and the variables or headers that were marked as secret or have no value yet. */
function secretsOf(form: ServerForm, launch: WrittenLaunch): readonly Found[] {
  const looks = secretsIn(launch);
  const { named: part } = transports[launch.type];
  const others = form[part].flatMap(({ name: typed, value }): FoundSecret[] => {
    const name = typed.trim();
    const isChosen = form.kept[`${part}:${name}`] === true || (value === '' && namesSecret(name));
    const isFound = looks.some((look) => look.place === part && look.name === name);
    return name !== '' && isChosen && !isFound && !value.includes('${')
      ? [{ place: part, name, value, prefix: '', index: 0 }]
      : [];
  });
  return [...looks, ...others].map((secret) => ({
    secret,
    isKept: secret.place === 'oauth' || (form.kept[keyOf(form, secret)] ?? true),
  }));
}

function keyOf(form: ServerForm, { place, name, index }: FoundSecret): string {
  return place === 'args' ? `args:${form.args[index] ?? ''}` : `${place}:${name}`;
}

function fieldOf(form: ServerForm, { place, name, index }: FoundSecret): string {
  switch (place) {
    case 'args':
      return `args.${index}`;
    case 'url':
      return 'url';
    case 'oauth':
      return `signIn.${name}`;
    case 'env':
    case 'headers':
      return `${place}.${form[place].findIndex((one) => one.name.trim() === name)}.value`;
  }
}

function wordsFor({ name }: FoundSecret): string {
  return isSecretSignInField(name) ? `the ${signInNames[name]}` : name;
}

/** Every text that is typed, by its field; see `FieldNote`. */
export function typedTexts(form: ServerForm): readonly FieldNote[] {
  const { name, signIn } = form;
  const ofLaunch = (Object.keys(typedKinds) as (keyof TypedFields)[]).flatMap((field) => {
    const typed = form[field];
    return typeof typed === 'string'
      ? [{ field, text: typed }]
      : typed.flatMap((one, index) =>
          typeof one === 'string'
            ? [{ field: `${field}.${index}`, text: one }]
            : [
                { field: `${field}.${index}.name`, text: one.name },
                { field: `${field}.${index}.value`, text: one.value },
              ],
        );
  });
  const ofSignIn = signIn.map(({ name: field, value }) => ({ field: `signIn.${field}`, text: value }));
  return [{ field: 'name', text: name }, ...ofLaunch, ...ofSignIn];
}

/** What is worth checking in a field, but does not keep the server from being saved. */
function hintsOf(form: ServerForm, kept: readonly FoundSecret[]): readonly FieldNote[] {
  const asked = new Map(
    kept
      .filter(({ value }) => isEmptyOrExample(value))
      .map((secret) => [fieldOf(form, secret), wordsFor(secret)] as const),
  );
  const values = typedTexts(form).filter(({ field }) => !/^envFile$|^name$|\.name$/.test(field));
  return values.flatMap(({ field, text }) => {
    const name = asked.get(field);
    if (name !== undefined) {
      return [{ field, text: `Enter ${name} here, or when the server first starts.` }];
    }
    return isExample(text) ? [{ field, text: 'This looks like an example. Replace it with your own.' }] : [];
  });
}
