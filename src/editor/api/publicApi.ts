import * as vscode from 'vscode';
import type { McpHostApi, McpRequestOptions, McpServer } from '../../api.ts';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import type { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { RequestOptions } from '../../host/connection/requests/sendRequest.ts';
import type { ServerConnection } from '../../host/connection/serverConnection.ts';
import type { Caller } from '../../host/ledger/caller.ts';
import type { Gate } from '../../host/gate/gate.ts';
import { isOffered } from '../../host/tools/hostTool.ts';
import type { HostTools } from '../../host/gate/hostTools.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { failureText } from '../messages/words.ts';
import { signalOf } from '../lifetime/cancellationTokens.ts';

export interface ApiDependencies {
  readonly host: McpHost;
  readonly gate: Gate;
  readonly tools: Pick<HostTools, 'of' | 'onDidChange'>;
  /** Who is calling now; asked before anything is awaited. */
  readonly callingExtension: () => Caller;
}

/** The host as other extensions see it; it ends with the store. What they ask of a server goes through the gate. */
export function createApi(dependencies: ApiDependencies, store: DisposableStore): McpHostApi {
  const { host, tools } = dependencies;
  const servers = new WeakMap<ServerConnection, McpServer>();
  const present = (connection: ServerConnection): McpServer => {
    const known = servers.get(connection) ?? createServer(dependencies, connection);
    servers.set(connection, known);
    return known;
  };
  const onDidChangeServers = store.add(new vscode.EventEmitter<void>());
  const onDidChangeServer = store.add(new vscode.EventEmitter<McpServer>());
  store.add(host.onDidChangeServers(() => onDidChangeServers.fire()));
  store.add(host.onDidChangeServer((connection) => onDidChangeServer.fire(present(connection))));
  store.add(
    tools.onDidChange((id) => {
      const connection = host.server(id)?.connection;
      if (connection) {
        onDidChangeServer.fire(present(connection));
      }
    }),
  );
  return {
    version: 2,
    get servers() {
      return host.servers.map(({ connection }) => present(connection));
    },
    onDidChangeServers: onDidChangeServers.event,
    onDidChangeServer: onDidChangeServer.event,
  };
}

function createServer(
  { host, gate, tools, callingExtension }: ApiDependencies,
  connection: ServerConnection,
): McpServer {
  const { id, name, origin } = connection.definition;
  const label = (): string => host.server(id)?.label ?? name;
  const running = () => (connection.state.kind === 'running' ? connection.state : undefined);
  const ask = <T>(what: string, options: McpRequestOptions | undefined, send: Send<T>): Promise<T> =>
    request(label, what, options, send);
  return {
    id,
    name,
    origin: { scope: origin.scope, format: origin.format },
    get label() {
      return label();
    },
    get state() {
      return connection.state.kind;
    },
    get failure() {
      return 'reason' in connection.state ? connection.state.reason.message : undefined;
    },
    get revision() {
      return running()?.revision;
    },
    get pid() {
      return running()?.pid;
    },
    get tools() {
      connection.catalogue?.look('tools');
      return tools
        .of(id)
        .filter(isOffered)
        .map(({ offered }) => offered);
    },
    get roots() {
      return host.rootsOf(connection.definition).shared;
    },
    start: () => ask('could not start', undefined, () => host.start(id)),
    stop: () => ask('could not stop', undefined, () => host.stop(id)),
    restart: () => ask('could not start', undefined, () => host.restart(id)),
    callTool: (tool, args, options) => {
      const caller = callingExtension();
      return ask(`did not run '${tool}'`, options, (...limits) =>
        gate.callTool(caller, id, tool, args, ...limits),
      );
    },
    readResource: (uri, options) => {
      const caller = callingExtension();
      return ask(`did not give '${uri}'`, options, (...limits) =>
        gate.readResource(caller, id, uri, ...limits),
      );
    },
    getPrompt: (prompt, args, options) => {
      const caller = callingExtension();
      return ask(`did not fill in '${prompt}'`, options, (...limits) =>
        gate.getPrompt(caller, id, prompt, args, ...limits),
      );
    },
  };
}

type Send<T> = (limits: RequestOptions, signal: AbortSignal) => Promise<T>;

/** Uses the editor's types at the edge: its tokens, its cancellation, and errors with a sentence. */
async function request<T>(
  label: () => string,
  what: string,
  { token, onProgress }: McpRequestOptions = {},
  send: Send<T>,
): Promise<T> {
  const cancelling = signalOf(token);
  try {
    return await send(onProgress ? { onProgress } : {}, cancelling.signal);
  } catch (error) {
    if (error instanceof CancellationError) {
      throw new vscode.CancellationError();
    }
    throw new Error(failureText(label(), what, error), { cause: error });
  } finally {
    cancelling.dispose();
  }
}
