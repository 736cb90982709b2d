import { homedir } from 'node:os';
import { readDefinitions } from '../../../src/host/config/readDefinitions.ts';
import { fieldsOf, inputFields } from '../../../src/host/config/fields.ts';
import type { DefinitionOrigin, ServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import { signInFields } from '../../../src/host/config/signInFields.ts';
import { definitionBounds } from '../../../src/host/json/bounds.ts';
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

const origin: DefinitionOrigin = { scope: 'workspace', format: 'mcpJson', place: 'workspace:.mcp.json' };
const folders = ['/projects/api', '/a'];
const places = { folders: [{ uri: 'file:///projects/api', name: 'api' }], home: homedir() };
const [before] = read({ command: 'node' });
const snapshot = before && snapshotOf(resolved(before), testKey);

/** A text in each field of a definition: it is read, and you are asked about what it starts. */
export const definitionSubjects: Subjects = {
  ...Object.fromEntries([
    ...Object.entries(fieldsOf('stdio')).map(([field, { type }]) =>
      of(`"${field}" of a process`, (value) => ({ command: 'node', [field]: value }), type.schema),
    ),
    ...Object.entries(fieldsOf('http')).map(([field, { type }]) =>
      of(
        `"${field}" of an address`,
        (value) => ({ url: 'https://example.org/mcp', [field]: value }),
        type.schema,
      ),
    ),
    ...Object.entries(signInFields).map(([field, { type }]) =>
      of(
        `"oauth.${field}"`,
        (value) => ({ url: 'https://example.org/mcp', oauth: { [field]: value } }),
        type.schema,
      ),
    ),
    ...['sh', 'cmd', 'npx', 'python', 'docker', 'env'].map((command) =>
      of(`an argument of ${command}`, (arg) => ({ command, args: [arg] })),
    ),
    ...['sh', 'npx', 'env'].map((command): [string, Subject] => [
      `the arguments of ${command}`,
      {
        isList: true,
        most: definitionBounds.serverValues - 10,
        take: (_, pieces) => ask({ command, args: pieces }),
      },
    ]),
    of('the text behind an address', (text) => ({ url: `https://example.org/mcp${String(text)}` })),
    of('the name of a field', (name) => ({ command: 'node', [String(name)]: 1 })),
    of('the name of a variable', (name) => ({ command: 'node', env: { [String(name)]: 'a' } })),
    of('the name of a header', (name) => ({ url: 'https://example.org', headers: { [String(name)]: 'a' } })),
    of('the name of a tool', (name) => ({ command: 'node', tools: { include: [name] } })),
  ]),
  'the name of a server': {
    most: definitionBounds.serverCharacters,
    take: (name) => readDefinitions([{ origin, servers: { [name]: { command: 'node' } } }]),
  },
  ...Object.fromEntries(
    Object.keys(inputFields.pickString).map((field): [string, Subject] => [
      `"${field}" of an input`,
      {
        most: definitionBounds.serverCharacters,
        take: (text) =>
          readDefinitions([
            {
              origin,
              servers: {},
              inputs: [
                { type: 'pickString', id: 'a', options: ['a'], [field]: field === 'options' ? [text] : text },
              ],
            },
          ]),
      },
    ]),
  ),
  'a .mcp.json': {
    most: definitionBounds.bytes,
    take: (text) => readDefinitions([{ origin, text }]),
  },
};

function of(
  name: string,
  definition: (text: unknown) => unknown,
  schema: Readonly<Record<string, unknown>> = { type: 'string' },
): [string, Subject] {
  const types = JSON.stringify(schema);
  const value = (text: string): unknown =>
    types.includes('"type":"object"') ? { a: text } : types.includes('"array"') ? [text] : text;
  return [name, { most: definitionBounds.serverCharacters, take: (text) => ask(definition(value(text))) }];
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
