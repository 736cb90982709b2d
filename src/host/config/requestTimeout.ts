import type { DefinitionScope } from './serverDefinition.ts';
import { requestTimeoutSchema } from './settings.ts';

/** `mcpHost.requestTimeout` in each layer of the settings, as `inspect()` returns it. */
export interface TimeoutLayers {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** A workspace's value is at most so many milliseconds: it can't keep a request for days. */
const WORKSPACE_MOST_MS = 10 * 60_000;

/**
 * Milliseconds for the requests to a server that this scope defines. What a workspace sets applies to its own servers,
 * within bounds, and never to yours.
 */
export function requestTimeout(layers: TimeoutLayers | undefined, scope: DefinitionScope): number {
  const { globalValue, workspaceValue, workspaceFolderValue } = layers ?? {};
  const own = [workspaceFolderValue, workspaceValue].find(isTime);
  if (own !== undefined && (scope === 'workspace' || scope === 'folder')) {
    return Math.min(Math.max(own, requestTimeoutSchema.minimum), WORKSPACE_MOST_MS);
  }
  return isTime(globalValue) ? globalValue : requestTimeoutSchema.default;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}
