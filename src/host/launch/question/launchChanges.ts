import type { AnyLaunch } from '../../config/serverDefinition.ts';
import { signInNames } from '../../config/signInFields.ts';
import { launchTable } from '../launchTable.ts';
import { decidedBy } from '../loaderVariables.ts';
import { ownValueIn, type LaunchSnapshot } from './launchSnapshot.ts';
import { inQuotes, visibleText } from '../../../base/text/visibleText.ts';

/**
 * What has changed between two launches of one server, a sentence each. Both snapshots have the same
 * salt. Of the values of variables and headers only references are in them, and so in the sentences.
 *
 * @param changedValues The variables in the `envFile` whose values have changed; see `changedValues`.
 */
export function launchChanges(
  before: LaunchSnapshot,
  now: LaunchSnapshot,
  changedValues: readonly string[] = [],
): string[] {
  if ((before.type === 'stdio') !== (now.type === 'stdio')) {
    return [
      `It was ${before.type === 'stdio' ? 'a process' : 'reached at an address'}, now it is ${
        now.type === 'stdio' ? 'a process' : 'reached at an address'
      }.`,
      ...became('The command', before.command, now.command),
      ...became('The address', before.url, now.url),
    ];
  }
  const file = inQuotes(now.envFile);
  return [
    ...became('The type', before.type, now.type),
    ...(Object.keys(launchTable) as (keyof AnyLaunch)[]).flatMap((field) => fieldChanges(field, before, now)),
    ...namedChanges('input', before.inputs, now.inputs, [], 'The declaration of the input'),
    ...became('The file of environment variables', before.envFile, now.envFile),
    ...namedChanges(`environment variable in ${file}`, namesInFile(before), namesInFile(now)),
    ...changedValues.map((name) => valueChange(name, file)),
    ...fileChanges(before, now),
    ...variableChanges(before, now),
  ];
}

function fieldChanges(field: keyof AnyLaunch, before: LaunchSnapshot, now: LaunchSnapshot): string[] {
  const { noun } = launchTable[field];
  switch (field) {
    case 'args':
      return argumentChanges(before.args, now.args);
    case 'env':
    case 'headers':
      return namedChanges(noun, before[field], now[field], [before.shown, now.shown]);
    case 'oauth':
      return signInChanges(before.signIn, now.signIn);
    case 'envFile':
      // It comes last, with what is in it.
      return [];
    case 'url':
      return before.url === now.url && before.urlHash !== now.urlHash
        ? ['The credentials or values in the address have changed.']
        : became(`The ${noun}`, before.url, now.url);
    default:
      return became(`The ${noun}`, before[field], now[field]);
  }
}

/** The variables that both files have, and whose values count and have changed. */
export function changedValues(
  { envFileValues: before }: LaunchSnapshot,
  { envFileValues: now }: LaunchSnapshot,
  counts: (name: string) => boolean,
): readonly string[] {
  return Object.keys(now)
    .filter((name) => ![undefined, now[name]].includes(ownValueIn(before, name)) && counts(name))
    .sort();
}

/** One that decides what runs is pointed out. */
function valueChange(name: string, file: string): string {
  const decides = decidedBy(name);
  const changed = `The value of ${visibleText(name)} in ${file} has changed`;
  return decides === undefined ? `${changed}.` : `${changed}: it decides ${decides}.`;
}

/** The names, with nothing that tells whether a value has changed. */
function namesInFile({ envFileValues }: LaunchSnapshot): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(envFileValues).map((name) => [name, '']));
}

function signInChanges(before: LaunchSnapshot['signIn'], now: LaunchSnapshot['signIn']): string[] {
  return Object.entries(signInNames).flatMap(([field, name]) =>
    became(`For the sign-in, the ${name}`, ownValueIn(before, field) ?? '', ownValueIn(now, field) ?? ''),
  );
}

