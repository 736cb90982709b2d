import { getNodeValue, type Node } from 'jsonc-parser';
import { serversMember } from '../dialects.ts';
import type { DefinitionOrigin, LayerPart } from '../serverDefinition.ts';

/** The kind of file that a server is written into. Each has its servers at a different path. */
export type ServersFile = 'settings' | 'workspaceFile' | 'mcpJson';

export function fileKindOf({ scope, format }: Pick<DefinitionOrigin, 'scope' | 'format'>): ServersFile {
  return format === 'mcpJson' ? 'mcpJson' : scope === 'workspace' ? 'workspaceFile' : 'settings';
}

/** The path of a part of a layer in its file; in a `.mcp.json` it depends on what is there. */
export function pathInFile(where: ServersFile, part: LayerPart, root?: Node): readonly string[] {
  if (part === 'file') {
    return [];
  }
  if (where === 'mcpJson') {
    const member = part === 'servers' ? serversMember(root && getNodeValue(root)) : part;
    return member === undefined ? [] : [member];
  }
  return where === 'workspaceFile' ? ['settings', `mcpHost.${part}`] : [`mcpHost.${part}`];
}
