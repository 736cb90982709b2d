import type { Event } from '../../../base/lifetime/event.ts';
import type { EditorAccount } from '../accounts/account.ts';
import type { EditorIssuer } from './editorIssuers.ts';

/** What a session of the editor's is asked for. */
export interface EditorSessionRequest {
  /** The id of the authentication provider. */
  readonly provider: string;
  readonly scopes: readonly string[];
}

/** A session of an account that you have added to the editor. */
export interface EditorSession {
  readonly accessToken: string;
  readonly account: Pick<EditorAccount, 'id' | 'label'>;
}

/** The editor's own accounts. */
export interface EditorAccounts {
  /** The id of a provider whose sessions have changed. */
  readonly onDidChange: Event<string>;
  /**
   * The session of an account that you have allowed this extension to use, without asking you; undefined if there is none.
   *
   * @throws what keeps the editor from giving one.
   */
  current(
    request: EditorSessionRequest,
    account: Pick<EditorAccount, 'id' | 'label'>,
  ): Promise<EditorSession | undefined>;
  /**
   * Lets the editor ask you which account this extension may use, and sign you in to one.
   *
   * @param detail What it is for, as a sentence.
   * @param isNew Whether the token that the editor has is no longer valid.
   * @throws CancellationError if you don't allow it; what keeps the editor from asking.
   */
  ask(request: EditorSessionRequest, detail: string, isNew: boolean): Promise<EditorSession>;
}

/** The editor's accounts, and for whom they are. */
export interface EditorSignIn {
  readonly accounts: EditorAccounts;
  readonly issuers: readonly EditorIssuer[];
}
