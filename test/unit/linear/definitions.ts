import { homedir } from 'node:os';
import { readDefinitions } from '../../../src/host/config/readDefinitions.ts';
import { fieldsOf, inputFields } from '../../../src/host/config/fields.ts';
import type { DefinitionOrigin, ServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import { signInFields } from '../../../src/host/config/signInFields.ts';
import type { Fields } from '../../../src/host/config/fieldTypes.ts';
import { definitionBounds, fieldCharacters, textBounds } from '../../../src/host/json/bounds.ts';
import { fingerprintOf } from '../../../src/host/launch/fingerprint.ts';
import { sayableLaunch, shownVariables } from '../../../src/host/launch/launchVariables.ts';
import { launchChanges } from '../../../src/host/launch/question/launchChanges.ts';
import { launchNotes } from '../../../src/host/launch/question/launchNotes.ts';
import { launchPaths } from '../../../src/host/launch/question/launchPaths.ts';
import { launchQuestions, type LaunchQuestion } from '../../../src/host/launch/question/launchQuestion.ts';
import { snapshotOf } from '../../../src/host/launch/question/launchSnapshot.ts';
import { namedFiles } from '../../../src/host/launch/question/namedFiles.ts';
import { resolveLaunch } from '../../../src/host/launch/resolveLaunch.ts';
import { launchWarnings } from '../../../src/host/launch/warnings/launchWarnings.ts';
import { testKey } from '../support/launches.ts';
import type { Subject, Subjects } from './subject.ts';

type Json = Readonly<Record<string, unknown>>;

const origin: DefinitionOrigin = { scope: 'workspace', format: 'mcpJson', place: 'workspace:.mcp.json' };
const folders = ['/projects/api', '/a'];
const places = { folders: [{ uri: 'file:///projects/api', name: 'api' }], home: homedir() };
const [before] = read({ command: 'node' });
const snapshot = before && snapshotOf(resolved(before), testKey);

const address = 'https://example.org/mcp';
const { nameCharacters, pathCharacters, textCharacters } = definitionBounds;

/** Each value, or field, with a name of its own. */
const lists: Readonly<Record<string, (texts: readonly string[]) => unknown>> = {
  'variables of a process': (names) => ({ command: 'node', env: named(names) }),
  'headers of an address': (names) => ({ url: address, headers: named(names) }),
  'fields that nobody knows': (names) => ({ command: 'node', ...named(names) }),
  'scopes of a sign-in': (scopes) => ({ url: address, oauth: { clientId: 'a', scopes } }),
  'folders of a server': (roots) => ({ command: 'node', roots }),
  'tools of a server': (include) => ({ command: 'node', tools: { include } }),
};

/** A text in each field of a definition: it is read, and you are asked about what it starts. */
export const definitionSubjects: Subjects = {
  ...Object.fromEntries([
    ...fields('of a process', fieldsOf('stdio'), (held) => ({ command: 'node', ...held })),
    ...fields('of an address', fieldsOf('http'), (held) => ({ url: address, ...held })),
    ...fields('in "oauth"', signInFields, (oauth) => ({ url: address, oauth }), pathCharacters),
  ]),
  ...Object.fromEntries(
    ['sh', 'cmd', 'npx', 'python', 'docker', 'env'].map((command) => [
      `an argument of ${command}`,
      asked((arg) => ({ command, args: [arg] })),
    ]),
  ),
  ...Object.fromEntries(
    ['sh', 'npx', 'env'].map((command): [string, Subject] => [
      `the arguments of ${command}`,
      {
        isList: true,
        most: definitionBounds.serverValues - 10,
        take: (_, pieces) => ask({ command, args: pieces }),
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(lists).map(([name, definition]): [string, Subject] => [
      name,
      {
        isList: true,
        most: definitionBounds.serverValues - 10,
        take: (_, pieces) => ask(definition(pieces.map((piece, index) => `${piece}${index}`))),
      },
    ]),
  ),
  'servers of a file': {
    isList: true,
    most: definitionBounds.servers,
    take: (_, pieces) => {
      const named = pieces.map((piece, index) => [`${piece}${index}`, { command: 'node', [piece]: piece }]);
      readDefinitions([{ origin, text: JSON.stringify({ mcpServers: Object.fromEntries(named) }) }]);
    },
  },
  'inputs of a file': {
    isList: true,
    most: definitionBounds.inputs,
    take: (_, pieces) => {
      const inputs = pieces.map((piece, index) => inputWith('id', `${piece}${index}`));
      readDefinitions([{ origin, servers: { server: { command: 'node', args: pieces } }, inputs }]);
    },
  },
  'the text behind an address': asked(
    (text) => ({ url: `${address}${text}` }),
    pathCharacters - address.length,
  ),
  'the name of a field': asked((name) => ({ command: 'node', [name]: 1 }), nameCharacters),
  'the name of a variable': asked((name) => ({ command: 'node', env: { [name]: 'a' } }), nameCharacters),
  'the name of a header': asked((name) => ({ url: address, headers: { [name]: 'a' } }), nameCharacters),
  'the name of a tool': asked((name) => ({ command: 'node', tools: { include: [name] } }), textBounds.name),
  'the name of a server': {
    most: nameCharacters,
    take: (name) => readDefinitions([{ origin, servers: { [name]: { command: 'node' } } }]),
  },
  ...Object.fromEntries(
    Object.keys(inputFields.pickString).map((field): [string, Subject] => [
      `"${field}" of an input`,
      {
        most: fieldCharacters.get(field) ?? textCharacters,
        take: (text) => readDefinitions([{ origin, servers: {}, inputs: [inputWith(field, text)] }]),
      },
    ]),
  ),
  'a .mcp.json': {
    most: definitionBounds.bytes,
    take: (text) => readDefinitions([{ origin, text }]),
  },
};

/** A subject for each of these fields. */
function fields(
  whose: string,
  all: Fields,
  definition: (held: Json) => unknown,
  most?: number,
): readonly (readonly [string, Subject])[] {
  return Object.entries(all).map(([field, { type }]) => {
    const types = JSON.stringify(type.schema);
    const value = (text: string): unknown =>
      types.includes('"type":"object"') ? { a: text } : types.includes('"array"') ? [text] : text;
    return [
      `"${field}" ${whose}`,
      asked((text) => definition({ [field]: value(text) }), most ?? fieldCharacters.get(field)),
    ];
  });
}

function named(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, 'a']));
}

function asked(definition: (text: string) => unknown, most: number = textCharacters): Subject {
  return { most, take: (text) => ask(definition(text)) };
}

function inputWith(field: string, text: string): Json {
  const value = field === 'options' ? [text] : text;
  return { type: 'pickString', id: 'a', options: ['a'], [field]: value };
}

function read(value: unknown): readonly ServerDefinition[] {
  return readDefinitions([{ origin, servers: { server: value } }]).definitions;
}

function resolved(definition: ServerDefinition): ReturnType<typeof resolveLaunch> {
  return resolveLaunch(definition, {
    ...places,
    env: { TOKEN: 'a' },
    readEnvFile: () => ({ variables: {}, realPath: '' }),
  });
}

/** Reads a definition, and says everything that a question before its launch does. */
function ask(value: unknown): void {
  for (const definition of read(value)) {
    const launch = resolved(definition);
    const sayable = sayableLaunch(launch);
    const { workingDirectory } = launch;
    const now = snapshotOf(launch, testKey);
    namedFiles(sayable.definition, workingDirectory, places);
    fingerprintOf(launch);
    const question: LaunchQuestion = {
      kind: launchQuestions,
      definition,
      label: definition.name,
      workingDirectory,
      warnings: launchWarnings(sayable, folders, { written: definition, environment: {} }),
      notes: launchNotes(sayable, folders),
      changes: snapshot ? [...launchChanges(snapshot, now), ...launchChanges(now, snapshot)] : [],
      variables: shownVariables(launch),
      tells: launchPaths(launch, folders).map(({ path }) => path),
      folders: [],
    };
    launchQuestions.text(
      launchQuestions.view(question, { id: '1', placeOf: () => '.mcp.json', isRenewed: false }),
    );
  }
}
