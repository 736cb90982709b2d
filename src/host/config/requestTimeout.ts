import type { DefinitionScope } from './serverDefinition.ts';

/** `mcpHost.requestTimeout` in each layer of the settings, as `inspect()` returns it. */
export interface TimeoutLayers {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

const PRESET_MS = 60_000;
/** A workspace's value is at least and at most so many milliseconds: it can't keep a request for days. */
const WORKSPACE_MS = { least: 1_000, most: 10 * 60_000 };

/**
 * Milliseconds for the requests to a server that this scope defines. What a workspace sets applies to its own servers,
 * within bounds, and never to yours.
 */
export function requestTimeout(layers: TimeoutLayers | undefined, scope: DefinitionScope): number {
  const { globalValue, workspaceValue, workspaceFolderValue } = layers ?? {};
  const own = [workspaceFolderValue, workspaceValue].find(isTime);
  if (own !== undefined && (scope === 'workspace' || scope === 'folder')) {
    return Math.min(Math.max(own, WORKSPACE_MS.least), WORKSPACE_MS.most);
  }
  return isTime(globalValue) ? globalValue : PRESET_MS;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}
