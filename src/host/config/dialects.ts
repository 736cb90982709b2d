import { isRecord } from '../../base/values/record.ts';
import { launchFields, otherFields, typeFields } from './fields.ts';
import { ownValue, type Fields } from './fieldTypes.ts';
import { callbackPort, redirectOf, signInFields } from './signInFields.ts';

// What VS Code, Copilot, Claude Code, Cursor and Claude Desktop write.

type Named = Readonly<Record<string, unknown>>;
type Path = readonly string[];

/** Something that another program knows and that has no effect here. */
interface DialectNote {
  readonly path: Path;
  readonly message: string;
  /** Nothing would be different here if it had an effect. */
  readonly isQuiet: boolean;
}

/** A definition in the fields of this extension. */
export interface Translation {
  readonly value: Named;
  /** Where a field stands that another program calls differently, by its own path with dots. */
  readonly places: ReadonlyMap<string, Path>;
  readonly notes: readonly DialectNote[];
  /** The definition asks for a sandbox, which this extension doesn't have. */
  readonly asksForSandbox: boolean;
}

const youDecide = 'what is allowed without a question is for you to decide.';
const inHeaders = 'write "headers", with ${input:id} for a secret.';
const inTools = 'list the tools to turn on in "tools".';
const withSignIn = 'MCP Host signs you in when the server asks for it.';

/** The fields of other programs that are not followed, with what to know or to write instead. */
export const notedFields: Readonly<Record<string, string>> = {
  ...quiet('name description displayName id icon version gallery isDefaultServer safeForTelemetry'),
  ...quiet('source sourcePath sourcePlugin sourcePluginSpec sourcePluginVersion configWarnings'),
  ...quiet('slowConnectionThresholdMs discoveryCache'),
  dev: 'MCP Host neither restarts the server when its files change nor attaches a debugger.',
  sandbox: 'the server runs without a sandbox.',
  sandboxEnabled: 'the server runs without a sandbox.',
  alwaysAllow: youDecide,
  autoApprove: youDecide,
  trust: youDecide,
  toolPermissions: youDecide,
  disableSecretMasking: 'secrets are always masked.',
  filterMapping: 'the content of results is not filtered.',
  excludeTools: inTools,
  includeTools: inTools,
  disabledTools: inTools,
  enabledTools: inTools,
  alwaysLoad: 'which tools a model gets at once is decided in MCP Host.',
  deferTools: 'which tools a model gets at once is decided in MCP Host.',
  disableToolCache: 'the list of tools follows the server.',
  events: 'the server gets only what the protocol defines.',
  notifications: 'the server gets only what the protocol defines.',
  headersHelper: inHeaders,
  headersRefreshTtlMs: inHeaders,
  auth: withSignIn,
  oidc: withSignIn,
  oauthPublicClient: '',
};

/** The same in `oauth`. */
const notedSignInFields: Readonly<Record<string, string>> = {
  ...quiet('enabled type'),
  authServerMetadataUrl: 'the server says where its issuer is.',
  authorizationUrl: 'the issuer says where you sign in.',
  tokenUrl: 'the issuer says where tokens come from.',
  registrationUrl: 'the issuer says where clients are registered.',
  tokenParamName: 'a token is sent only in a header.',
  audiences: 'the token is for the address of the server.',
  xaa: withSignIn,
  // In `auth` of Copilot CLI, without the path that is registered.
  redirectPort: 'write the address at which the browser returns as "oauth.redirectUri".',
};

const typeNames: Named = {
  local: 'stdio',
  'streamable-http': 'http',
  streamableHttp: 'http',
  streamable_http: 'http',
};
/** What names a sign-in beside the address. */
const besideAddress = /^oauth[A-Z]/;
const launch: Fields = { ...launchFields.stdio, ...launchFields.http };
const own: Fields = { type: typeFields.http, ...launch, ...otherFields.all };
const addressNames: readonly string[] = ['url', ...launchFields.http.url.aliases];

function quiet(names: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, '']));
}

/** Whether a value says what to start or where to connect, in any dialect. */
export function isDefinition(value: unknown): value is Named {
  return (
    isRecord(value) &&
    ['command', ...addressNames].some((name) => (ownValue(value, name) ?? undefined) !== undefined)
  );
}

/**
 * The member of a file that has its servers: `mcpServers`, or else `servers` if it has nothing but definitions. Undefined
 * if they are members of the file itself.
 */
export function serversMember(file: unknown): 'mcpServers' | 'servers' | undefined {
  if (!isRecord(file) || Object.hasOwn(file, 'mcpServers')) {
    return 'mcpServers';
  }
  const servers = ownValue(file, 'servers');
  if (isRecord(servers) && Object.values(servers).every(isDefinition)) {
    return 'servers';
  }
  return Object.values(file).some(isDefinition) ? undefined : 'mcpServers';
}

/** The definitions in a file of any dialect, or what is in their place. */
export function definitionsIn(file: Named): unknown {
  const member = serversMember(file);
  return member === undefined
    ? Object.fromEntries(Object.entries(file).filter(([, held]) => isDefinition(held)))
    : ownValue(file, member);
}

