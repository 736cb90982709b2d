import { inputsFor } from '../import/mapInputs.ts';
import type { InputDeclaration, WrittenLaunch } from '../serverDefinition.ts';
import { forPlace, renamed } from '../edit/fitDraft.ts';
import {
  isPlaceholder,
  looksLikeSecret,
  namesSecret,
  secretsIn,
  withoutSecrets,
  type FoundSecret,
} from '../edit/secrets.ts';
import { textsOf, type ServerDraft } from '../edit/serverDraft.ts';
import type { ServersFile } from '../edit/serversFile.ts';
import { problemOfName, type TakenNames } from '../edit/withServer.ts';

export interface NamedText {
  readonly name: string;
  readonly value: string;
}

/** A server while it is edited: every text as it is typed. */
export interface ServerForm {
  readonly type: WrittenLaunch['type'];
  readonly name: string;
  /** The place of the file that it is saved in. */
  readonly place: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly envFile: string;
  readonly env: readonly NamedText[];
  readonly url: string;
  readonly headers: readonly NamedText[];
  /** What was entered for inputs, by id. */
  readonly values: readonly NamedText[];
  /** Whether a text is kept out of the file, by its key, where that was chosen. */
  readonly kept: Readonly<Record<string, boolean>>;
  /** The URIs of the folders to share; as proposed while nothing was chosen. */
  readonly folders?: readonly string[];
}

/** A sentence about one field: `name`, `command`, `args.0`, `env.0.name`, `env.0.value`. */
export interface FieldNote {
  readonly field: string;
  readonly text: string;
}

/** A text that can be kept out of the file. */
export interface SecretField {
  readonly key: string;
  readonly field: string;
  readonly isKept: boolean;
}

/** Where a form is saved, and what is there already. */
export interface FormPlace {
  readonly where: ServersFile;
  readonly taken: TakenNames;
}

/** What a form makes. */
export interface FormReading {
  /** What would be written; with problems it is not to be. */
  readonly draft: ServerDraft;
  readonly problems: readonly FieldNote[];
  readonly hints: readonly FieldNote[];
  readonly secrets: readonly SecretField[];
}

/** The form of a launch. Values of secrets that are only examples are left out: they are asked for. */
export function formOf(name: string, place: string, launch: WrittenLaunch): ServerForm {
  const none = { command: '', args: [], cwd: '', envFile: '', env: [], url: '', headers: [] };
  const common = { ...none, type: launch.type, name, place, values: [], kept: {} };
  if (launch.type !== 'stdio') {
    return { ...common, url: launch.url, headers: named(launch.headers) };
  }
  const { command, args, env, cwd = '', envFile = '' } = launch;
  return { ...common, command, args, cwd, envFile, env: named(env) };
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
  { where, taken }: FormPlace,
): FormReading {
  const launch = launchOf(form);
  const problems = [...nameProblem(form, taken), ...launchProblems(form)];
  const found = secretsOf(form, launch);
  const kept = found.filter(({ isKept }) => isKept).map(({ secret }) => secret);
  const inputs = inputsFor(textsOf(launch), declared, []);
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
  const safe = renamed(withoutSecrets(draft, kept, taken.inputs, isEmptyOrExample), form.name, taken.inputs);
  const placed = forPlace(safe, where);
  if (typeof placed === 'string') {
    problems.push({ field: 'place', text: placed });
  }
  return {
    draft: typeof placed === 'string' ? safe : placed,
    problems,
    hints: hintsOf(form, kept),
    secrets: found.map(({ secret, isKept }) => ({
      key: keyOf(form, secret),
      field: fieldOf(form, secret),
      isKept,
    })),
  };
}

/** What is typed in the page is meant, unless it is plainly what documentation leaves to be filled in. */
function isEmptyOrExample(value: string): boolean {
  return value === '' || isExample(value);
}

function isExample(value: string): boolean {
  return /^<.*>$|^\[.*\]$|\byour[-_ ]|^x{4,}$|\/path\/to\//i.test(value);
}

