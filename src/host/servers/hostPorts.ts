import type { After } from '../../base/time/clock.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { LevelledLogger } from '../../base/logging/logger.ts';
import type { SignInPorts } from '../auth/serverAccount.ts';
import type { EraStore } from '../connection/eraStore.ts';
import type { BackoffPolicy } from '../connection/failures/backoff.ts';
import type { LevelChoices } from '../connection/messages/logLevels.ts';
import type { ServerElicitation } from '../connection/elicitationSource.ts';
import type { ServerSampling } from '../connection/samplingSource.ts';
import type { Preferences } from './preferences.ts';
import type { RootsSource } from '../folders/sharedRoot.ts';
import type { SchemaChecks } from '../schemas/schemaCheck.ts';
import type { ProcessRegistry } from '../processes/processRegistry.ts';
import type { AdmissionPorts } from './admission.ts';
import type { LaunchingPorts } from './launching.ts';

/** What `McpHost` takes; each port is declared where it is used. */
export interface HostPorts extends AdmissionPorts, LaunchingPorts {
  readonly folders: RootsSource;
  readonly preferences: Preferences;
  readonly schemas: Pick<SchemaChecks, 'of'>;
  /** Without it, no server is offered model access. */
  readonly sampling?: ServerSampling;
  /** Without it, no server can ask you to fill in forms. */
  readonly elicitation?: ServerElicitation;
  /** Without it, no server at an address can have you sign in. */
  readonly signIn?: SignInPorts;
  /** Keeps the process groups of servers while they live. */
  readonly processes?: ProcessRegistry;
  /** The log of one server; it lives as long as the definition. */
  readonly createLogger: (label: string) => LevelledLogger & Disposable;
  /** Without it, the messages of each server are wanted from the level that its log shows. */
  readonly levels?: LevelChoices;
  readonly clientVersion: string;
  readonly backoff?: BackoffPolicy;
  /** Without it, each start finds out the server's era. */
  readonly eras?: EraStore;
  /** The clock for waits that concern roots; without it, the machine's. */
  readonly after?: After;
}