/** Reads a definition in any dialect. What nobody knows stays as it is written; what is null counts as missing. */
export function translated(written: Named): Translation {
  const given = Object.entries(written).filter(([, held]) => held !== null);
  const names = new Set(given.map(([name]) => name));
  const value = new Map<string, unknown>();
  const signIn: SignInEntry[] = [];
  const places = new Map<string, Path>();
  const notes: DialectNote[] = [];
  const note: TakeNote = (path, reason, held) => {
    notes.push({ path, message: noEffect(path, reason), isQuiet: reason === '' || isNothing(held) });
  };
  for (const [name, held] of given) {
    const field = name === 'enabled' && typeof held === 'boolean' ? 'disabled' : fieldOf(own, name);
    const reason = reasonAgainst(name, held);
    if ((name === 'oauth' || name === 'auth') && isRecord(held)) {
      signIn.push(...Object.entries(held).map(([inner, one]): SignInEntry => [[name, inner], one]));
    } else if (besideAddress.test(name) && fieldOf(signInFields, name) !== undefined) {
      signIn.push([[name], held]);
    } else if (name === 'transport' && held === 'sse' && written['type'] === 'http') {
      places.set('type', [name]);
    } else if (reason !== undefined) {
      note([name], reason, held);
    } else if (field === undefined || field === name) {
      value.set(name, held);
    } else if (names.has(field) || value.has(field)) {
      note([name], `"${places.get(field)?.[0] ?? field}" already says it.`, held);
    } else {
      value.set(field, name === 'enabled' ? !held : held);
      places.set(field, [name]);
    }
  }
  const options = signInOptions(signIn, places, note);
  const [[beside] = []] = signIn;
  if (beside && !isRecord(written['oauth'])) {
    places.set('oauth', beside.slice(0, 1));
  }
  if (!isNothing(options) || (isRecord(written['oauth']) && isNothing(written['oauth']))) {
    value.set('oauth', options);
  }
  const type = places.get('type')?.[0] === 'transport' && names.has('type') ? 'sse' : value.get('type');
  if (typeof type === 'string') {
    value.set('type', ownValue(typeNames, type) ?? type);
  }
  const { sandbox, sandboxEnabled } = written;
  const asksForSandbox = sandboxEnabled === true || (sandboxEnabled !== false && Boolean(sandbox));
  return { value: Object.fromEntries(value), places, notes, asksForSandbox };
}

/** Why a field of another program has no effect here; undefined for one that is read. */
function reasonAgainst(name: string, held: unknown): string | undefined {
  // Only that there is a sign-in, which the server says itself.
  const isSaid =
    name === 'auth' ? held === true || held === 'oauth' : name === 'oauth' && typeof held === 'boolean';
  if (isSaid) {
    return '';
  }
  // Claude Code has one object for each tool, with what needs no question.
  return name === 'tools' && Array.isArray(held) && held.some(isRecord)
    ? youDecide
    : Object.hasOwn(notedFields, name)
      ? notedFields[name]
      : undefined;
}

export function noEffect(path: Path, reason: string): string {
  return `"${path.join('.')}" has no effect here${reason === '' ? '.' : `: ${reason}`}`;
}

type SignInEntry = readonly [path: Path, held: unknown];
type TakeNote = (path: Path, reason: string, held: unknown) => void;

function signInOptions(entries: readonly SignInEntry[], places: Map<string, Path>, note: TakeNote): Named {
  const options = new Map<string, unknown>();
  // What is in `oauth` under its own name comes first.
  const isOwn = ([[first, inner = '']]: SignInEntry): boolean =>
    first === 'oauth' && Object.hasOwn(signInFields, inner);
  const given = entries.filter(([, held]) => held !== null);
  for (const [path, held] of [...given.filter(isOwn), ...given.filter((one) => !isOwn(one))]) {
    const name = path.at(-1) ?? '';
    const redirectUri = name === callbackPort ? redirectOf(held) : undefined;
    // Cursor writes some in capitals.
    const meant = fieldOf(signInFields, name) ?? fieldOf(signInFields, name.toLowerCase());
    const field = redirectUri === undefined ? meant : 'redirectUri';
    const known = `oauth.${field ?? name}`;
    if (field === undefined && Object.hasOwn(notedSignInFields, name)) {
      note(path, notedSignInFields[name] ?? '', held);
    } else if (field !== undefined && options.has(field)) {
      note(path, `"${(places.get(known) ?? ['oauth', field]).join('.')}" already says it.`, held);
    } else {
      options.set(field ?? name, redirectUri ?? held);
      if (path.join('.') !== known) {
        places.set(known, path);
      }
    }
  }
  return Object.fromEntries(options);
}

/** The field that a name means. */
function fieldOf(fields: Fields, name: string): string | undefined {
  return Object.keys(fields).find((known) => known === name || fields[known]?.aliases?.includes(name));
}

/** Whether a value would change nothing for any program. */
export function isNothing(held: unknown): boolean {
  return (
    held === false ||
    (Array.isArray(held) && held.length === 0) ||
    (isRecord(held) && Object.keys(held).length === 0)
  );
}
