import { createHash } from 'node:crypto';
import { setImmediate as whenOthersHaveRun, setTimeout as delay } from 'node:timers/promises';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import { Gathered } from '../../base/time/gathered.ts';
import type { Logger } from '../../base/logging/logger.ts';
import { sha256 } from '../../base/text/sha256.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { ServerConnection } from '../connection/serverConnection.ts';
import type { ListKind } from '../connection/lists/serverList.ts';
import type { AgentGrants } from '../gate/agentGrants.ts';
import type { Gate } from '../gate/gate.ts';
import type { GateSettings } from '../config/settings.ts';
import type { HostTools } from '../gate/hostTools.ts';
import { messageOf } from '../errors/hostError.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { HostServer, McpHost } from '../servers/mcpHost.ts';
import type { HostTool } from '../tools/hostTool.ts';
import { loadServerSdk, type ServerSdk } from '../sdk/loadSdk.ts';
import { LoopbackListener, type AdmittedRequest, type ListenerLimits } from './loopbackListener.ts';
import { serverPrefix } from './modelNames.ts';
import { offeredTools } from './modelTools.ts';
import { createProxy } from './serverProxy.ts';
import { ServedTools } from './servedTools.ts';
import { ServedServer } from './servedServer.ts';

/** Milliseconds for which changes are gathered before the version is computed again. */
const VERSION_MS = 50;

/** Milliseconds in which clients get the last answers of a server that has ended. */
const LAST_ANSWERS_MS = 1_000;

/** Where a client reaches one server. */
export interface GatewayEndpoint {
  readonly serverId: ServerId;
  /** The server's name as you see it. */
  readonly label: string;
  /** Stable, like the headers, as long as the gateway lives. */
  readonly url: string;
  readonly headers: { readonly Authorization: string };
  /** Changes when other tools are offered while no client listens, so that no client uses an old list. */
  readonly version: string;
}

export interface GatewayContext {
  readonly host: McpHost;
  readonly tools: HostTools;
  readonly gate: Gate;
  readonly grants: AgentGrants;
  readonly settings: GateSettings;
  readonly ledger: Pick<Ledger, 'entries' | 'load'>;
  readonly logger: Logger;
  readonly clientVersion: string;
  /** Keeps a text that is too long for a model, and says where you find it. */
  readonly keepWhole?: (server: ServerId, tool: string, text: string) => Promise<string | undefined>;
  readonly limits?: Partial<ListenerLimits>;
  /** How many tools agent mode gets by name, with those by which it finds the others. */
  readonly ceiling?: number;
}

/** What callers may see of a server, each the same object until it changes. */
type Lists = readonly (readonly [kind: ListKind, list: unknown])[];

/** One server, as long as it runs and is granted. */
interface Served {
  readonly connection: ServerConnection;
  readonly path: string;
  readonly server: ServedServer;
  readonly store: DisposableStore;
  readonly renewal: Gathered;
  /** What the server has not answered. */
  readonly openRequests: ReadonlySet<Promise<unknown>>;
  label: string;
  version: string;
  lists: Lists;
}

/** Serves each running server that you granted to agent mode as a proxy, over HTTP on loopback. */
export class Gateway {
  readonly #onDidChangeEndpoints = new Emitter<void>();
  readonly onDidChangeEndpoints = this.#onDidChangeEndpoints.event;
  readonly #onDidChangeLeftOut = new Emitter<void>();
  /** Other tools than before are left out, or none any longer. */
  readonly onDidChangeLeftOut = this.#onDidChangeLeftOut.event;
  readonly #context: GatewayContext;
  readonly #listener: LoopbackListener;
  readonly #served = new Map<ServerId, Served>();
  readonly #servedTools: ServedTools;
  readonly #store = new DisposableStore();
  readonly #endings = new Set<Promise<void>>();
  #sdk: ServerSdk | undefined;
  #opening: Promise<void> | undefined;
  #started = false;
  #isClosed = false;

  constructor(context: GatewayContext) {
    this.#context = context;
    this.#listener = new LoopbackListener((request) => this.#answer(request), context.limits);
    const { tools, ledger, ceiling } = context;
    this.#servedTools = new ServedTools(tools, () => ledger.entries, ceiling);
  }

