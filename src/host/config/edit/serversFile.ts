import type { DefinitionOrigin } from '../serverDefinition.ts';

/** What kind of file a server is written into: each keeps its servers at another place. */
export type ServersFile = 'settings' | 'workspaceFile' | 'mcpJson';

export function fileKindOf({ scope, format }: Pick<DefinitionOrigin, 'scope' | 'format'>): ServersFile {
  return format === 'mcpJson' ? 'mcpJson' : scope === 'workspace' ? 'workspaceFile' : 'settings';
}

export function serversPath(where: ServersFile): readonly string[] {
  switch (where) {
    case 'settings':
      return ['mcpHost.servers'];
    case 'workspaceFile':
      return ['settings', 'mcpHost.servers'];
    case 'mcpJson':
      return ['mcpServers'];
  }
}

export function inputsPath(where: ServersFile): readonly string[] {
  switch (where) {
    case 'settings':
      return ['mcpHost.inputs'];
    case 'workspaceFile':
      return ['settings', 'mcpHost.inputs'];
    case 'mcpJson':
      return ['inputs'];
  }
}
