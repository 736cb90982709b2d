import { parse, type ParseError } from 'jsonc-parser';
import { isRecord } from '../../tools/jsonSchema.ts';
import { mapServer, type ImportedServer } from './mapServer.ts';

const unnamed = '';

/**
 * Reads a pasted definition in any of the forms that documentation shows: a whole file of VS Code or of the
 * `mcpServers` convention, one named server with or without braces around it, or a definition by itself,
 * whose name is then empty. Undefined when the text is no such JSON.
 */
export function readSnippet(text: string): readonly ImportedServer[] | undefined {
  const trimmed = text.trim().replace(/,$/, '');
  const value = parsed(trimmed) ?? (trimmed.startsWith('"') ? parsed(`{${trimmed}}`) : undefined);
  if (!isRecord(value)) {
    return undefined;
  }
  const nested = ['mcp', 'settings'].map((key) => value[key]).find(isRecord) ?? value;
  const inputs = nested['inputs'] ?? nested['mcpHost.inputs'];
  const declared: readonly unknown[] = Array.isArray(inputs) ? inputs : [];
  const held = isRecord(nested['servers']) ? 'vscode' : 'any';
  const tables = [nested['servers'], nested['mcpServers'], nested['mcpHost.servers']];
  const table = tables.find(isRecord) ?? (isDefinition(value) ? { [unnamed]: value } : value);
  const servers = Object.entries(table).filter(([, server]) => isDefinition(server));
  return servers.length === 0
    ? undefined
    : servers.map(([name, server]) => mapServer(name, server, declared, held));
}

function isDefinition(value: unknown): boolean {
  return isRecord(value) && (typeof value['command'] === 'string' || typeof value['url'] === 'string');
}

function parsed(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 ? value : undefined;
}
