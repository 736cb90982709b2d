import * as vscode from 'vscode';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import type { EditorAccounts } from '../../host/auth/editorAccounts/editorAccounts.ts';

/** What the editor throws if you close its dialog, or that of its provider: it has no code of its own. */
const declined = /^(?:User did not consent to login\.?|Cancell?ed)$/i;

/** The accounts that you have added to the editor, each of which it lends to this extension only if you allow that. */
export const editorAccounts: EditorAccounts = {
  onDidChange: (listener) =>
    vscode.authentication.onDidChangeSessions(({ provider }) => listener(provider.id)),
  current: async ({ provider, scopes }, account) =>
    vscode.authentication.getSession(provider, scopes, { silent: true, account }),
  ask: async ({ provider, scopes }, detail, isNew) => {
    try {
      return await (isNew
        ? vscode.authentication.getSession(provider, scopes, { forceNewSession: { detail } })
        : // Without the preference the editor asks which account, and whether this extension may use it.
          vscode.authentication.getSession(provider, scopes, {
            createIfNone: { detail },
            clearSessionPreference: true,
          }));
    } catch (error) {
      throw declined.test(messageOf(error)) ? new CancellationError() : error;
    }
  },
};
