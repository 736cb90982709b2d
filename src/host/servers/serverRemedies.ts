import type { ShownAccount } from '../auth/accountText.ts';
import type { ServerDefinition } from '../config/serverDefinition.ts';
import { remedyFor, tokenPlaceOf, type Remedy } from '../connection/failures/remedies.ts';
import type { HostError } from '../errors/hostError.ts';
import type { HostServer } from './mcpHost.ts';

/** What may help a server that failed: one remedy or none. */
export function remediesFor(server: HostServer): readonly Remedy[] {
  const reason = failureOf(server);
  const remedy = reason && remedyFor(reason, server.connection.definition);
  return remedy ? [remedy] : [];
}

/** Why a server failed, is not allowed, or is tried again later. */
export function failureOf({ connection: { state } }: HostServer): HostError | undefined {
  return state.kind === 'failed' || state.kind === 'backingOff' || state.kind === 'forbidden'
    ? state.reason
    : undefined;
}

/** Whether a token can be set for the requests to a server. */
export function takesToken(definition: ServerDefinition, account: ShownAccount | undefined): boolean {
  return account ? account.kind === 'token' : tokenPlaceOf(definition) === 'account';
}
