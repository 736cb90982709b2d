import {
  serverId,
  type DefinitionOrigin,
  type InputDeclaration,
  type ServerDefinition,
} from '../serverDefinition.ts';

/** What starts or reaches a server, as it is about to be written. */
export type DraftLaunch =
  | {
      readonly type: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly envFile?: string;
      readonly cwd?: string;
    }
  | {
      readonly type: 'http' | 'sse';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** A server that is not in any file yet. */
export interface ServerDraft {
  readonly name: string;
  readonly launch: DraftLaunch;
  /** The inputs that the launch refers to. */
  readonly inputs: readonly InputDeclaration[];
  /** Values that are known already, by the id of their input; they never stand in the file. */
  readonly values: ReadonlyMap<string, string>;
  readonly disabled?: boolean;
  readonly autoStart?: boolean;
  /** Milliseconds of silence after which a request is given up. */
  readonly timeout?: number;
}

/** The definition as it is written into a file: fields in the order of the documentation, none of them empty. */
export function writtenDefinition({ launch, disabled, autoStart, timeout }: ServerDraft): object {
  const common = {
    ...(disabled !== undefined && { disabled }),
    ...(autoStart !== undefined && { autoStart }),
    ...(timeout !== undefined && { timeout }),
  };
  if (launch.type !== 'stdio') {
    const { type, url, headers } = launch;
    return { type, url, ...(!isEmpty(headers) && { headers }), ...common };
  }
  const { type, command, args, env, envFile, cwd } = launch;
  return {
    type,
    command,
    ...(args.length > 0 && { args }),
    ...(!isEmpty(env) && { env }),
    ...(envFile !== undefined && { envFile }),
    ...(cwd !== undefined && { cwd }),
    ...common,
  };
}

/** An input as it is written into `mcpHost.inputs`. */
export function writtenInput(input: InputDeclaration): object {
  const { type, id, description } = input;
  const common = { type, id, ...(description !== undefined && { description }) };
  const preset = input.default === undefined ? {} : { default: input.default };
  return input.type === 'promptString'
    ? { ...common, ...preset, ...(input.password && { password: true }) }
    : { ...common, ...preset, options: input.options };
}

/** The definition that a draft becomes once it stands in the file of `origin`. */
export function definitionOf(draft: ServerDraft, origin: DefinitionOrigin): ServerDefinition {
  const { name, launch, inputs, disabled = false, autoStart, timeout } = draft;
  return {
    id: serverId(origin, name),
    name,
    origin,
    disabled,
    inputs,
    ...(autoStart !== undefined && { autoStart }),
    ...(timeout !== undefined && { timeout }),
    ...launch,
  };
}

/** The launch with every text in it replaced; names of variables and headers stay. */
export function mapTexts(launch: DraftLaunch, change: (text: string) => string): DraftLaunch {
  const record = (texts: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)]));
  if (launch.type !== 'stdio') {
    return { ...launch, url: change(launch.url), headers: record(launch.headers) };
  }
  return {
    ...launch,
    command: change(launch.command),
    args: launch.args.map(change),
    env: record(launch.env),
    ...(launch.envFile !== undefined && { envFile: change(launch.envFile) }),
    ...(launch.cwd !== undefined && { cwd: change(launch.cwd) }),
  };
}

/** Every text in which a variable may stand. */
export function textsOf(launch: DraftLaunch): readonly string[] {
  const texts: string[] = [];
  mapTexts(launch, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

function isEmpty(record: object): boolean {
  return Object.keys(record).length === 0;
}
