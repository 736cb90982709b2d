import { isEditable } from '../../host/config/edit/changeServer.ts';
import { sampleId } from '../../host/sample/sampleDefinition.ts';
import { isActive } from '../../host/connection/state/connectionState.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';
import { remedyMark } from './failureNodes.ts';
import type { TreeSources } from './serverNodes.ts';

/**
 * What the menus in package.json ask about a server, as words in any order after `server`: `active` or `idle`, the
 * kind of its state, `editable` when its definition stands in a file, `on` or `off` for `disabled` in it, and what
 * it can be trusted with, reviewed for, or shared with, and what may help it if it failed.
 */
export function serverContext(server: HostServer, { tools, agentMode }: TreeSources): string {
  const { state, definition } = server.connection;
  const isRunning = state.kind === 'running';
  const chat = agentMode.stateOf(server);
  return [
    'server',
    isActive(state) ? 'active' : 'idle',
    state.kind,
    ...(isEditable(definition.origin) ? ['editable', definition.disabled ? 'off' : 'on'] : []),
    ...(isRunning ? [tools.isTrusted(definition.id) ? 'trusted' : 'untrusted'] : []),
    ...(chat === 'granted' ? ['shared'] : chat === 'notGranted' && isRunning ? ['unshared'] : []),
    ...(tools.changes(definition.id) ? ['changed'] : []),
    ...(definition.inputs.length > 0 ? ['inputs'] : []),
    ...(definition.id === sampleId ? ['sample'] : []),
    ...remedyMark(server),
  ].join(' ');
}
