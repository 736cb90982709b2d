// Writes the JSON Schemas of servers and inputs, and their descriptions in package.nls.json, from the tables in
// src/host/config/fields.ts; those of the other settings from src/host/config/settings.ts; and the document for issuers, if it has an address (src/host/auth/clientDocument.ts). With `--check` it writes nothing, and fails if a file is stale.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { format, type FormatOptions } from 'oxfmt';
import { CLIENT_DOCUMENT_URL, clientDocument } from '../../src/host/auth/clientDocument.ts';
import { notedFields } from '../../src/host/config/dialects.ts';
import {
  fieldsOf,
  inputFields,
  launchFields,
  otherFields,
  typeFields,
} from '../../src/host/config/fields.ts';
import { oneOf, type Field, type Fields } from '../../src/host/config/fieldTypes.ts';
import { requestTimeoutSchema, settings, type Setting } from '../../src/host/config/settings.ts';
import { signInFields } from '../../src/host/config/signInFields.ts';

type Json = Readonly<Record<string, unknown>>;

interface Manifest {
  readonly contributes: { readonly configuration: readonly { readonly properties: Record<string, Json> }[] };
}

/** How a schema has a description, by the key of package.nls.json that stands for it. */
type Describe = (key: string, text: string) => string;

function schemasOf(fields: Fields, key: string, describe: Describe): Json {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, schemaOf(field, keyOf(key, name, field), describe)]),
  );
}

function schemaOf({ type, default: preset, description }: Field, key: string, describe: Describe): Json {
  return {
    ...type.schema,
    ...(type.fields && { properties: schemasOf(type.fields, key, describe) }),
    ...(preset !== undefined && { default: preset }),
    markdownDescription: describe(key, description),
  };
}

/** `type` has a description for each kind of server or input. */
function keyOf(key: string, name: string, { type: { schema } }: Field): string {
  const [first] = (schema['enum'] ?? [schema['const']]) as readonly unknown[];
  return name === 'type' ? `${key}.type.${String(first)}` : `${key}.${name}`;
}

/** Unknown and missing fields of a server are reported by the extension, with a fix. */
function serverSchema(kinds: readonly Fields[], describe: Describe, others: Json = {}): Json {
  const key = 'config.server';
  return {
    anyOf: kinds.map((fields) => ({
      type: 'object',
      properties: { ...schemasOf(fields, key, describe), ...others },
    })),
    defaultSnippets: [
      {
        label: 'Command',
        description: describe(`${key}.snippet.stdio`, 'A program on this machine'),
        body: { command: '${1:npx}', args: ['${2:-y}', '${3:package}'] },
      },
      {
        label: 'Address',
        description: describe(`${key}.snippet.http`, 'A server at an address'),
        body: { type: 'http', url: '${1:https://}' },
      },
    ],
  };
}

function inputsSchema(describe: Describe): Json {
  const variants = Object.values<Fields>(inputFields).map((fields) => ({
    type: 'object',
    required: Object.keys(fields).filter((name) => fields[name]?.required !== undefined),
    additionalProperties: false,
    properties: schemasOf(fields, 'config.server.input', describe),
  }));
  return { type: 'array', items: { anyOf: variants } };
}

function manifestWithSchemas(text: string, describe: Describe): Json {
  const manifest = JSON.parse(text) as Manifest & Json;
  for (const { properties } of manifest.contributes.configuration) {
    const { 'mcpHost.servers': servers, 'mcpHost.inputs': inputs } = properties;
    if (servers && inputs) {
      const additionalProperties = serverSchema([fieldsOf('stdio'), fieldsOf('http')], describe);
      properties['mcpHost.servers'] = { ...servers, additionalProperties };
      properties['mcpHost.inputs'] = { ...inputs, ...inputsSchema(describe) };
    }
    for (const [name, property] of Object.entries(properties)) {
      const schema = simple.get(name);
      properties[name] = schema ? settingSchema(name, property, schema) : property;
    }
  }
  return manifest;
}

/** The schemas of the settings, by name; servers and inputs have others. */
const simple = new Map<string, Setting['schema']>([
  ['mcpHost.requestTimeout', requestTimeoutSchema],
  ...Object.values(settings)
    .flatMap((group): readonly Setting[] => Object.values(group))
    .map(({ name, schema }) => [`mcpHost.${name}`, schema] as const),
]);

/** What package.json says of a setting; scope and order are kept. */
function settingSchema(name: string, { scope, order }: Json, schema: Setting['schema']): Json {
  const key = name.replace('mcpHost', 'config');
  const { type, default: preset, ...limits } = schema;
  const choices = schema['enum'] as readonly string[] | undefined;
  return {
    type,
    scope,
    ...limits,
    ...(choices && { enumDescriptions: choices.map((choice) => `%${key}.${choice}%`) }),
    markdownDescription: `%${key}%`,
    default: preset,
    ...(order !== undefined && { order }),
  };
}

