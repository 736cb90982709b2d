// Writes the JSON Schemas of servers and inputs, and their descriptions in package.nls.json, from the tables in
// src/host/config/fields.ts. With `--check` it writes nothing, and fails if a file is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import * as prettier from 'prettier';
import { fieldsOf, inputFields, typeFields } from '../../src/host/config/fields.ts';
import { oneOf, schemasOf, type Fields } from '../../src/host/config/fieldTypes.ts';

type Json = Readonly<Record<string, unknown>>;

interface Manifest {
  readonly contributes: { readonly configuration: readonly { readonly properties: Record<string, Json> }[] };
}

/** Unknown and missing fields of a server are reported by the extension, with a fix. */
function serverSchema(http: Fields): Json {
  return {
    anyOf: [fieldsOf('stdio'), http].map((fields) => ({ type: 'object', properties: schemasOf(fields) })),
    defaultSnippets: [
      {
        label: 'Command',
        description: 'A program on this machine',
        body: { command: '${1:npx}', args: ['${2:-y}', '${3:package}'] },
      },
      {
        label: 'Address',
        description: 'A server at an address',
        body: { type: 'http', url: '${1:https://}' },
      },
    ],
  };
}

function inputsSchema(): Json {
  const variants = Object.values<Fields>(inputFields).map((fields) => ({
    type: 'object',
    required: Object.keys(fields).filter((name) => fields[name]?.required !== undefined),
    additionalProperties: false,
    properties: schemasOf(fields),
  }));
  return { type: 'array', items: { anyOf: variants } };
}

/** The schema with keys of package.nls.json for its descriptions, which it puts into `texts`. */
function localized(schema: unknown, key: string, texts: Map<string, unknown>): unknown {
  if (Array.isArray(schema)) {
    return schema.map((item) => localized(item, key, texts));
  }
  if (typeof schema !== 'object' || schema === null) {
    return schema;
  }
  const localizedMember = (name: string, value: unknown): unknown => {
    switch (name) {
      case 'markdownDescription':
      case 'description':
        texts.set(key, value);
        return `%${key}%`;
      case 'defaultSnippets':
        return (value as readonly { body: object }[]).map((snippet) =>
          localized(snippet, `${key}.snippet.${'url' in snippet.body ? 'http' : 'stdio'}`, texts),
        );
      case 'properties':
        return mapValues(value as Readonly<Record<string, Json>>, (field, inner) =>
          localized(inner, `${key}.${field === 'type' ? `type.${firstValue(inner)}` : field}`, texts),
        );
      default:
        return localized(value, key, texts);
    }
  };
  return mapValues(schema, localizedMember);
}

function mapValues<T>(
  record: Readonly<Record<string, T>> | object,
  change: (name: string, value: T) => unknown,
): Json {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(name, value as T)]));
}

/** `type` has a description for each kind of server or input. */
function firstValue({ const: only, enum: choices }: Json): string {
  return String(only ?? (choices as readonly unknown[])[0]);
}

function manifestWithSchemas(text: string, texts: Map<string, unknown>): string {
  const manifest = JSON.parse(text) as Manifest;
  for (const { properties } of manifest.contributes.configuration) {
    const { 'mcpHost.servers': servers, 'mcpHost.inputs': inputs } = properties;
    if (servers && inputs) {
      properties['mcpHost.servers'] = {
        ...servers,
        additionalProperties: localized(serverSchema(fieldsOf('http')), 'config.server', texts),
      };
      properties['mcpHost.inputs'] = {
        ...inputs,
        ...(localized(inputsSchema(), 'config.server.input', texts) as Json),
      };
    }
  }
  return JSON.stringify(manifest);
}

/** New texts come behind the others of definitions. */
function withTexts(text: string, texts: ReadonlyMap<string, unknown>): string {
  const isOurs = (key: string): boolean => key.startsWith('config.server.');
  const before = Object.entries(JSON.parse(text) as Json);
  const kept = before
    .filter(([key]) => !isOurs(key) || texts.has(key))
    .map(([key, value]) => [key, texts.get(key) ?? value] as const);
  const last = kept.findLastIndex(([key]) => isOurs(key));
  const added = [...texts].filter(([key]) => !kept.some(([other]) => other === key));
  return JSON.stringify(Object.fromEntries(kept.toSpliced(last + 1, 0, ...added)), undefined, 2);
}

function mcpJsonSchema(): string {
  const http = typeFields.http;
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'MCP servers of a folder',
    description: 'The MCP servers of this folder. Several tools share this file.',
    type: 'object',
    required: ['mcpServers'],
    allowTrailingCommas: true,
    allowComments: true,
    properties: {
      mcpServers: {
        type: 'object',
        markdownDescription:
          'MCP servers, by name. Variables are replaced when a server starts: `${NAME}` and `${NAME:-default}` stand for environment variables, `${input:id}` for an input of this file.',
        additionalProperties: { $ref: '#/definitions/server' },
      },
      inputs: {
        markdownDescription:
          'Values that servers in this file need and that you enter once, such as a token. Other tools may not support inputs.',
        ...inputsSchema(),
      },
    },
    definitions: {
      server: serverSchema({
        ...fieldsOf('http'),
        type: { ...http, type: oneOf(['http', 'streamable-http', 'sse']) },
      }),
    },
  };
  // Only the settings editor makes links of names of settings.
  return JSON.stringify(schema, undefined, 2).replaceAll(/`#([\w.]+)#`/g, 'the setting `$1`');
}

const texts = new Map<string, unknown>();
const isCheck = process.argv.includes('--check');
const stale: string[] = [];
for (const [file, change] of [
  ['package.json', (text: string) => manifestWithSchemas(text, texts)],
  ['package.nls.json', (text: string) => withTexts(text, texts)],
  ['media/mcpJson.schema.json', mcpJsonSchema],
] as const) {
  const url = new URL(`../../${file}`, import.meta.url);
  const before = readFileSync(url, 'utf8');
  const options = await prettier.resolveConfig(url);
  const after = await prettier.format(change(before), { ...options, filepath: url.pathname });
  if (after !== before) {
    stale.push(file);
    if (!isCheck) {
      writeFileSync(url, after);
    }
  }
}
if (isCheck && stale.length > 0) {
  process.stderr.write(
    `Stale: ${stale.join(', ')}. What src/host/config/fields.ts says stands there: change that, then run npm run generate.\n`,
  );
  process.exitCode = 1;
}
