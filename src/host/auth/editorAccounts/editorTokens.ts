import { randomUUID } from 'node:crypto';
import { CancellationError, unlessAborted } from '../../../base/lifetime/cancellation.ts';
import { visibleText } from '../../../base/text/visibleText.ts';
import { cutTo } from '../../../base/text/words.ts';
import { HostError, messageOf } from '../../errors/hostError.ts';
import type { AccountOwner, EditorUse, LiveAccount, Tokens } from '../accounts/account.ts';
import type { EditorAccounts, EditorSession, EditorSessionRequest } from './editorAccounts.ts';
import { scopesForProvider, type EditorIssuer } from './editorIssuers.ts';

/**
 * The account with the token that the editor has for it now; undefined if you have signed out there, or no longer allow
 * this extension to use it.
 *
 * @throws HostError `unreachable`
 */
export async function lentAccount(
  accounts: EditorAccounts,
  { tokens: _none, ...use }: EditorUse,
): Promise<LiveAccount | undefined> {
  const { provider, providerName, id, label } = use.editor;
  let session;
  try {
    session = await accounts.current(requestOf({ provider }, use.issuer, use.askedScope), { id, label });
  } catch (error) {
    throw new HostError(
      'unreachable',
      `the editor did not give the token of ${providerName} (${bounded(error)})`,
      {
        cause: error,
      },
    );
  }
  // The editor must not choose another account than you.
  return session?.account.id === id ? { ...use, tokens: tokensOf(session) } : undefined;
}

/** What one of the editor's accounts is asked for. */
export interface EditorDemand {
  readonly owner: AccountOwner;
  readonly editor: EditorIssuer;
  readonly issuer: string;
  /** Space-separated. */
  readonly scope: string | undefined;
  /** What the server is called. */
  readonly label: string;
  /** A token that the server refuses although the editor has it. */
  readonly rejected: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Lets the editor ask you which account the server may use.
 *
 * @throws HostError `signInRequired`; CancellationError if you don't allow it.
 */
export async function askForAccount(
  accounts: EditorAccounts,
  { owner, editor, issuer, scope, label, rejected, now }: EditorDemand,
  signal: AbortSignal,
): Promise<LiveAccount> {
  const request = requestOf(editor, issuer, scope);
  const detail = `The token goes to ${new URL(owner.url).host}, for the MCP server '${visibleText(label)}'.`;
  const ask = (isNew: boolean): Promise<EditorSession> =>
    unlessAborted(accounts.ask(request, detail, isNew), signal);
  let session;
  try {
    session = await ask(false);
    if (session.accessToken === rejected) {
      session = await ask(true);
    }
  } catch (error) {
    if (error instanceof CancellationError) {
      throw error;
    }
    throw new HostError(
      'signInRequired',
      `the editor did not sign you in to ${editor.name} (${bounded(error)}); try again, or send a token of your own as the header "Authorization"`,
      { cause: error },
    );
  }
  const { id, label: name } = session.account;
  return {
    ...owner,
    id: randomUUID(),
    issuer,
    ...(scope !== undefined && { askedScope: scope }),
    editor: { provider: editor.provider, providerName: editor.name, id, label: name },
    name,
    since: now(),
    tokens: tokensOf(session),
  };
}

function requestOf(
  { provider }: Pick<EditorIssuer, 'provider'>,
  issuer: string,
  scope: string | undefined,
): EditorSessionRequest {
  return { provider, scopes: scopesForProvider({ provider }, issuer, scope?.split(' ') ?? []) };
}

function tokensOf({ accessToken }: EditorSession): Tokens {
  if (!/^[\x21-\x7e]+$/.test(accessToken)) {
    throw new HostError('signInRequired', 'the editor gave a token with characters that no header can have');
  }
  return { accessToken, type: 'Bearer' };
}

/** Characters of an error of the editor's in a message. */
const MAX_ERROR = 200;

function bounded(error: unknown): string {
  return visibleText(cutTo(messageOf(error).replaceAll(/\s+/g, ' '), MAX_ERROR));
}
