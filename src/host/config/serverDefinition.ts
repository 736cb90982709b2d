import type { inputFields, launchFields, otherFields, typeFields } from './fields.ts';
import type { ProblemFix, ValueOf, Values } from './fieldTypes.ts';
import type { SignInOptions } from './signInFields.ts';
import type { WorkspaceFolder } from '../folders/sharedRoot.ts';

/**
 * The layer a definition comes from, in the order in which a name is looked up. A server that comes with this
 * extension (`extension`) belongs to no layer, and no definition of the same name takes precedence over it.
 */
export type DefinitionScope = 'user' | 'workspace' | 'folder' | 'extension';

/**
 * Where a definition is: one layer of the settings, a folder's `.mcp.json`, Copilot's file in your home directory (the
 * scope `user` with the format `mcpJson`), or this extension itself.
 */
export interface DefinitionOrigin {
  readonly scope: DefinitionScope;
  /** Determines which variables exist; what comes with the extension has none. */
  readonly format: 'settings' | 'mcpJson' | 'extension';
  /** The file's URI, or `settings:user` for the user settings, which have no stable path. */
  readonly place: string;
  /** The folder that defines the server, for `scope: 'folder'`. */
  readonly folder?: WorkspaceFolder;
}

/**
 * Identifies a server by (scope, place of the file, name), never by its `serverInfo`, which the server
 * reports itself (2026-07-28, basic/index: clients SHOULD NOT rely on it).
 */
export type ServerId = string;

/** A value that is asked for once: `mcpHost.inputs`. A password is kept in secret storage, and never shown. */
export type InputDeclaration =
  | Values<typeof inputFields.promptString>
  | Values<typeof inputFields.pickString>;

interface DefinitionBase extends Values<typeof otherFields.all> {
  readonly id: ServerId;
  readonly name: string;
  readonly origin: DefinitionOrigin;
  /** The inputs that the definition refers to, as its own layer declares them. */
  readonly inputs: readonly InputDeclaration[];
}

/** The tools that a definition proposes to expose, by name; `*` matches any text. */
export type ToolsProposal = NonNullable<DefinitionBase['tools']>;

/** What a definition proposes for the server's requests for a language model. */
export type SamplingProposal = NonNullable<DefinitionBase['sampling']>;

/** How a process is started. */
interface StdioLaunch extends Values<typeof launchFields.stdio> {
  readonly type: 'stdio';
}

/** How MCP Host connects to a server at an address. */
interface HttpLaunch extends Values<typeof launchFields.http> {
  readonly type: ValueOf<typeof typeFields.http>;
}

export type WrittenLaunch = StdioLaunch | HttpLaunch;

/** The fields of a launch, for what doesn't ask how the server is reached: those of the other kind are missing. */
export type AnyLaunch = Partial<Values<typeof launchFields.stdio> & Values<typeof launchFields.http>>;

/** What a process is started with: the command and its arguments; nothing for a server at an address. */
export function wordsOf({ command, args = [] }: AnyLaunch): readonly string[] {
  return command === undefined ? [] : [command, ...args];
}

export interface StdioServerDefinition extends DefinitionBase, StdioLaunch {
  /**
   * Names a program that comes with this extension, which the editor's own Node runs. Its command, arguments and
   * environment belong to this installation; decisions about the launch store only this name, and what it is given. No file can set it.
   */
  readonly program?: 'sample' | 'recording';
  /** The definition asks for a sandbox, which it doesn't get. */
  readonly asksForSandbox?: true;
}

export interface HttpServerDefinition extends DefinitionBase, HttpLaunch, Values<typeof otherFields.http> {}

/** One configured server, as it is written: no variable is replaced. */
export type ServerDefinition = StdioServerDefinition | HttpServerDefinition;

/** Something wrong in a layer: `message` says what, and how to fix it. */
export interface DefinitionProblem {
  readonly origin: DefinitionOrigin;
  /** The server; missing when the whole layer cannot be read. */
  readonly name?: string;
  /** An error keeps the server from starting. A note is only for readers of the file. */
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
  /** Where `path` begins: `servers` (the default), `inputs`, or the whole `file` of a `.mcp.json`. */
  readonly part?: LayerPart;
  /** Where in that part, such as `['git', 'comand']`; missing for the whole. */
  readonly path?: readonly (string | number)[];
  /** The fix, if one edit is enough. */
  readonly fix?: ProblemFix;
}

export type LayerPart = 'servers' | 'inputs' | 'file';

/** The definitions and problems of all layers. */
export interface DefinitionReading {
  readonly definitions: readonly ServerDefinition[];
  readonly problems: readonly DefinitionProblem[];
}

/** Whether a definition is in your user settings; Copilot's file has the same scope. */
export function isInUserSettings({ scope, format }: Pick<DefinitionOrigin, 'scope' | 'format'>): boolean {
  return scope === 'user' && format === 'settings';
}

export function serverId(origin: DefinitionOrigin, name: string): ServerId {
  return `${origin.scope} ${origin.place} ${name}`;
}

/**
 * Everything that decides how a server is launched, as it is written and in a canonical form: equal exactly when
 * the launches are. It is stored in fingerprints: a new field must not change the text of definitions without it.
 */
export function launchOf(definition: ServerDefinition): string {
  const inputs = definition.inputs
    .map(launchOfInput)
    .sort()
    .map((one) => JSON.parse(one) as unknown);
  if (definition.type === 'stdio' && definition.program !== undefined) {
    return JSON.stringify(['program', definition.program, ...givenTo(definition)]);
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
    : JSON.stringify([
        definition.type,
        definition.url,
        sortedEntries(definition.headers),
        inputs,
        ...signInFacts(definition.oauth),
      ]);
}

/** What a program that comes with this extension is given: of a recording, its file and hash. The first argument is the program. */
export function givenTo({ args = [] }: Pick<AnyLaunch, 'args'>): readonly string[] {
  return args.slice(1);
}

/** Nothing where the definition says nothing that differs from the defaults. */
function signInFacts(oauth: SignInOptions = {}): readonly unknown[] {
  const facts = sortedEntries(oauth).filter(
    ([field, value]) => value !== false && !(field === 'grantType' && value === 'authorization_code'),
  );
  return facts.length === 0 ? [] : [facts];
}

/** The declaration of an input in a canonical form. */
export function launchOfInput(input: InputDeclaration): string {
  return JSON.stringify([
    input.id,
    input.type,
    input.description ?? null,
    input.default ?? null,
    input.type === 'promptString' ? input.password : input.options.map(({ label, value }) => [label, value]),
  ]);
}

function sortedEntries<T>(record: Readonly<Record<string, T>>): [string, T][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}
