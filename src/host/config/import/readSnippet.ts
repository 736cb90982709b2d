import { parse, type ParseError } from 'jsonc-parser';
import { isRecord } from '../../../base/values/record.ts';
import { mapServer, urlNames, type ImportedServer } from './mapServer.ts';

const unnamed = '';

/**
 * Reads a pasted definition in any form that documentation shows: a whole file of VS Code or of the `mcpServers`
 * convention, a named server with or without braces around it, or only a definition. The name is empty if there is
 * none. Undefined if the text is not JSON of one of these forms.
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
  const tables = ['servers', 'mcpServers', 'mcpHost.servers', 'context_servers'].map((key) => nested[key]);
  const table = tables.find(isRecord) ?? (isDefinition(value) ? { [nameIn(value)]: value } : value);
  const servers = Object.entries(table).filter(([, server]) => isDefinition(server));
  return servers.length === 0
    ? undefined
    : servers.map(([name, server]) => mapServer(name, server, declared, held));
}

function isDefinition(value: unknown): boolean {
  return isRecord(value) && ['command', ...urlNames].some((key) => typeof value[key] === 'string');
}

function nameIn({ name }: Record<string, unknown>): string {
  return typeof name === 'string' ? name : unnamed;
}

function parsed(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 ? value : undefined;
}
