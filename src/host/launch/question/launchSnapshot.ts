import { randomBytes } from 'node:crypto';
import { sha256 } from '../../../base/text/sha256.ts';
import { hasTexts, isRecord, isTextRecord, isTexts } from '../../../base/values/record.ts';
import {
  givenTo,
  launchOfInput,
  type AnyLaunch,
  type DefinitionOrigin,
  type ServerDefinition,
} from '../../config/serverDefinition.ts';
import type { ResolvedLaunch } from '../resolvedLaunch.ts';
import { fixedVariables } from '../fixedTexts.ts';
import type { InstallationKey } from '../installationKey.ts';
import { hasReference, shownSignIn, shownValue } from './shownValue.ts';

/** Something by its name, with a hash of its value, which may be a secret. */
type Hashes = Readonly<Record<string, string>>;

/** What you were shown of a launch, kept to say later what has changed. */
export interface LaunchSnapshot {
  readonly type: ServerDefinition['type'];
  readonly salt: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The working directory of a process. */
  readonly cwd: string;
  readonly env: Hashes;
  readonly envFile: string;
  /** The variables in the file, with keyed hashes. */
  readonly envFileValues: Hashes;
  /** The whole path of the file, hashed; empty where it is not known. */
  readonly envFilePath: string;
  readonly isEnvFileRead: boolean;
  /** The places that variables stood for, by their texts. */
  readonly places: Readonly<Record<string, string>>;
  /** What the environment gave where that is fixed, by the variables' texts. */
  readonly values: Hashes;
  /** The address without its credentials. */
  readonly url: string;
  readonly urlHash: string;
  readonly headers: Hashes;
  readonly inputs: Hashes;
  /** How you would sign in, as it was shown, by its fields; absent without `oauth`. */
  readonly signIn?: Readonly<Record<string, string>>;
  /** What was shown of the values of `env` and `headers`, by their names. */
  readonly shown: Readonly<Record<string, string>>;
}

/** Give the salt of another snapshot to compare with it. */
export function snapshotOf(
  launch: ResolvedLaunch,
  key: Pick<InstallationKey, 'hash'>,
  salt = randomBytes(16).toString('hex'),
): LaunchSnapshot {
  const { definition, workingDirectory, envFile, envFilePath } = launch;
  const hash = (value: string): string => sha256(`${salt} ${value}`);
  const hashes = (entries: readonly (readonly [string, string])[]): Hashes =>
    Object.fromEntries(entries.map(([name, value]) => [name, hash(value)]));
  const { format } = definition.origin;
  const { command, args = [], env = {}, envFile: file, url, headers = {}, oauth } = keptOf(definition);
  const variables = file === undefined ? [] : Object.entries(envFile ?? {});
  const shown = Object.entries({ ...env, ...headers }).map(([name, value]) => [
    name,
    shownValue(value, format),
  ]);
  return {
    type: definition.type,
    salt,
    inputs: hashes(definition.inputs.map((input) => [input.id, launchOfInput(input)])),
    shown: Object.fromEntries(shown) as LaunchSnapshot['shown'],
    envFilePath: envFilePath === undefined ? '' : hash(envFilePath),
    isEnvFileRead: envFile !== undefined,
    ...variablesOf(launch, hash),
    command: command ?? '',
    args,
    cwd: command === undefined ? '' : workingDirectory,
    env: hashes(Object.entries(env)),
    envFile: file ?? '',
    envFileValues: Object.fromEntries(
      variables.map(([name, value]) => [name, hashedValue(key, salt, value)]),
    ),
    url: url === undefined ? '' : withoutCredentials(url, format),
    urlHash: url === undefined ? '' : hash(url),
    headers: hashes(Object.entries(headers)),
    ...(oauth && { signIn: shownSignIn(definition) }),
  };
}

/** Whether a value that was stored is a snapshot. */
export function isSnapshot(value: unknown): boolean {
  return (
    isRecord(value) &&
    hasTexts(value, 'type', 'salt', 'command', 'cwd', 'envFile', 'envFilePath', 'url', 'urlHash') &&
    isTexts(value['args']) &&
    typeof value['isEnvFileRead'] === 'boolean' &&
    ['env', 'envFileValues', 'headers', 'inputs', 'places', 'values', 'shown'].every((field) =>
      isTextRecord(value[field]),
    ) &&
    (value['signIn'] === undefined || isTextRecord(value['signIn']))
  );
}

/** Of a value in an `envFile`: without the key of this installation, nobody can find it by trying. */
export function hashedValue(key: Pick<InstallationKey, 'hash'>, salt: string, value: string): string {
  return key.hash(`${salt} ${value}`);
}

/** What a record has under a name of its own. */
export function ownValueIn(record: Hashes | undefined, name: string): string | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Places are shown again where they have changed; what the environment gives may be a secret. */
function variablesOf(
  launch: ResolvedLaunch,
  hash: (value: string) => string,
): Pick<LaunchSnapshot, 'places' | 'values'> {
  const fixed = fixedVariables(launch);
  return {
    places: Object.fromEntries(
      fixed.flatMap(({ written, meaning }) => (meaning.kind === 'place' ? [[written, meaning.value]] : [])),
    ),
    values: Object.fromEntries(
      fixed.flatMap(({ written, meaning }) => {
        switch (meaning.kind) {
          case 'environment':
          case 'default':
            return [[written, hash(meaning.value)]];
          case 'nothing':
            return [[written, '']];
          case 'place':
          case 'input':
            return [];
        }
      }),
    ),
  };
}

/** The paths of what comes with this extension change with its version and the editor's: they are not kept. */
function keptOf(definition: ServerDefinition): AnyLaunch {
  return definition.type !== 'stdio' || definition.program === undefined
    ? definition
    : { ...definition, command: 'MCP Host', args: [definition.program, ...givenTo(definition)], env: {} };
}

/** Of user, password and the values of the query, which often are keys, only references are kept. */
function withoutCredentials(url: string, format: DefinitionOrigin['format']): string {
  const shown = (value: string): string =>
    hasReference(value, format) ? shownValue(value, format, '…') : '…';
  const parts = url
    .replace(
      /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)(?=@)/i,
      (_, scheme: string, user: string) => scheme + shown(user),
    )
    .split(/(?=[&#])/);
  return parts
    .map((part) => {
      const name = part.startsWith('&') ? 0 : part.indexOf('?');
      const end = name < 0 ? -1 : part.indexOf('=', name);
      return end < 0 ? part : part.slice(0, end + 1) + shown(part.slice(end + 1));
    })
    .join('');
}
