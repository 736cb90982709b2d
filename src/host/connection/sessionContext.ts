import type { ServerDefinition } from '../config/serverDefinition.ts';
import type { FetchedProgram } from '../launch/warnings/packageRunners.ts';
import type { Logger } from '../../base/logger.ts';
import type { RootsRequest } from '../roots/rootsQuestions.ts';
import type { SharedRoot } from '../folders/sharedRoot.ts';
import type { SamplingResult, SamplingSource } from './samplingSource.ts';
import type { ProcessRegistry } from '../processes/processRegistry.ts';
import type { LevelSource } from './lists/logLevelSync.ts';
import type { PingPolicy } from './requests/peerPing.ts';
import type { StartPolicy } from './requests/startPolicy.ts';

/** What a session needs of its surroundings. */
export interface SessionContext {
  readonly definition: ServerDefinition;
  /** The absolute path in which a stdio server starts. */
  readonly cwd: string;
  /** What this server may see of the workspace, at this moment. */
  readonly roots: () => readonly SharedRoot[];
  /** Resolves when `roots` is what a request is answered with; see `RootsQuestions.prepare`. */
  readonly prepareRoots: (request: RootsRequest) => Promise<void>;
  /** The server has listed these. */
  readonly onListedRoots: (roots: readonly SharedRoot[]) => void;
  /** Answers a request for a language model; without it, none is declared. @throws SamplingFailure */
  readonly createMessage?:
    ((request: SessionRequest, params: unknown) => Promise<SamplingResult>) | undefined;
  /** Whether the person is asked something on this server's behalf. */
  readonly isAskingPerson: () => boolean;
  /** Is told of the process of a stdio server. */
  readonly processes?: ProcessRegistry | undefined;
  readonly logger: Logger;
  /** Values that are written nowhere. */
  readonly secrets: Iterable<string>;
  /** From which level on the server's messages are wanted. */
  readonly level: LevelSource;
  /** When an idle legacy server is asked whether it is there. */
  readonly ping?: PingPolicy | undefined;
  /** Milliseconds that a request of the handshake may take. */
  readonly timeout: number;
  /** How long a process may be silent while it starts. */
  readonly start: StartPolicy;
  /** What fetches the server before it runs it, as far as its command says. */
  readonly fetched: FetchedProgram | undefined;
  /** The server has said something, at each message. */
  readonly onHeard: () => void;
  readonly clientVersion: string;
}

/** What a session knows of a request that came to it. */
type SessionRequest = Pick<SamplingSource, 'revision' | 'signal' | 'ended'>;
