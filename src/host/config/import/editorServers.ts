import type { ParseError } from 'jsonc-parser';
import { isRecord } from '../../../base/values/record.ts';
import { parseJsonc } from '../../errors/jsonError.ts';
import type { DefinitionOrigin, ServerDefinition } from '../serverDefinition.ts';
import { textParts } from '../variables.ts';
import { placeValue, type Places } from '../workingDirectory.ts';

/** One place of the editor's own MCP configuration. */
export interface EditorConfiguration {
  /** Its name in messages, such as `api/.vscode/mcp.json`. */
  readonly place: string;
  /** The URI of its file, if it has one. */
  readonly file?: string;
  readonly scope: DefinitionOrigin['scope'];
  /** The folder that its variables refer to. */
  readonly folder?: DefinitionOrigin['folder'];
  readonly servers: unknown;
}

/** A server of the editor's own configuration. */
export interface EditorServer {
  readonly name: string;
  readonly place: string;
  readonly file?: string;
  /** Equal for the same program with the same arguments, or the same address. */
  readonly target: string;
}

/**
 * The servers that the editor reads in a text, as they are written: `servers` of its own `mcp.json`; of a file that it
 * shares with other programs `mcpServers`, or else the whole object, and nothing if the JSON has an error.
 */
export function serversInText(text: string, isShared: boolean): unknown {
  const errors: ParseError[] = [];
  const value = parseJsonc(text, errors);
  if (!isRecord(value) || (isShared && errors.length > 0)) {
    return undefined;
  }
  return isShared && !Object.hasOwn(value, 'mcpServers') ? value : value[isShared ? 'mcpServers' : 'servers'];
}

/** Reads the editor's configuration; leaves out what is not valid. */
export function editorServers(
  configurations: readonly EditorConfiguration[],
  places: Places,
): readonly EditorServer[] {
  return configurations.flatMap(({ place, file, scope, folder, servers }) => {
    const origin: DefinitionOrigin = { scope, format: 'settings', place, ...(folder && { folder }) };
    return Object.entries(isRecord(servers) ? servers : {}).flatMap(([name, server]) => {
      const target = isRecord(server) ? targetOf(server, origin, places) : undefined;
      return target === undefined ? [] : [{ name, place, ...(file !== undefined && { file }), target }];
    });
  });
}

/** The editor's own server that is the same as this one, so that agent mode would have it twice. */
export function editorTwin(
  definition: ServerDefinition,
  servers: readonly EditorServer[],
  places: Places,
): EditorServer | undefined {
  const target = targetOf({ ...definition }, definition.origin, places);
  return servers.find((server) => server.target === target);
}

/** The command line or address; undefined if there is neither. Environment and headers do not count. */
function targetOf(
  server: Readonly<Record<string, unknown>>,
  origin: DefinitionOrigin,
  places: Places,
): string | undefined {
  const { command, args = [], url } = server;
  if (typeof command === 'string' && Array.isArray(args)) {
    const texts = [command, ...args.map(String)];
    return JSON.stringify(texts.map((text) => comparable(text, origin, places)));
  }
  return typeof url === 'string' ? comparableUrl(comparable(url, origin, places)) : undefined;
}

function comparableUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url).href : url;
  return parsed.replace(/\/$/, '');
}

/** A text with variables for places replaced, and the other variables in one format. */
function comparable(text: string, origin: DefinitionOrigin, places: Places): string {
  // The editor supports both formats in a .mcp.json, which it shares with other tools.
  const format = /\$\{(workspaceFolder|userHome|pathSeparator|env:|\/)/.test(text)
    ? 'settings'
    : origin.format;
  return textParts(text, format)
    .map((part) => {
      if (typeof part === 'string') {
        return part;
      }
      const place = placeValue(part, origin, places);
      if (place !== undefined) {
        return place;
      }
      switch (part.kind) {
        case 'environment':
          return `\${env:${part.name}}`;
        case 'input':
          return `\${input:${part.id}}`;
        case 'unknown':
          return `\${${part.text.replace(/^(\w+)(:-.*)?$/, 'env:$1')}}`;
        default:
          return `\${${part.kind}}`;
      }
    })
    .join('');
}
