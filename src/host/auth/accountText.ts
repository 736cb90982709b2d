import type { Event } from '../../base/lifetime/event.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import { isSetToken, type AccountOwner, type StoredAccount, type UsedAccount } from './accounts/account.ts';
import type { AccountAccess } from './accounts/accountVault.ts';
import { grantedScopes } from './tokens/scopes.ts';
import { hostOf } from '../addresses/addressKind.ts';

/** An account as it is shown: without a token. */
export type ShownAccount = ShownSignedIn | ShownToken;

/** A token that you set. */
interface ShownToken extends AccountOwner {
  readonly kind: 'token';
  readonly id: string;
  /** The header that it is sent in. */
  readonly header: string;
  /** When you set it, in milliseconds since the epoch. */
  readonly since: number;
}

interface ShownSignedIn extends AccountOwner {
  readonly kind: 'signedIn';
  /** See `Account.id`. */
  readonly id: string;
  /** A name or an address for people; undefined if the issuer doesn't tell. */
  readonly name: string | undefined;
  readonly subject: string | undefined;
  readonly issuer: string;
  /** Undefined if the issuer doesn't get which server the token is for. */
  readonly resource: string | undefined;
  /** Whose account the editor lends, such as `GitHub`; undefined for one that this host signed in to. */
  readonly lentBy: string | undefined;
  readonly scopes: readonly string[];
  /** When you signed in, in milliseconds since the epoch. */
  readonly since: number;
}

/** The accounts of servers, for the tree and other views. */
export interface AccountSource {
  /** The account of a server has changed, or whether this window can read accounts. */
  readonly onDidChange: Event<ServerId>;
  /** The account that the requests to a server carry. */
  accountOf(id: ServerId): ShownAccount | undefined;
  /** Whether this window can read accounts, as far as it is known. */
  readonly access: AccountAccess;
}

export function shownAccount(account: StoredAccount | UsedAccount): ShownAccount {
  const { server, url, id, since } = account;
  if (isSetToken(account)) {
    return { kind: 'token', server, url, id, header: account.header, since };
  }
  const { name, subject, issuer } = account;
  const isLent = 'editor' in account;
  return {
    kind: 'signedIn',
    server,
    url,
    id,
    name,
    subject,
    issuer,
    since,
    resource: isLent ? undefined : account.resource,
    lentBy: isLent ? account.editor.providerName : undefined,
    scopes: grantedScopes(account),
  };
}

/** Who is signed in, and where, or how the token is sent, in a few words. */
export function accountSummary(account: ShownAccount): string {
  if (account.kind === 'token') {
    return `set by you · ${account.header}`;
  }
  const { name, subject, issuer, lentBy } = account;
  const who = name ?? subject;
  const where = lentBy === undefined ? hostOf(issuer) : `the editor's ${lentBy} account`;
  return who === undefined ? where : `${who} · ${where}`;
}

/** Everything to know about an account; `when` gives the text of a time in milliseconds since the epoch. */
export function accountLines(account: ShownAccount, when: (at: number) => string): readonly string[] {
  if (account.kind === 'token') {
    const { header, url, since } = account;
    return [
      `A token that you set, sent in the header "${header}"`,
      `Only for: ${new URL(url).origin}`,
      `Since: ${when(since)}`,
    ];
  }
  const { name, subject, issuer, resource, scopes, since, lentBy } = account;
  const isOne = name === undefined || subject === undefined || name === subject;
  const who = isOne ? (name ?? subject) : `${name} (${subject})`;
  return [
    `Signed in as: ${who ?? 'an account whose name is not known'}`,
    `Who signs you in: ${issuer}`,
    `Since: ${when(since)}`,
    `Permissions (scopes): ${scopes.length > 0 ? scopes.join(' ') : 'not named by who signs you in'}`,
    lentBy === undefined
      ? `The token is only for: ${resource ?? 'unknown to who signs you in'}`
      : `The token: kept by the editor, whose ${lentBy} account this is; MCP Host stores none`,
  ];
}
