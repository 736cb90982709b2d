import type { DefinitionOrigin, LayerPart } from '../serverDefinition.ts';

/** The kind of file that a server is written into. Each has its servers at a different path. */
export type ServersFile = 'settings' | 'workspaceFile' | 'mcpJson';

export function fileKindOf({ scope, format }: Pick<DefinitionOrigin, 'scope' | 'format'>): ServersFile {
  return format === 'mcpJson' ? 'mcpJson' : scope === 'workspace' ? 'workspaceFile' : 'settings';
}

/** The path of a part of a layer in its file. */
export function pathInFile(where: ServersFile, part: LayerPart): readonly string[] {
  if (part === 'file') {
    return [];
  }
  if (where === 'mcpJson') {
    return [part === 'servers' ? 'mcpServers' : 'inputs'];
  }
  return where === 'workspaceFile' ? ['settings', `mcpHost.${part}`] : [`mcpHost.${part}`];
}
