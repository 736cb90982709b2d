import type { inputFields, launchFields, otherFields, typeFields } from './fields.ts';
import type { ProblemFix, ValueOf, Values } from './fieldTypes.ts';

/**
 * The layer a definition comes from, in the order in which a name is looked up. What comes with this extension
 * (`extension`) stands beside the layers, and no name of theirs hides it.
 */
export type DefinitionScope = 'user' | 'workspace' | 'folder' | 'extension';

/** A folder of the workspace; `uri` as the editor prints it. */
export interface WorkspaceFolder {
  readonly uri: string;
  readonly name: string;
}

/** Where a definition stands: one layer of the settings, a folder's `.mcp.json`, or this extension itself. */
export interface DefinitionOrigin {
  readonly scope: DefinitionScope;
  /** Which variables there are; in what comes with the extension there are none. */
  readonly format: 'settings' | 'mcpJson' | 'extension';
  /** The file's URI; for the user's settings, which have no stable path, `settings:user`. */
  readonly place: string;
  /** The folder that defines the server, for `scope: 'folder'`. */
  readonly folder?: WorkspaceFolder;
}

/**
 * Identifies a server by (scope, place of the file, name), never by its `serverInfo`, which the server
 * reports itself (2026-07-28, basic/index: clients SHOULD NOT rely on it).
 */
export type ServerId = string;

/** A value that is asked for once: `mcpHost.inputs`. A password is kept in the secret storage, and never shown. */
export type InputDeclaration =
  Values<typeof inputFields.promptString> | Values<typeof inputFields.pickString>;

interface DefinitionBase extends Values<typeof otherFields.all> {
  readonly id: ServerId;
  readonly name: string;
  readonly origin: DefinitionOrigin;
  /** The inputs that the definition refers to, as its own layer declares them. */
  readonly inputs: readonly InputDeclaration[];
}

/** Which of a server's tools a definition proposes to offer, by name; `*` stands for any text. */
export type ToolsProposal = NonNullable<DefinitionBase['tools']>;

/** How a definition proposes to treat the server's requests for a language model. */
export type SamplingProposal = NonNullable<DefinitionBase['sampling']>;

/** How a process is started. */
interface StdioLaunch extends Values<typeof launchFields.stdio> {
  readonly type: 'stdio';
}

/** How a server at an address is reached. */
interface HttpLaunch extends Values<typeof launchFields.http> {
  readonly type: ValueOf<typeof typeFields.http>;
}

export type WrittenLaunch = StdioLaunch | HttpLaunch;

export interface StdioServerDefinition extends DefinitionBase, StdioLaunch {
  /**
   * Names a program that comes with this extension, which the editor's own Node runs. Its command, arguments and
   * environment are those of this installation; only this name is kept of the launch. No file can set it.
   */
  readonly program?: 'sample';
}

export interface HttpServerDefinition extends DefinitionBase, HttpLaunch, Values<typeof otherFields.http> {}

/** One configured server, as it is written: nothing in it is expanded. */
export type ServerDefinition = StdioServerDefinition | HttpServerDefinition;

/** Something wrong in a layer: `message` says what, and how to fix it. */
export interface DefinitionProblem {
  readonly origin: DefinitionOrigin;
  /** The server whose definition it is; absent when the whole layer cannot be read. */
  readonly name?: string;
  /** An error keeps the server from starting, a warning does not. */
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** Where `path` begins: `servers` (without a word), `inputs`, or the whole `file` of a `.mcp.json`. */
  readonly part?: LayerPart;
  /** Where in the layer: below the servers' object, such as `['git', 'comand']`; absent for the whole. */
  readonly path?: readonly (string | number)[];
  /** What fixes it, where one edit does. */
  readonly fix?: ProblemFix;
}

export type LayerPart = 'servers' | 'inputs' | 'file';

/** What one reading of all layers gives. */
export interface DefinitionReading {
  readonly definitions: readonly ServerDefinition[];
  readonly problems: readonly DefinitionProblem[];
}

export function serverId(origin: DefinitionOrigin, name: string): ServerId {
  return `${origin.scope} ${origin.place} ${name}`;
}

/**
 * Everything that decides how a server is launched, unexpanded and in a canonical form: equal exactly
 * when the launch is.
 */
export function launchOf(definition: ServerDefinition): string {
  const inputs = definition.inputs
    .map(launchOfInput)
    .sort()
    .map((one) => JSON.parse(one) as unknown);
  if (definition.type === 'stdio' && definition.program !== undefined) {
    return JSON.stringify(['program', definition.program]);
  }
  return definition.type === 'stdio'
    ? JSON.stringify([
        'stdio',
        definition.command,
        definition.args,
        sortedEntries(definition.env),
        definition.cwd ?? null,
        definition.envFile ?? null,
        inputs,
      ])
    : JSON.stringify([definition.type, definition.url, sortedEntries(definition.headers), inputs]);
}

function launchOfInput(input: InputDeclaration): string {
  return JSON.stringify([
    input.id,
    input.type,
    input.description ?? null,
    input.default ?? null,
    input.type === 'promptString' ? input.password : input.options.map(({ label, value }) => [label, value]),
  ]);
}

function sortedEntries(record: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}
