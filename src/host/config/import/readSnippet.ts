import type { ParseError } from 'jsonc-parser';
import { isRecord } from '../../../base/values/record.ts';
import { parseJsonc } from '../../errors/jsonError.ts';
import { definitionsIn, isDefinition, serversMember } from '../dialects.ts';
import { mapServer, type ImportedServer } from './mapServer.ts';

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
  const held = serversMember(nested) === 'servers' ? 'vscode' : 'any';
  const own = ['mcpHost.servers', 'context_servers'].map((key) => nested[key]).find(isRecord);
  const table = own ?? (isDefinition(value) ? { [nameIn(value)]: value } : definitionsIn(nested));
  const servers = Object.entries(isRecord(table) ? table : {}).filter(([, server]) => isDefinition(server));
  return servers.length === 0
    ? undefined
    : servers.map(([name, server]) => mapServer(name, server, declared, held));
}

function nameIn({ name }: Record<string, unknown>): string {
  return typeof name === 'string' ? name : unnamed;
}

function parsed(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parseJsonc(text, errors);
  return errors.length === 0 ? value : undefined;
}
