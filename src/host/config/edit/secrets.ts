import { authScheme, isPlaceholder, looksLikeSecret } from '../../../base/text/secretShapes.ts';
import { wordsOf, type AnyLaunch, type InputDeclaration, type WrittenLaunch } from '../serverDefinition.ts';
import { isSecretSignInField, secretSignInFields, signInNames, type SignInOptions } from '../signInFields.ts';
import type { ServerDraft } from './serverDraft.ts';
import { firstFree } from './suggestName.ts';

/** A text in a launch that looks like a secret. */
export interface FoundSecret {
  readonly place: 'env' | 'headers' | 'args' | 'url' | 'oauth';
  /** The variable, header, option, parameter or field that has it as its value. */
  readonly name: string;
  readonly value: string;
  /** The part of the text before the value, such as `Bearer ` or `--token=`. */
  readonly prefix: string;
  /** The index of the argument, for `args`. */
  readonly index: number;
}

/** Every text of a launch that looks like a secret, in the order of the launch. */
export function secretsIn(launch: WrittenLaunch): readonly FoundSecret[] {
  const { args = [], env = {}, url = '', headers = {}, oauth }: AnyLaunch = launch;
  return [
    ...secretsOfArgs(args),
    ...secretsOfRecord('env', env),
    ...secretsOfUrl(url),
    ...secretsOfRecord('headers', headers),
    ...secretsOfSignIn(oauth),
  ];
}

const MASK = '••••••';
/** Each secret is looked for in the whole: with more of them, no argument is shown. */
const MAX_MASKED = 100;

/** The command line or address of a launch, with its secrets masked, for a row. */
export function launchLabel(launch: WrittenLaunch): string {
  const secrets = secretsIn(launch);
  const { command, url }: AnyLaunch = launch;
  if (command !== undefined && secrets.length > MAX_MASKED) {
    return `${command} ${MASK}`;
  }
  const start = url ?? wordsOf(launch).join(' ');
  return secrets.reduce((text, { value }) => text.replaceAll(value, MASK), start);
}

/** The draft with an input in place of each secret. The secrets are in `values`, except those of examples. */
export function withSecretsAsInputs(
  draft: ServerDraft,
  secrets: readonly FoundSecret[],
  takenIds: ReadonlySet<string> = new Set(),
  isExample: (value: string) => boolean = isPlaceholder,
): ServerDraft {
  const inputs = [...draft.inputs];
  const values = new Map(draft.values);
  const known = new Map(inputs.map(({ id }) => [values.get(id), id]));
  const taken = new Set([...takenIds, ...inputs.map(({ id }) => id)]);
  const counts = new Map<string, number>();
  const references = secrets.map((secret): [FoundSecret, string] => {
    const knownId = known.get(secret.value);
    if (knownId !== undefined) {
      return [secret, `\${input:${knownId}}`];
    }
    const input = secretInput(draft.name, secret.name, taken, counts);
    inputs.push(input);
    taken.add(input.id);
    if (!isExample(secret.value)) {
      values.set(input.id, secret.value);
      known.set(secret.value, input.id);
    }
    return [secret, `\${input:${input.id}}`];
  });
  return { ...draft, launch: withReferences(draft.launch, references), inputs, values };
}

/** An id of letters, digits and hyphens that is not taken. */
export function freeId(wanted: string, taken: ReadonlySet<string>, counts?: Map<string, number>): string {
  const id = wanted
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  return firstFree(id || 'input', taken, counts);
}

/** The declaration of an input for a secret of a server, with a free id. */
export function secretInput(
  server: string,
  name: string,
  taken: ReadonlySet<string>,
  counts?: Map<string, number>,
): InputDeclaration {
  const words = isSecretSignInField(name) ? signInNames[name] : name;
  const id = freeId(`${server}-${words}`, taken, counts);
  return { type: 'promptString', id, description: `${words} for ${server}`, password: true };
}