/** New texts come behind the others of definitions. */
function withTexts(text: string, texts: ReadonlyMap<string, string>): Json {
  const isOurs = (key: string): boolean => key.startsWith('config.server.');
  const kept = Object.entries(JSON.parse(text) as Json)
    .filter(([key]) => !isOurs(key) || texts.has(key))
    .map(([key, value]) => [key, texts.get(key) ?? value] as const);
  const last = kept.findLastIndex(([key]) => isOurs(key));
  const added = [...texts].filter(([key]) => !kept.some(([other]) => other === key));
  return Object.fromEntries(kept.toSpliced(last + 1, 0, ...added));
}

function mcpJsonSchema(): Json {
  // Only the settings editor makes links of the names of settings.
  const plain: Describe = (_, text) => text.replaceAll(/`#([\w.]+)#`/g, 'the setting `$1`');
  const { tools } = otherFields.all;
  const types = { stdio: ['stdio', 'local'], http: ['http', 'streamable-http', 'sse'] } as const;
  const kinds = (['stdio', 'http'] as const).map((kind) => ({
    ...fieldsOf(kind),
    type: { ...typeFields[kind], type: oneOf(types[kind]) },
    tools: { ...tools, type: { ...tools.type, schema: { ...tools.type.schema, items: {} } } },
  }));
  const servers = {
    type: 'object',
    markdownDescription:
      'MCP servers, by name. Variables are replaced when a server starts: `${NAME}`, `${NAME:-default}` and `${env:NAME}` stand for environment variables, `${workspaceFolder}` and `${userHome}` for folders, `${input:id}` for an input of this file.',
    additionalProperties: { $ref: '#/definitions/server' },
  };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'MCP servers of a folder',
    description: 'The MCP servers of this folder. Several tools share this file.',
    type: 'object',
    allowTrailingCommas: true,
    allowComments: true,
    properties: {
      mcpServers: servers,
      servers: { ...servers, doNotSuggest: true },
      inputs: {
        markdownDescription:
          'Values that servers in this file need and that you enter once, such as a token. Other tools may not support inputs.',
        ...inputsSchema(plain),
      },
    },
    // Some programs write servers into the file itself.
    additionalProperties: { anyOf: [{ $ref: '#/definitions/server' }, {}] },
    definitions: { server: serverSchema(kinds, plain, schemasOfOthers(plain)) },
  };
}

/** What other programs write: nothing to propose, and nothing to mark as unknown. */
function schemasOfOthers(describe: Describe): Json {
  const fields: readonly Field[] = [
    typeFields.http,
    ...Object.values({ ...launchFields.stdio, ...launchFields.http }),
  ];
  const signIn = Object.values<Field>(signInFields).flatMap(({ aliases = [] }) => aliases);
  const aliases = [
    ...fields.flatMap(({ aliases = [] }) => aliases),
    ...signIn.filter((name) => name.startsWith('oauth')),
    'enabled',
    'auth',
  ].map((name) => [name, 'Read as well.']);
  const noted = Object.entries(notedFields).map(([name, reason]) => [
    name,
    reason === '' ? 'No effect in MCP Host.' : `No effect in MCP Host: ${reason}`,
  ]);
  return Object.fromEntries(
    [...noted, ...aliases].map(([name = '', text = '']) => [
      name,
      { doNotSuggest: true, markdownDescription: describe(name, text) },
    ]),
  );
}

const texts = new Map<string, string>();
const localized: Describe = (key, text) => {
  texts.set(key, text);
  return `%${key}%`;
};
const generated: readonly (readonly [string, (before: string) => Json])[] = [
  ['package.json', (before) => manifestWithSchemas(before, localized)],
  ['package.nls.json', (before) => withTexts(before, texts)],
  ['media/mcpJson.schema.json', mcpJsonSchema],
  ...(CLIENT_DOCUMENT_URL === ''
    ? []
    : [['media/clientMetadata.json', (): Json => ({ ...clientDocument(CLIENT_DOCUMENT_URL) })] as const]),
];
const options = JSON.parse(
  readFileSync(new URL('../../.oxfmtrc.json', import.meta.url), 'utf8'),
) as FormatOptions;
const stale: string[] = [];
for (const [file, generate] of generated) {
  const url = new URL(`../../${file}`, import.meta.url);
  const before = existsSync(url) ? readFileSync(url, 'utf8') : '';
  const json = JSON.stringify(generate(before), undefined, 2);
  const { code: after } = await format(file, json, options);
  if (after !== before) {
    stale.push(file);
    if (!process.argv.includes('--check')) {
      writeFileSync(url, after);
    }
  }
}
if (process.argv.includes('--check') && stale.length > 0) {
  process.stderr.write(
    `Stale: ${stale.join(', ')}. Change src/host/config/fields.ts or settings.ts, or src/host/auth/clientDocument.ts, not these files, and run: npm run generate\n`,
  );
  process.exitCode = 1;
}
