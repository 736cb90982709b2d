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

/** A value that the person is asked for once: `mcpHost.inputs`. */
export type InputDeclaration =
  | {
      readonly type: 'promptString';
      readonly id: string;
      readonly description?: string;
      readonly default?: string;
      /** Kept in the editor's secret storage, and never shown. */
      readonly password: boolean;
    }
  | {
      readonly type: 'pickString';
      readonly id: string;
      readonly description?: string;
      readonly default?: string;
      readonly options: readonly { readonly label: string; readonly value: string }[];
    };

/** Which folders a definition proposes to share: all, none, or paths, possibly with variables. */
export type RootsProposal = 'all' | 'none' | readonly string[];

/** Which of a server's tools a definition proposes to offer, by name; `*` stands for any text. */
export interface ToolsProposal {
  /** Only these; without it, all. */
  readonly include?: readonly string[];
  /** None of these, whatever `include` says. */
  readonly exclude?: readonly string[];
}

export const samplingPolicies = ['ask', 'session', 'allow', 'deny'] as const;

/** How a definition proposes to treat the server's requests for a language model. */
export type SamplingProposal = (typeof samplingPolicies)[number];

interface DefinitionBase {
  readonly id: ServerId;
  readonly name: string;
  readonly origin: DefinitionOrigin;
  readonly disabled: boolean;
  /** The inputs that the definition refers to, as its own layer declares them. */
  readonly inputs: readonly InputDeclaration[];
  /** Like `tools` and `sampling` only a proposal: what a workspace brings can narrow, never grant. */
  readonly roots?: RootsProposal;
  readonly tools?: ToolsProposal;
  readonly sampling?: SamplingProposal;
  /** Overrides the setting `mcpHost.autoStart`. */
  readonly autoStart?: boolean;
  /** Milliseconds of silence after which a request is given up; overrides `mcpHost.requestTimeout`. */
  readonly timeout?: number;
}

export interface StdioServerDefinition extends DefinitionBase {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** A file of variables in the dotenv form, read when the server is about to start. */
  readonly envFile?: string;
  readonly cwd?: string;
  /**
   * Names a program that comes with this extension, which the editor's own Node runs. Its command, arguments and
   * environment are those of this installation; what is kept of the launch is this name alone. No file can set it.
   */
  readonly program?: BundledProgram;
}

type BundledProgram = 'sample';

export interface HttpServerDefinition extends DefinitionBase {
  /** `http` speaks Streamable HTTP and falls back to HTTP+SSE; `sse` speaks HTTP+SSE at once. */
  readonly type: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As it is written. */
  readonly oauth?: unknown;
}

/** One configured server, as it is written: nothing in it is expanded. */
export type ServerDefinition = StdioServerDefinition | HttpServerDefinition;

/** Something wrong with what is written in a layer: `message` says what, and how to mend it. */
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
  /** What would mend it, where one edit does. */
  readonly fix?: ProblemFix;
}

export type LayerPart = 'servers' | 'inputs' | 'file';

/** One edit of the layer: at a problem's path, or for `declareInput` at the end of the layer's inputs. */
type ProblemFix =
  | { readonly kind: 'rename'; readonly to: string }
  | { readonly kind: 'remove' }
  | { readonly kind: 'insert'; readonly field: string; readonly value: unknown }
  | { readonly kind: 'declareInput'; readonly id: string };

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
