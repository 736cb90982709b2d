import { isRecord, isTexts } from '../../base/values/record.ts';
import { definitionBounds } from '../json/bounds.ts';
import {
  address,
  anyOf,
  flag,
  milliseconds,
  namedTexts,
  nonEmptyText,
  objectWith,
  oneOf,
  path,
  text,
  texts,
  type FieldType,
  type Fields,
  type ValueOf,
} from './fieldTypes.ts';
import { signIn } from './signInFields.ts';

// The fields of a definition and of an input. After a change `npm run generate` writes the JSON Schemas.

/** How MCP Host starts or connects to a server. Stored fingerprints depend on the order. */
export const launchFields = {
  stdio: {
    command: {
      type: nonEmptyText,
      description: 'The program that starts the server. It runs without a shell.',
      required: 'write the program that starts the server',
    },
    args: {
      type: texts,
      description: 'The arguments of the command. Each is passed as it is.',
      default: [],
      aliases: ['arguments'],
    },
    env: {
      type: namedTexts,
      description:
        'Environment variables to add to the few that every server gets, such as `PATH` and `HOME`.',
      default: {},
      aliases: ['environment'],
    },
    envFile: {
      type: path,
      description:
        'A file of environment variables (`NAME=value`), read when the server starts. `env` takes precedence. A relative path starts at the folder that defines the server, and must stay inside it.',
    },
    cwd: {
      type: path,
      description:
        'The working directory. A relative path starts at the folder that defines the server, or in user settings at your home directory. The default is that folder or directory.',
      aliases: ['workingDirectory'],
    },
  },
  http: {
    url: {
      type: address,
      description:
        'The address of the server, or its socket: `unix:///path/to.sock#/mcp`, with the HTTP path after the `#`.',
      required: 'write the address of the server',
      aliases: ['serverUrl', 'httpUrl'],
    },
    headers: {
      type: namedTexts,
      description: 'HTTP headers to send with each request.',
      default: {},
    },
    oauth: {
      type: signIn,
      description:
        'How to sign in, for servers that require an account. Most servers and issuers need nothing here.',
    },
  },
} as const satisfies Readonly<Record<string, Fields>>;

/** Names of tools, where `*` matches any text. */
const namePatterns: FieldType<readonly string[]> = {
  ...texts,
  read: (written, name, complain) => {
    const read = texts.read(written, name, complain);
    const wild = read?.filter((one) => one.includes('*')).join('') ?? '';
    return wild.length > definitionBounds.wildcardCharacters
      ? complain(
          `"${name}" has more than ${definitionBounds.wildcardCharacters.toLocaleString('en-US')} characters in entries with "*".`,
        )
      : read;
  },
};

/** `include` and `exclude` with wildcards, or names as they are: all tools if one of them is `*`. */
const proposedTools = objectWith({
  include: { type: namePatterns, description: 'Turn on only these tools.' },
  exclude: { type: namePatterns, description: 'Turn these tools off, even if `include` lists them.' },
});

const tools: FieldType<ValueOf<{ type: typeof proposedTools }> | readonly string[]> = {
  ...proposedTools,
  schema: {
    ...proposedTools.schema,
    type: ['object', 'array', 'string'],
    items: text.schema,
    pattern: '^\\*$',
  },
  read: (written, name, complain) => {
    if (isTexts(written)) {
      return written.includes('*') ? undefined : written;
    }
    return written === '*' ? undefined : proposedTools.read(written, name, complain);
  },
};

export const samplingPolicies = ['ask', 'session', 'allow', 'deny'] as const;