/** What the path and the variables of a file cannot tell: where it lies, and whether it could be read. */
function fileChanges(before: LaunchSnapshot, now: LaunchSnapshot): string[] {
  if (before.envFile !== now.envFile) {
    return [];
  }
  const file = inQuotes(now.envFile);
  const isElsewhere = before.envFilePath !== now.envFilePath;
  const wasRead = before.isEnvFileRead;
  return [
    ...(isElsewhere ? [`The file of environment variables ${file} lies in another place.`] : []),
    ...(wasRead === now.isEnvFileRead
      ? []
      : [
          `The file of environment variables ${file} ${wasRead ? 'can no longer be read' : 'can be read now'}.`,
        ]),
  ];
}

/** Of variables that were there and are there: new ones are in what has changed besides. */
function variableChanges(before: LaunchSnapshot, now: LaunchSnapshot): string[] {
  const [then, values] = [placesAndValues(before), placesAndValues(now)];
  return Object.keys(values)
    .filter((written) => Object.hasOwn(then, written) && then[written] !== values[written])
    .sort()
    .map((written) => {
      const [was, is] = [before.places[written], now.places[written]];
      const name = visibleText(written);
      if (was !== undefined && is !== undefined) {
        return `${name} stood for ${inQuotes(was)}, now it stands for ${inQuotes(is)}.`;
      }
      if (values[written] === '') {
        return `${name} no longer stands for anything.`;
      }
      return then[written] === ''
        ? `${name} stood for nothing, and now it stands for something.`
        : `${name} stands for something else.`;
    });
}

function placesAndValues({ places, values }: LaunchSnapshot): Readonly<Record<string, string>> {
  return { ...places, ...values };
}

function became(what: string, before: string, now: string): string[] {
  if (before === now) {
    return [];
  }
  if (before === '') {
    return [`${what} is new: ${inQuotes(now)}.`];
  }
  return now === ''
    ? [`${what} is gone: it was ${inQuotes(before)}.`]
    : [`${what} was ${inQuotes(before)}, now it is ${inQuotes(now)}.`];
}

/** Numbers are those of the launch now; for an argument that is gone, those of the launch before. */
function argumentChanges(before: readonly string[], now: readonly string[]): string[] {
  const shorter = Math.min(before.length, now.length);
  let start = 0;
  while (start < shorter && before[start] === now[start]) {
    start += 1;
  }
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === now.at(-1 - end)) {
    end += 1;
  }
  const old = before.slice(start, before.length - end);
  const fresh = now.slice(start, now.length - end);
  return Array.from({ length: Math.max(old.length, fresh.length) }, (_, index) => {
    const [was, is] = [old[index], fresh[index]];
    const name = `Argument ${start + index + 1}`;
    if (was === undefined) {
      return `${name} is new: ${inQuotes(is ?? '')}.`;
    }
    return is === undefined
      ? `${name} is gone: it was ${inQuotes(was)}.`
      : `${name} was ${inQuotes(was)}, now it is ${inQuotes(is)}.`;
  });
}

function namedChanges(
  what: string,
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
  [shownBefore, shownNow]: readonly LaunchSnapshot['shown'][] = [],
  whose = `The value of the ${what}`,
): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort();
  return names.flatMap((name) => {
    const [was, is] = [ownValueIn(shownBefore, name), ownValueIn(shownNow, name)];
    const isTold = is?.includes('${') === true;
    if (!Object.hasOwn(before, name)) {
      return [`New ${what}: ${visibleText(name)}${isTold ? `, with the value ${inQuotes(is)}` : ''}.`];
    }
    if (!Object.hasOwn(now, name)) {
      return [`The ${what} ${visibleText(name)} is gone.`];
    }
    if (before[name] === now[name]) {
      return [];
    }
    const changed = `${whose} ${visibleText(name)}`;
    if (was !== undefined && is !== undefined && was !== is) {
      return [`${changed} was ${inQuotes(was)}, now it is ${inQuotes(is)}.`];
    }
    return [`${changed} has changed.`];
  });
}
