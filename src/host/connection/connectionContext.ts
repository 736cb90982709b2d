import type { After } from '../../base/time/clock.ts';
import type { Logger } from '../../base/logging/logger.ts';
import type { HttpServerDefinition, ServerDefinition } from '../config/serverDefinition.ts';
import type { SharedRoot } from '../folders/sharedRoot.ts';
import type { ReadyLaunch } from '../launch/readyLaunch.ts';
import type { ResolvedLaunch } from '../launch/resolvedLaunch.ts';
import type { ProcessRegistry } from '../processes/processRegistry.ts';
import type { TrafficRecorder } from '../traffic/trafficRecorder.ts';
import type { RequestAuthorization } from '../transport/http/requestAuthorization.ts';
import type { RootsRequest } from '../roots/rootsQuestions.ts';
import type { ServerSchemas } from '../schemas/schemaCheck.ts';
import type { BackoffPolicy } from './failures/backoff.ts';
import type { PingPolicy } from './idlePing.ts';
import type { ListWatchers } from './lists/listWatchers.ts';
import type { LevelSource } from './messages/logLevels.ts';
import type { NotificationListeners } from './messages/notifications.ts';
import type { ConnectionElicitation, SessionElicitation } from './elicitationSource.ts';
import type { ConnectionSampling, InTask, SamplingResult, SamplingSource } from './samplingSource.ts';
import type { StartPolicy, StartWait } from './startWait.ts';
import type { ServerTasks } from './tasks/serverTasks.ts';
import type { EraCache } from './eraStore.ts';

/** What a connection needs of the host. */
export interface ConnectionContext {
  readonly logger: Logger;
  readonly clientVersion: string;
  readonly backoff: BackoffPolicy;
  /** What this server may see of the workspace now. */
  roots(): readonly SharedRoot[];
  /** Resolves when `roots` can be the answer to a request; you may be asked first. See `RootsQuestions.prepare`. */
  prepareRoots(request: RootsRequest): Promise<void>;
  /** What would run now. A start calls it once, and runs that very object. */
  resolve(): ResolvedLaunch;
  /** Whether you have allowed exactly this launch. A start calls it first. */
  allows(launch: ResolvedLaunch): boolean;
  /**
   * Completes a launch with its inputs, and checks that the result is allowed, too.
   *
   * @throws HostError that says why it does not start; CancellationError.
   */
  admit(launch: ResolvedLaunch, signal: AbortSignal): Promise<ReadyLaunch>;
  /** What the requests to a server at an address carry; its variables are replaced. Without it, they carry no token. */
  authorize?(definition: HttpServerDefinition): RequestAuthorization | undefined;
  /** Values that appear in no log and no failure; `admit` and `authorize` add to them. */
  readonly secrets: Iterable<string>;
  /** The checks against the schemas of its tools. */
  readonly schemas: ServerSchemas;
  /** The lowest level at which the server's messages are wanted. */
  readonly level: LevelSource;
  /** Milliseconds of silence allowed to a request: `mcpHost.requestTimeout`. */
  requestTimeout(): number;
  /** Without it, the server is offered no model access. */
  readonly sampling?: ConnectionSampling | undefined;
  /** Without it, the server can't ask you to fill in forms or to open addresses. */
  readonly elicitation?: ConnectionElicitation | undefined;
  /** Keeps the processes of stdio servers. */
  readonly processes?: ProcessRegistry | undefined;
  /** Without it, each start finds out the server's era. */
  readonly eraCache?: EraCache | undefined;
  /** When an idle legacy server is pinged; without it, as `defaultPing` says. */
  readonly ping?: PingPolicy | undefined;
  /** How long its process may be silent while it starts; without it, as `defaultStart` says. */
  readonly start?: StartPolicy | undefined;
  /** Who watches the lists of all servers. */
  readonly listWatchers?: ListWatchers | undefined;
  /** The clock for the time in which a server should list its roots again; without it, the machine's. */
  readonly after?: After | undefined;
}

/** What one session needs of its connection. */
export interface SessionContext extends Pick<
  ConnectionContext,
  'logger' | 'clientVersion' | 'roots' | 'prepareRoots' | 'secrets' | 'level' | 'processes' | 'ping'
> {
  readonly definition: ServerDefinition;
  /** The absolute path in which a stdio server starts. */
  readonly cwd: string;
  /** Called with the roots that a request was answered with. */
  onListedRoots(roots: readonly SharedRoot[]): void;
  /** Answers a request for a model; undefined if the server is offered no model access. @throws SamplingFailure */
  readonly createMessage:
    | ((
        request: Pick<SamplingSource, 'revision' | 'signal' | 'ended'> & InTask,
        params: unknown,
      ) => Promise<SamplingResult>)
    | undefined;
  /** What listens to notifications of the server besides the session. */
  readonly listeners: Partial<NotificationListeners>;
  /** See `ServerTasks.takesProgress`. */
  readonly takesProgress: ServerTasks['takesProgress'];
  /** Undefined if the server may not ask you anything. */
  readonly elicitation: SessionElicitation | undefined;
  /** Whether a question to you waits that this server caused. */
  isAskingYou(): boolean;
  /** Milliseconds that a request of the handshake may take. */
  readonly timeout: number;
  /** The start that the session is a part of. */
  readonly wait: StartWait;
  readonly authorization: RequestAuthorization | undefined;
  /** What records the traffic of the server. */
  readonly traffic: TrafficRecorder;
  /** Why the result of a call doesn't match the output schema of its tool, as a clause; undefined if it does. */
  readonly outputFault: (tool: string, result: object) => Promise<string | undefined>;
}