function withReferences(
  launch: WrittenLaunch,
  references: readonly (readonly [FoundSecret, string])[],
): WrittenLaunch {
  const texts = (place: FoundSecret['place']): [string, string][] =>
    references.flatMap(([secret, reference]): [string, string][] =>
      secret.place === place
        ? [[place === 'args' ? String(secret.index) : secret.name, secret.prefix + reference]]
        : [],
    );
  if (launch.type === 'stdio') {
    const args = Object.assign([...launch.args], Object.fromEntries(texts('args')));
    return { ...launch, args, env: Object.fromEntries([...Object.entries(launch.env), ...texts('env')]) };
  }
  const headers = Object.fromEntries([...Object.entries(launch.headers), ...texts('headers')]);
  const oauth = launch.oauth && { oauth: { ...launch.oauth, ...Object.fromEntries(texts('oauth')) } };
  const url = references.reduce((written, [{ place, name, prefix, value }, reference]) => {
    const whole = `${encodeURIComponent(name)}=`;
    return place === 'url'
      ? written.replace(prefix + value, () => `${prefix || whole}${reference}`)
      : written;
  }, launch.url);
  return { ...launch, url, headers, ...oauth };
}

function secretsOfRecord(
  place: 'env' | 'headers',
  record: Readonly<Record<string, string>>,
): readonly FoundSecret[] {
  return Object.entries(record)
    .filter(([name, value]) => looksLikeSecret(name, value))
    .map(([name, value]) => {
      const [prefix = ''] = place === 'headers' ? (authScheme.exec(value) ?? []) : [];
      return { place, name, value: value.slice(prefix.length), prefix, index: 0 };
    });
}

/** Whatever is written for a secret counts, because nothing but an input can be. */
function secretsOfSignIn(oauth: SignInOptions = {}): readonly FoundSecret[] {
  return secretSignInFields.flatMap((name): FoundSecret[] => {
    const value = oauth[name];
    return value === undefined || value.includes('${')
      ? []
      : [{ place: 'oauth', name, value, prefix: '', index: 0 }];
  });
}

function secretsOfArgs(args: readonly string[]): readonly FoundSecret[] {
  return args.flatMap((arg, index): FoundSecret[] => {
    const found = { place: 'args', index } as const;
    const [prefix, option] = /^--?([\w.-]+)=/.exec(arg) ?? [];
    if (prefix !== undefined && option !== undefined) {
      const value = arg.slice(prefix.length);
      return looksLikeSecret(option, value) ? [{ ...found, name: option, value, prefix }] : [];
    }
    // `NAME=value` after `docker run -e`, or `Name: value` after `--header`.
    const [assigned, name] = /^([A-Za-z][\w-]*)(?:=|:\s*)(?!\/\/)/.exec(arg) ?? [];
    if (assigned !== undefined && name !== undefined) {
      const [scheme = ''] = authScheme.exec(arg.slice(assigned.length)) ?? [];
      const before = assigned + scheme;
      const value = arg.slice(before.length);
      return looksLikeSecret(name, arg.slice(assigned.length))
        ? [{ ...found, name, value, prefix: before }]
        : [];
    }
    const [, before] = /^--?([\w.-]+)$/.exec(args[index - 1] ?? '') ?? [];
    const isOption = arg.startsWith('-') && !arg.startsWith('-----BEGIN');
    return !isOption && looksLikeSecret(before ?? '', arg)
      ? [{ ...found, name: before ?? `argument-${index + 1}`, value: arg, prefix: '' }]
      : [];
  });
}

function secretsOfUrl(url: string): readonly FoundSecret[] {
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? [];
  return query.split('&').flatMap((pair): FoundSecret[] => {
    const [, raw, value] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
    return raw !== undefined && value !== undefined && looksLikeSecret(raw, value)
      ? [{ place: 'url', name: raw, value, prefix: `${raw}=`, index: 0 }]
      : [];
  });
}
