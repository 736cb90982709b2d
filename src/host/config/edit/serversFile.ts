import type { DefinitionOrigin, LayerPart } from '../serverDefinition.ts';

/** What kind of file a server is written into: each keeps its servers in another place. */
export type ServersFile = 'settings' | 'workspaceFile' | 'mcpJson';

export function fileKindOf({ scope, format }: Pick<DefinitionOrigin, 'scope' | 'format'>): ServersFile {
  return format === 'mcpJson' ? 'mcpJson' : scope === 'workspace' ? 'workspaceFile' : 'settings';
}

/** Where a part of a layer stands in the file that the layer is read from. */
export function pathInFile(where: ServersFile, part: LayerPart): readonly string[] {
  if (part === 'file') {
    return [];
  }
  if (where === 'mcpJson') {
    return [part === 'servers' ? 'mcpServers' : 'inputs'];
  }
  return where === 'workspaceFile' ? ['settings', `mcpHost.${part}`] : [`mcpHost.${part}`];
}