function launchOf(form: ServerForm): WrittenLaunch {
  if (form.type !== 'stdio') {
    return { type: form.type, url: form.url.trim(), headers: record(form.headers) };
  }
  const { command, args, cwd, envFile } = form;
  return {
    type: 'stdio',
    command: command.trim(),
    args,
    env: record(form.env),
    ...(envFile.trim() !== '' && { envFile: envFile.trim() }),
    ...(cwd.trim() !== '' && { cwd: cwd.trim() }),
  };
}

function record(texts: readonly NamedText[]): Record<string, string> {
  return Object.fromEntries(texts.filter(isUsed).map(({ name, value }) => [name.trim(), value]));
}

function isUsed({ name, value }: NamedText): boolean {
  return name.trim() !== '' || value !== '';
}

function nameProblem({ name }: ServerForm, { servers }: TakenNames): FieldNote[] {
  const text = problemOfName(name, servers);
  return text === undefined ? [] : [{ field: 'name', text }];
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
  const isAddress = /^https?:\/\//i.test(url) && (URL.canParse(url) || url.includes('${'));
  return [
    ...(isAddress || url.startsWith('${')
      ? []
      : [{ field: 'url', text: 'Enter a whole address that begins with https:// or http://.' }]),
    ...namedProblems('headers', form.headers),
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
      ? `${name} is there already.`
      : name === '__proto__'
        ? 'This name cannot be used.'
        : part === 'env'
          ? /^[^=\s\0]+$/.test(name) || 'A variable needs a name without spaces and without "=".'
          : /^[\w!#$%&'*+.^`|~-]+$/.test(name) || 'A header needs a name of letters, digits and hyphens.';
    return problem === true ? [] : [{ field: `${part}.${index}.name`, text: problem }];
  });
}

interface Found {
  readonly secret: FoundSecret;
  readonly isKept: boolean;
}

/** The texts that look like secrets, and the named ones that were chosen to be; those without a value, too. */
function secretsOf(form: ServerForm, launch: WrittenLaunch): readonly Found[] {
  const looks = secretsIn(launch);
  const part = launch.type === 'stdio' ? 'env' : 'headers';
  const others = (launch.type === 'stdio' ? form.env : form.headers)
    .filter(({ name, value }) => {
      const isMeant = form.kept[`${part}:${name.trim()}`] === true || (value === '' && namesSecret(name));
      return name.trim() !== '' && isMeant && !value.includes('${');
    })
    .map(({ name, value }) => name.trim() && { place: part, name: name.trim(), value })
    .filter((one) => one !== '')
    .filter(({ name }) => !looks.some((look) => look.place === part && look.name === name))
    .map((one): FoundSecret => ({ ...one, place: part, prefix: '', suffix: '', index: 0 }));
  return [...looks, ...others].map((secret) => ({
    secret,
    isKept: form.kept[keyOf(form, secret)] ?? true,
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
    case 'env':
    case 'headers':
      return `${place}.${form[place].findIndex((one) => one.name.trim() === name)}.value`;
  }
}

/** What deserves a look in a field, and stops nobody. */
function hintsOf(form: ServerForm, kept: readonly FoundSecret[]): readonly FieldNote[] {
  const texts: readonly (readonly [string, string])[] = [
    ['command', form.command],
    ...form.args.map((arg, index) => [`args.${index}`, arg] as const),
    ['cwd', form.cwd],
    ['url', form.url],
    ...(['env', 'headers'] as const).flatMap((part) =>
      form[part].map(({ value }, index) => [`${part}.${index}.value`, value] as const),
    ),
  ];
  const asked = new Map(
    kept
      .filter(({ value }) => isEmptyOrExample(value))
      .map((secret) => [fieldOf(form, secret), secret.name] as const),
  );
  return texts.flatMap(([field, text]) => {
    const name = asked.get(field);
    if (name !== undefined) {
      return [{ field, text: `Enter ${name} here, or you are asked for it at the first start.` }];
    }
    return isExample(text) ? [{ field, text: 'This looks like an example. Replace it by your own.' }] : [];
  });
}
