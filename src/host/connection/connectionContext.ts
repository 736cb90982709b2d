import type { After } from '../../base/after.ts';
import type { Logger } from '../../base/logger.ts';
import type { ReadyLaunch } from '../launch/readyLaunch.ts';
import type { ResolvedLaunch } from '../launch/resolvedLaunch.ts';
import type { RootsRequest } from '../roots/rootsQuestions.ts';
import type { SharedRoot } from '../folders/sharedRoot.ts';
import type { ProcessRegistry } from '../processes/processRegistry.ts';
import type { BackoffPolicy } from '../../base/backoffPolicy.ts';
import type { ConnectionSampling } from './samplingSource.ts';
import type { ListAudience } from './lists/listAudience.ts';
import type { LevelSource } from './lists/logLevelSync.ts';
import type { PingPolicy } from './requests/peerPing.ts';
import type { StartPolicy } from './requests/startPolicy.ts';
import type { KnownEra } from './waysToConnect.ts';

/** What a connection needs of the host, read at the moment of use. */
export interface ConnectionContext {
  readonly logger: Logger;
  readonly clientVersion: string;
  readonly backoff: BackoffPolicy;
  /** What this server may see of the workspace now. */
  roots(): readonly SharedRoot[];
  /** Resolves when that is the answer to a request for roots, whoever has to be asked first. */
  prepareRoots(request: RootsRequest): Promise<void>;
  /** What would run at this moment. A start asks for it once, and runs that very object. */
  resolve(): ResolvedLaunch;
  /** Whether the person has allowed exactly that. Asked before anything else of a start. */
  allows(launch: ResolvedLaunch): boolean;
  /**
   * The same launch as it starts, with its inputs; what they have made of it is allowed, too.
   *
   * @throws HostError that says why it does not start; CancellationError.
   */
  admit(launch: ResolvedLaunch, signal: AbortSignal): Promise<ReadyLaunch>;
  /** Values that appear in no log and no failure; `admit` adds to them. */
  readonly secrets: Iterable<string>;
  /** From which level on the server's messages are wanted. */
  readonly level: LevelSource;
  /** Milliseconds of silence allowed to a request: `mcpHost.requestTimeout`. */
  requestTimeout(): number;
  /** Without it the server is offered no language model. */
  readonly sampling?: ConnectionSampling | undefined;
  /** Is told of the processes of a stdio server. */
  readonly processes?: ProcessRegistry | undefined;
  /** What earlier starts of this launch have found out; without it nothing is remembered. */
  readonly knownEra?: KnownEra | undefined;
  /** When it is asked whether it is there; without it, as `defaultPing` says. */
  readonly ping?: PingPolicy | undefined;
  /** How long its process may be silent while it starts; without it, as `defaultStart` says. */
  readonly start?: StartPolicy | undefined;
  /** Who watches the lists of all servers. */
  readonly audience?: ListAudience | undefined;
  /** The clock that decides how long a server may take to list its roots anew; without one, the machine's. */
  readonly after?: After | undefined;
}