  /** The servers that clients can reach now; none before `start`. */
  get endpoints(): readonly GatewayEndpoint[] {
    return [...this.#served].map(([serverId, { label, path, version }]) => ({
      serverId,
      label,
      url: this.#listener.url + path,
      headers: { Authorization: this.#listener.authorization },
      version,
    }));
  }

  /** Whether agent mode doesn't get all tools by name, because there are more than the editor takes. */
  get leavesToolsOut(): boolean {
    return this.#servedTools.leavesToolsOut;
  }

  isLeftOut(tool: HostTool): boolean {
    return this.#servedTools.isLeftOut(tool);
  }

  /**
   * Serves what is granted, from now on. The first such server opens the port and loads the SDK;
   * resolved when clients can reach those that run now.
   */
  async start(): Promise<void> {
    if (!this.#started) {
      this.#started = true;
      const { host, tools, grants, settings } = this.#context;
      const update = (): void => this.#update();
      this.#store.add(host.onDidChangeServers(update));
      this.#store.add(host.onDidChangeServer(update));
      this.#store.add(grants.onDidChange(update));
      this.#store.add(settings.onDidChange(update));
      this.#store.add(
        tools.onDidChange((id) => {
          this.#announce(id);
          this.#leaveOut([...this.#served.keys()]);
        }),
      );
      this.#update();
    }
    await this.#opening;
  }

  /** Ends at once, with every open answer. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#store.dispose();
    this.#served.forEach((served, id) => this.#end(id, served));
    this.#onDidChangeEndpoints.dispose();
    this.#onDidChangeLeftOut.dispose();
    await this.#opening?.catch(() => {});
    await this.#listener.close();
    await Promise.all(this.#endings);
  }

  /** Starts and stops serving, so that exactly the servers that run and are granted are served. */
  #update(): void {
    const { host, logger } = this.#context;
    const wanted = new Map(
      host.servers.filter((one) => this.#isWanted(one)).map((one) => [one.connection.definition.id, one]),
    );
    if (this.#isClosed || (wanted.size === 0 && this.#served.size === 0)) {
      return;
    }
    if (!this.#sdk) {
      this.#opening ??= this.#open().catch((error: unknown) => {
        // The next change tries again.
        this.#opening = undefined;
        logger.log('error', `Agent mode cannot reach the servers: ${messageOf(error)}`);
      });
      return;
    }
    let isChanged = false;
    for (const [id, served] of this.#served) {
      const now = wanted.get(id);
      if (now?.connection !== served.connection) {
        this.#end(id, served);
        isChanged = true;
      } else if (now.label !== served.label) {
        served.label = now.label;
        isChanged = true;
      }
    }
    // First, so that a new server is announced once, with the tools that it keeps.
    this.#leaveOut([...wanted.keys()]);
    for (const [id, { connection, label }] of wanted) {
      if (!this.#served.has(id)) {
        this.#served.set(id, this.#serve(this.#sdk, connection, label));
        isChanged = true;
      }
    }
    if (isChanged) {
      this.#onDidChangeEndpoints.fire();
    }
  }

  /** Decides which tools are left out, and notifies the clients of servers for which that has changed. */
  #leaveOut(ids: readonly ServerId[], isAgain = false): void {
    const leftOutBefore = this.leavesToolsOut;
    const changed = this.#servedTools.update(ids, isAgain);
    for (const id of changed) {
      const served = this.#served.get(id);
      served?.server.changed('tools');
      served?.renewal.soon();
    }
    if (changed.length > 0) {
      this.#onDidChangeLeftOut.fire();
    }
    if (this.leavesToolsOut && !leftOutBefore && !isAgain) {
      void this.#leaveOutByHistory();
    }
  }

  /** What ran in earlier windows is read only when it matters. */
  async #leaveOutByHistory(): Promise<void> {
    const { ledger, logger } = this.#context;
    try {
      await ledger.load();
    } catch (error) {
      logger.log('error', `The earlier calls could not be read: ${messageOf(error)}`);
      return;
    }
    if (!this.#isClosed) {
      this.#leaveOut([...this.#served.keys()], true);
    }
  }

  #isWanted({ connection }: HostServer): boolean {
    const { grants, settings } = this.#context;
    return (
      settings.isGatewayOn &&
      connection.state.kind === 'running' &&
      grants.isGranted(connection.definition.id)
    );
  }

  async #open(): Promise<void> {
    const sdk = await loadServerSdk();
    if (this.#isClosed) {
      return;
    }
    await this.#listener.listen();
    this.#sdk = sdk;
    this.#update();
  }

  #serve(sdk: ServerSdk, connection: ServerConnection, label: string): Served {
    const { host, tools, gate, settings, logger, clientVersion, keepWhole } = this.#context;
    const { id, name } = connection.definition;
    const store = new DisposableStore();
    const openRequests = new Set<Promise<unknown>>();
    const server = new ServedServer(
      sdk,
      () =>
        createProxy(sdk, {
          connection,
          tools,
          gate,
          logger,
          clientVersion,
          prefix: serverPrefix(
            name,
            id,
            undefined,
            host.servers.some(
              ({ connection: { definition } }) => definition.id !== id && definition.name === name,
            ),
          ),
          maxResultTokens: () => settings.maxResultTokens,
          isLeftOut: (tool) => this.isLeftOut(tool),
          openRequests,
          keepWhole: (tool, text) => keepWhole?.(id, tool, text) ?? Promise.resolve(undefined),
        }),
      (error) => logger.log('debug', `Agent mode, ${label}: ${error.message}`),
      () => connection.listWatchers.watch(),
    );
    const renewal = store.add(new Gathered(VERSION_MS, () => this.#renewVersion(id, served)));
    const served: Served = {
      connection,
      path: pathOf(id),
      server,
      store,
      renewal,
      openRequests,
      label,
      version: this.#versionOf(id),
      lists: this.#listsOf(id),
    };
    store.add(tools.onDidChange((changed) => changed === id && renewal.soon()));
    store.add(server.onDidLoseListener(() => renewal.soon()));
    return served;
  }

  #listsOf(id: ServerId): Lists {
    const { tools } = this.#context;
    return [
      ['tools', tools.of(id)],
      ['prompts', tools.prompts(id)],
      ['resources', tools.resources(id)],
      ['resources', tools.templates(id)],
    ];
  }

  #announce(id: ServerId): void {
    const served = this.#served.get(id);
    if (served) {
      const before = served.lists;
      served.lists = this.#listsOf(id);
      served.lists
        .filter(([, list], index) => list !== before[index]?.[1])
        .forEach(([kind]) => served.server.changed(kind));
    }
  }

  #end(id: ServerId, served: Served): void {
    this.#served.delete(id);
    served.store.dispose();
    const ending = this.#closeServed(served).finally(() => this.#endings.delete(ending));
    this.#endings.add(ending);
  }

  async #closeServed({ connection, server, openRequests }: Served): Promise<void> {
    if (connection.state.kind !== 'running' && !this.#isClosed) {
      // They fail now, and clients learn why.
      await Promise.race([
        Promise.allSettled(openRequests),
        delay(LAST_ANSWERS_MS, undefined, { ref: false }),
      ]);
      await whenOthersHaveRun();
    }
    await server.close();
  }

  #renewVersion(id: ServerId, served: Served): void {
    const version = this.#versionOf(id);
    // A client that listens is notified of the change, and a new version would end its connection.
    if (served.version !== version && !served.server.isListenedTo) {
      served.version = version;
      this.#onDidChangeEndpoints.fire();
    }
  }

  #versionOf(id: ServerId): string {
    const hash = createHash('sha256');
    for (const tool of offeredTools(this.#context.tools, id, (one) => this.isLeftOut(one))) {
      hash.update(JSON.stringify(tool));
    }
    return `${this.#context.clientVersion}-${hash.digest('hex').slice(0, 12)}`;
  }

  async #answer(request: AdmittedRequest): Promise<boolean> {
    const served = [...this.#served.values()].find(({ path }) => path === request.path);
    await served?.server.answer(request);
    return served !== undefined;
  }
}

/** The same whenever the server runs. */
function pathOf(id: ServerId): string {
  return `/${sha256(id).slice(0, 16)}`;
}
