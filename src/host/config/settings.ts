import type { Event } from '../../base/lifetime/event.ts';
import { samplingPolicies } from './fields.ts';
import type { DefinitionOrigin } from './serverDefinition.ts';

/** A setting: package.json, its TypeScript type, and what reads it, take everything from here. */
export interface Setting<T = unknown> {
  /** What follows `mcpHost.`. */
  readonly name: string;
  /** Its part of package.json; scope and place are only there, texts in package.nls.json. */
  readonly schema: Readonly<Record<string, unknown>> & { readonly type: string; readonly default: unknown };
  /** The value that counts: the editor also hands over what the schema excludes. */
  readonly read: (written: unknown) => T;
}

type Settings = Readonly<Record<string, Setting>>;

export type SettingValues<S extends Settings> = {
  readonly [Name in keyof S]: S[Name] extends Setting<infer T> ? T : never;
};

/** All settings but the definitions of servers and inputs, and `requestTimeoutSchema`. */
export const settings = {
  /** For all servers. */
  host: {
    /** Start allowed servers automatically. */
    autoStart: flag('autoStart', true),
    /** The folders that a server sees until you decide. */
    rootsDefault: choice('roots.default', ['ask', 'all', 'none'], 'ask'),
  },
  /** For requests of models and other extensions. */
  gate: {
    /**
     * `byTrust` asks, except about reads of servers whose claims are trusted and about what is remembered; `always`
     * asks about every request, also in agent mode; `never` asks about none. What was denied stays denied.
     */
    confirm: choice('tools.confirm', ['byTrust', 'always', 'never'], 'byTrust'),
    /** About how many tokens of a result a model gets. */
    maxResultTokens: quantity('tools.maxResultTokens', { type: 'number', minimum: 100, default: 10_000 }),
    /** Whether granted servers are offered to agent mode. */
    isGatewayOn: flag('chat.gateway', true),
    /** Whether arguments and results are kept on disk. */
    storesContent: flag('activity.storeContent', false),
  },
  /** For @mcp. */
  chat: {
    /** At most how many tools a model gets. */
    maxTools: nearest('chat.maxTools', { minimum: 4, maximum: 128, default: 64 }),
    /** After how many rounds of tool calls a request stops. */
    maxRounds: nearest('chat.maxRounds', { minimum: 1, maximum: 100, default: 25 }),
  },
  /** For requests of servers for language models. */
  sampling: {
    policy: choice('sampling.policy', samplingPolicies, 'ask'),
    /** Patterns of the models that may be used, the preferred first; empty for all. */
    models: {
      name: 'sampling.models',
      schema: { type: 'array', items: { type: 'string', minLength: 1 }, uniqueItems: true, default: [] },
      read: patterns,
    },
    /** For each server, estimated. */
    maxTokensPerDay: quantity('sampling.maxTokensPerDay', { type: 'integer', minimum: 1, default: 200_000 }),
  },
  /** For which definitions there are. */
  definitions: {
    copilotServers: flag('copilotServers', false),
  },
} satisfies Readonly<Record<string, Settings>>;

/** Milliseconds; see `requestTimeout` for what counts. */
export const requestTimeoutSchema = { type: 'number', minimum: 1_000, default: 60_000 };

/** The values of the settings for all servers, read at the moment of use. */
export interface HostSettings extends SettingValues<typeof settings.host> {
  /** A setting that applies to running servers has changed. */
  readonly onDidChange: Event<void>;
  /** `mcpHost.requestTimeout` in milliseconds, for servers that this layer defines. */
  requestTimeout(origin: DefinitionOrigin): number;
}

/** The same for requests of models and other extensions. */
export interface GateSettings extends SettingValues<typeof settings.gate> {
  readonly onDidChange: Event<void>;
}

export type ChatSettings = SettingValues<typeof settings.chat>;

/** Adds the values of settings to an object, read at the moment of use: `written` gives what the editor has by a name. */
export function withValues<S extends Settings, T extends object>(
  table: S,
  written: (name: string) => unknown,
  rest: T,
): SettingValues<S> & T {
  const getters = Object.entries(table).map(([key, { name, read }]) => [
    key,
    { enumerable: true, get: () => read(written(name)) },
  ]);
  return Object.defineProperties(rest, Object.fromEntries(getters)) as SettingValues<S> & T;
}

/** What isn't true or false restricts: it doesn't turn on what is off by default, and may turn off what is on. */
function flag(name: string, preset: boolean): Setting<boolean> {
  const schema = { type: 'boolean', default: preset };
  return { name, schema, read: (written = preset) => (preset ? Boolean(written) : written === true) };
}

function choice<const T extends string>(name: string, choices: readonly T[], preset: NoInfer<T>): Setting<T> {
  const schema = { type: 'string', enum: choices, default: preset };
  return { name, schema, read: (written) => choices.find((one) => one === written) ?? preset };
}

interface Limits {
  readonly minimum: number;
  readonly maximum?: number;
  readonly default: number;
}

/** A number; one that isn't allowed counts as the default. */
function quantity(name: string, schema: Limits & { readonly type: 'number' | 'integer' }): Setting<number> {
  const { type, minimum, maximum = Infinity, default: preset } = schema;
  const isAllowed = (value: unknown): value is number =>
    typeof value === 'number' &&
    (type === 'number' || Number.isSafeInteger(value)) &&
    value >= minimum &&
    value <= maximum;
  return { name, schema: { ...schema }, read: (written) => (isAllowed(written) ? written : preset) };
}

/** A whole number; the nearest one that is allowed counts. */
function nearest(name: string, limits: Required<Limits>): Setting<number> {
  const { minimum, maximum, default: preset } = limits;
  return {
    name,
    schema: { type: 'integer', ...limits },
    read: (written) =>
      typeof written === 'number' && Number.isFinite(written)
        ? Math.min(Math.max(Math.floor(written), minimum), maximum)
        : preset,
  };
}

/** An empty list allows every model, so a pattern without brackets must count as well. */
function patterns(written: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(written) ? written : [written];
  return all.filter((pattern): pattern is string => typeof pattern === 'string' && pattern.trim() !== '');
}
