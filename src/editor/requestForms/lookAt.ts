import type { ServerConnection } from '../../host/connection/serverConnection.ts';
import { cureFor, cureWords } from '../../host/connection/stateWords.ts';
import type { RequestTarget } from '../../host/requestForms/requestFormProtocol.ts';
import type { ListedRequest, RequestLook } from '../../host/requestForms/requestFormPort.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';

/**
 * What a form is for, as its server lists it now. `verb` says what you want, such as `run`; `find` gives a sentence
 * where it is listed but can't be used.
 */
export function lookAt(
  host: Pick<McpHost, 'server'>,
  { kind, server: id, name }: RequestTarget,
  verb: string,
  find: (connection: ServerConnection, server: string) => ListedRequest | string | undefined,
): RequestLook {
  const found = host.server(id);
  if (!found) {
    const reason = `The server of this ${kind} is not configured here.`;
    return { kind: 'missing', server: '', reason, remedies: [] };
  }
  const { connection, label: server } = found;
  const listed = find(connection, server);
  if (typeof listed === 'string') {
    return { kind: 'missing', server, reason: listed, remedies: [] };
  }
  if (listed) {
    return { kind: 'listed', ...listed };
  }
  const { state } = connection;
  if (state.kind === 'running') {
    const reason = `Server '${server}' has no ${kind} '${name}'.`;
    return { kind: 'missing', server, reason, remedies: [] };
  }
  const cure = cureFor(state);
  return {
    kind: 'missing',
    server,
    reason: `Server '${server}' isn't running. ${cureWords[cure]} to ${verb} '${name}'.`,
    remedies: [cure, 'showLog'],
  };
}
