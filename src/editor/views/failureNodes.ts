import { remedyFor, type Remedy } from '../../host/connection/failures/remedies.ts';
import type { HostError } from '../../host/errors/hostError.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';
import type { ServerNode } from './serverNodes.ts';

/** A row that helps: a remedy, or the log. */
export type ShownRemedy = Remedy | { readonly kind: 'showLog' };

/** Why a server failed, and below it what may help: always the log, so that nobody has to hover for it. */
export function failureNodes(server: HostServer): readonly ServerNode[] {
  const reason = failureOf(server);
  if (!reason) {
    return [];
  }
  const remedy = remedyFor(reason, server.connection.definition);
  return [
    { kind: 'failure', server, reason },
    ...(remedy ? [{ kind: 'remedy', server, remedy } as const] : []),
    { kind: 'remedy', server, remedy: { kind: 'showLog' } },
  ];
}

/** What a row tells menus about what may help a server that failed. */
export function remedyMark(server: HostServer): readonly Remedy['kind'][] {
  const reason = failureOf(server);
  const remedy = reason && remedyFor(reason, server.connection.definition);
  return remedy ? [remedy.kind] : [];
}

function failureOf({ connection: { state } }: HostServer): HostError | undefined {
  return state.kind === 'failed' || state.kind === 'backingOff' ? state.reason : undefined;
}