/** The other fields of a server. `roots`, `tools` and `sampling` are only proposals. */
export const otherFields = {
  stdio: {},
  http: {},
  all: {
    disabled: {
      type: flag,
      description: "Keep the definition, but don't start the server automatically.",
      default: false,
      isImported: true,
    },
    autoStart: {
      type: flag,
      description: 'Start the server when the window opens. Takes precedence over `#mcpHost.autoStart#`.',
      isImported: true,
    },
    timeout: {
      type: milliseconds,
      description:
        'How many milliseconds a request waits for a response. Takes precedence over `#mcpHost.requestTimeout#`. Progress restarts the time; in total, a request can take ten times as long, and at least ten minutes.',
      isImported: true,
    },
    roots: {
      type: anyOf(oneOf(['all', 'none']), texts, '"all", "none" or a list of paths'),
      description:
        "The folders to share as roots: `all`, `none`, or a list of folders of the workspace and folders inside them. In a workspace's file, this is only a proposal.",
    },
    tools: {
      type: tools,
      description:
        "The tools that are on for chat and other extensions: `include` and `exclude`, where `*` matches any text, or a list of names. A workspace's file can only restrict.",
      isImported: true,
    },
    sampling: {
      type: oneOf(samplingPolicies),
      description:
        "What happens when the server asks for a language model, with the values of `#mcpHost.sampling.policy#`. Applies to all of its requests. A workspace's file can only restrict. What you select in the Servers view takes precedence.",
    },
  },
} as const satisfies Readonly<Record<string, Fields>>;

const typeAliases = ['transport', 'transportType'];

/** `type`, by the kind of server. */
export const typeFields = {
  stdio: {
    type: oneOf(['stdio']),
    description: 'Start a process, and exchange messages over its standard input and output.',
    aliases: typeAliases,
  },
  http: {
    type: oneOf(['http', 'sse']),
    description: '`http` uses Streamable HTTP and falls back to the older HTTP+SSE. `sse` uses HTTP+SSE.',
    aliases: typeAliases,
  },
} as const satisfies Fields;

export type ServerKind = keyof typeof launchFields;

export function fieldsOf(kind: ServerKind): Fields {
  return { type: typeFields[kind], ...launchFields[kind], ...otherFields[kind], ...otherFields.all };
}

const inputId: FieldType<string> = {
  schema: { type: 'string', minLength: 1, pattern: '^[^{}]+$' },
  read: (written, name, complain) =>
    typeof written === 'string' && /^[^{}]+$/.test(written)
      ? written
      : complain(`"${name}" must be a string that is not empty and has no braces.`),
};

export interface InputOption {
  readonly label: string;
  readonly value: string;
}

/** An option as it is written: a string, or an object whose label may be missing. */
export function inputOption(written: unknown): InputOption | undefined {
  if (typeof written === 'string') {
    return { label: written, value: written };
  }
  const { label, value } = isRecord(written) ? written : {};
  return typeof value === 'string' ? { label: typeof label === 'string' ? label : value, value } : undefined;
}

const inputOptions: FieldType<readonly InputOption[]> = {
  schema: {
    type: 'array',
    minItems: 1,
    items: {
      anyOf: [
        text.schema,
        {
          type: 'object',
          required: ['value'],
          additionalProperties: false,
          properties: { label: text.schema, value: text.schema },
        },
      ],
    },
  },
  read: (written, name, complain) => {
    const items: readonly unknown[] = Array.isArray(written) ? written : [];
    const options = items.map(inputOption).filter((option) => option !== undefined);
    return options.length > 0 && options.length === items.length
      ? options
      : complain(`"${name}" must be a list of strings, or of { "label", "value" }.`);
  },
};

const anyInput = {
  id: {
    type: inputId,
    description: 'The name of the input. Definitions in the same file refer to it as `${input:id}`.',
    required: 'an input needs a name',
  },
  description: { type: text, description: 'What to enter. Shown when you are asked for the value.' },
  default: { type: text, description: 'The value to propose.' },
} as const satisfies Fields;

/** The fields of an input, by its `type`. */
export const inputFields = {
  promptString: {
    type: {
      type: oneOf(['promptString']),
      description: 'A text that you type.',
      required: 'write "promptString"',
    },
    ...anyInput,
    password: {
      type: flag,
      description: 'Keep the value in secret storage, and never show it.',
      default: false,
    },
  },
  pickString: {
    type: {
      type: oneOf(['pickString']),
      description: 'One of several values.',
      required: 'write "pickString"',
    },
    ...anyInput,
    options: {
      type: inputOptions,
      description: 'The values to select from.',
      required: 'list the values to choose from',
    },
  },
} as const satisfies Readonly<Record<string, Fields>>;
