import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import {
  serverId,
  type DefinitionOrigin,
  type DefinitionProblem,
  type DefinitionReading,
  type ServerDefinition,
} from './serverDefinition.ts';

/** What one layer holds: the value of `mcpHost.servers` in it, or the text of a `.mcp.json`. */
export type DefinitionLayer =
  | { readonly origin: DefinitionOrigin; readonly servers: unknown }
  | { readonly origin: DefinitionOrigin; readonly text: string }
  /** The file is there, but could not be read. */
  | { readonly origin: DefinitionOrigin; readonly unreadable: string };

const stdioFields = ['command', 'args', 'env', 'envFile', 'cwd'];
const httpFields = ['url', 'headers', 'oauth'];
const commonFields = ['type', 'disabled', 'autoStart', 'timeout', 'roots', 'tools', 'sampling'];
/** Fields whose meaning would be lost if the server were started without heeding them. */
const unheededFields = ['envFile', 'roots'];

/** Reads each layer by itself; what is wrong in one definition costs that definition only. */
export function readDefinitions(layers: readonly DefinitionLayer[]): DefinitionReading {
  const definitions: ServerDefinition[] = [];
  const problems: DefinitionProblem[] = [];
  for (const layer of layers) {
    const { origin } = layer;
    const report = (message: string): void => void problems.push({ origin, severity: 'error', message });
    if ('unreadable' in layer) {
      report(`This file could not be read: ${layer.unreadable}`);
      continue;
    }
    const servers = 'text' in layer ? serversOfMcpJson(layer.text, report) : layer.servers;
    if (servers === undefined) {
      continue;
    }
    if (!isRecord(servers)) {
      report('The servers must be an object of the form { "name": { "command": "…" } }.');
      continue;
    }
    for (const [name, value] of Object.entries(servers)) {
      const reader = new DefinitionReader(origin, name, value);
      const definition = reader.read();
      problems.push(...reader.problems);
      if (definition && !reader.problems.some((problem) => problem.severity === 'error')) {
        definitions.push(definition);
      }
    }
  }
  return { definitions, problems };
}

function serversOfMcpJson(text: string, report: (message: string) => void): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true, disallowComments: false });
  const [first] = errors;
  if (first) {
    const line = text.slice(0, first.offset).split('\n').length;
    report(`Line ${line} is not valid JSON (${printParseErrorCode(first.error)}).`);
    return undefined;
  }
  if (!isRecord(value) || !('mcpServers' in value)) {
    report('There is no "mcpServers" object in this file.');
    return undefined;
  }
  return value['mcpServers'];
}

/** Reads one definition and collects what is wrong with it. */
class DefinitionReader {
  readonly problems: DefinitionProblem[] = [];
  readonly #origin: DefinitionOrigin;
  readonly #name: string;
  readonly #value: unknown;

  constructor(origin: DefinitionOrigin, name: string, value: unknown) {
    this.#origin = origin;
    this.#name = name;
    this.#value = value;
  }

  read(): ServerDefinition | undefined {
    if (this.#name.trim() === '') {
      return this.#error('A server needs a name.');
    }
    const value = this.#value;
    if (!isRecord(value)) {
      return this.#error('The definition must be an object with "command" or "url".');
    }
    const type = value['type'] ?? ('url' in value ? 'http' : 'stdio');
    if (type !== 'stdio' && type !== 'http' && type !== 'sse') {
      return this.#error('"type" must be "stdio", "http" or "sse".');
    }
    this.#checkFields(value, type);
    const autoStart = this.#boolean(value, 'autoStart');
    const timeout = this.#timeout(value);
    const base = {
      id: serverId(this.#origin, this.#name),
      name: this.#name,
      origin: this.#origin,
      disabled: this.#boolean(value, 'disabled') ?? false,
      inputs: [],
      ...(autoStart !== undefined && { autoStart }),
      ...(timeout !== undefined && { timeout }),
    };
    if (type === 'stdio') {
      const command = this.#string(value, 'command');
      const cwd = this.#string(value, 'cwd');
      if (!command) {
        return 'command' in value
          ? this.#error('"command" must not be empty.')
          : this.#error('"command" is missing: write the program that starts the server.');
      }
      return {
        ...base,
        type,
        command,
        args: this.#strings(value, 'args'),
        env: this.#record(value, 'env'),
        ...(cwd && { cwd }),
      };
    }
    const url = this.#string(value, 'url');
    if (!url) {
      return this.#error('"url" is missing: write the address of the server.');
    }
    if (!isHttpUrl(url)) {
      return this.#error(`"url" must be an http: or https: address; "${url}" is not.`);
    }
    return { ...base, type, url, headers: this.#record(value, 'headers') };
  }

  #checkFields(value: Record<string, unknown>, type: ServerDefinition['type']): void {
    const known = new Set([...commonFields, ...(type === 'stdio' ? stdioFields : httpFields)]);
    for (const field of Object.keys(value)) {
      if (!known.has(field)) {
        this.#warning(`"${field}" is not a field of ${type === 'stdio' ? 'a stdio' : 'an HTTP'} server.`);
      } else if (unheededFields.includes(field)) {
        this.#error(`"${field}" is not supported by this version, so the server is not started.`);
      }
    }
    if (/\$\{[^}]*\}/.test(JSON.stringify(value))) {
      this.#error('Variables such as ${NAME} are not supported by this version: write the value itself.');
    }
  }

  #boolean(value: Record<string, unknown>, field: string): boolean | undefined {
    const found = value[field];
    if (found === undefined || typeof found === 'boolean') {
      return found;
    }
    return this.#error(`"${field}" must be true or false.`);
  }

  #string(value: Record<string, unknown>, field: string): string | undefined {
    const found = value[field];
    if (found === undefined || typeof found === 'string') {
      return found;
    }
    return this.#error(`"${field}" must be a text.`);
  }

  #timeout(value: Record<string, unknown>): number | undefined {
    const found = value['timeout'];
    if (found === undefined || (typeof found === 'number' && found > 0)) {
      return found;
    }
    return this.#error('"timeout" must be a number of milliseconds above 0.');
  }

  #strings(value: Record<string, unknown>, field: string): string[] {
    const found = value[field];
    if (found === undefined) {
      return [];
    }
    if (Array.isArray(found) && found.every((item) => typeof item === 'string')) {
      return found;
    }
    this.#error(`"${field}" must be a list of texts.`);
    return [];
  }

  #record(value: Record<string, unknown>, field: string): Record<string, string> {
    const found = value[field];
    if (found === undefined) {
      return {};
    }
    if (!isRecord(found)) {
      this.#error(`"${field}" must be an object of texts.`);
      return {};
    }
    const texts: [string, string][] = [];
    for (const [name, item] of Object.entries(found)) {
      if (typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean') {
        texts.push([name, String(item)]);
      } else {
        this.#error(`"${field}.${name}" must be a text.`);
      }
    }
    return Object.fromEntries(texts);
  }

  #error(message: string): undefined {
    this.#report('error', message);
  }

  #warning(message: string): void {
    this.#report('warning', message);
  }

  #report(severity: DefinitionProblem['severity'], message: string): void {
    this.problems.push({ origin: this.#origin, name: this.#name, severity, message });
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'http:' || url?.protocol === 'https:';
}
