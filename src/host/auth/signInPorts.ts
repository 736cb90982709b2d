import type { Clock } from '../../base/time/clock.ts';
import type { AccountStore } from './accounts/accountStore.ts';
import type { EditorSignIn } from './editorAccounts/editorAccounts.ts';
import type { QuestionQueue } from '../questions/questionQueue.ts';

/** The browser in which you sign in. */
export interface Browser {
  /**
   * The address under which a browser reaches a loopback address of this machine: the same on a desktop, another one
   * where the editor forwards ports.
   */
  externalUri(uri: string): Promise<string>;
  /** Opens an address, without a shell; false if the editor could not. */
  open(url: string): Promise<boolean>;
}

/** What sign-in needs. */
export interface SignInPorts {
  readonly accounts: AccountStore;
  readonly browser: Browser;
  readonly questions: QuestionQueue;
  /** Undefined where the editor has no accounts. */
  readonly editor?: EditorSignIn;
  /** `now` in milliseconds since the epoch. */
  readonly clock: Clock;
}
