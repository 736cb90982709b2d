import type { Account, AccountOwner } from './accounts/account.ts';
import { grantedScopes } from './scopes.ts';
import { hostOf } from './signInFailure.ts';

/** An account as it is shown: without a token. */
export interface ShownAccount extends AccountOwner {
  /** See `Account.id`. */
  readonly id: string;
  /** A name or an address for people; undefined if the issuer doesn't tell. */
  readonly name: string | undefined;
  readonly subject: string | undefined;
  readonly issuer: string;
  /** Undefined if the issuer isn't told which server the token is for. */
  readonly resource: string | undefined;
  readonly scopes: readonly string[];
  /** When you signed in, in milliseconds since the epoch. */
  readonly since: number;
}

export function shownAccount(account: Account): ShownAccount {
  const { server, url, id, name, subject, issuer, resource, since } = account;
  return { server, url, id, name, subject, issuer, resource, since, scopes: grantedScopes(account) };
}

/** Who is signed in, and where, in a few words. */
export function accountSummary({ name, subject, issuer }: ShownAccount): string {
  const who = name ?? subject;
  return who === undefined ? hostOf(issuer) : `${who} · ${hostOf(issuer)}`;
}

/** Everything to know about an account; `when` gives the text of a time in milliseconds since the epoch. */
export function accountLines(account: ShownAccount, when: (at: number) => string): readonly string[] {
  const { name, subject, issuer, resource, scopes, since } = account;
  const isOne = name === undefined || subject === undefined || name === subject;
  const who = isOne ? (name ?? subject) : `${name} (${subject})`;
  return [
    `Signed in as: ${who ?? 'an account whose name is not known'}`,
    `Who signs you in: ${issuer}`,
    `Since: ${when(since)}`,
    `Permissions (scopes): ${scopes.length > 0 ? scopes.join(' ') : 'not named by who signs you in'}`,
    `The token is only for: ${resource ?? 'not told to who signs you in'}`,
  ];
}
