import type { After } from '../../base/after.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { LevelledLogger } from '../../base/logger.ts';
import type { LaunchApproval } from '../launch/question/launchApproval.ts';
import type { Preferences } from './preferences.ts';
import type { InputSource } from '../config/inputSource.ts';
import type { ReadEnvFile } from '../launch/resolveLaunch.ts';
import type { BackoffPolicy } from '../../base/backoffPolicy.ts';
import type { LevelChoices } from '../connection/lists/levelChoices.ts';
import type { EraStore } from '../connection/eraStore.ts';
import type { HostSettings } from '../config/hostSettings.ts';
import type { RootsConsent } from '../roots/rootsConsent.ts';
import type { RootsSource } from '../folders/sharedRoot.ts';
import type { ServerSampling } from '../connection/samplingSource.ts';
import type { ProcessRegistry } from '../processes/processRegistry.ts';
import type { QuestionQueue } from '../questions/questionQueue.ts';

/** Whether the person trusts the workspace: nothing is started before. */
export interface WorkspaceTrust {
  readonly isTrusted: boolean;
  readonly onDidGrant: Event<void>;
}

/** What the host needs of its surroundings. */
export interface HostPorts {
  readonly folders: RootsSource;
  readonly trust: WorkspaceTrust;
  readonly settings: HostSettings;
  readonly approval: LaunchApproval;
  readonly roots: RootsConsent;
  readonly preferences: Preferences;
  readonly questions: QuestionQueue;
  readonly inputs: InputSource;
  /** What variables are looked up in; without it, the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Reads an `envFile`; without it, from the disk. */
  readonly readEnvFile?: ReadEnvFile;
  /** Without it, no server is told that it may ask for a language model. */
  readonly sampling?: ServerSampling;
  /** Is told of each process group of a server while it lives. */
  readonly processes?: ProcessRegistry;
  /** The log of one server; it lives as long as the definition. */
  readonly createLogger: (label: string) => LevelledLogger & Disposable;
  /** Without it, each server's messages are wanted from the level on that its log shows. */
  readonly levels?: LevelChoices;
  readonly clientVersion: string;
  readonly backoff?: BackoffPolicy;
  /** Without it, each start finds out anew which era a server speaks. */
  readonly eras?: EraStore;
  /** The clock for what waits for servers and the person because of roots; without one, the machine's. */
  readonly after?: After;
}
