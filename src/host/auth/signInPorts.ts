import type { Clock } from '../../base/time/clock.ts';
import type { AccountStore } from './accounts/accountStore.ts';
import type { EditorSignIn } from './editorAccounts/editorAccounts.ts';
import type { QuestionQueue } from '../questions/questionQueue.ts';
import type { ServerConnections } from './network/serverConnections.ts';
import type { Browser } from './redirect/redirect.ts';

/** What sign-in needs. */
export interface SignInPorts {
  readonly accounts: AccountStore;
  readonly browser: Browser;
  readonly connections: ServerConnections;
  readonly questions: QuestionQueue;
  /** The address of the document that describes MCP Host; empty without one. */
  readonly clientDocument: string;
  /** Undefined where the editor has no accounts. */
  readonly editor?: EditorSignIn;
  /** `now` in milliseconds since the epoch. */
  readonly clock: Clock;
}
