import type { Account, AccountOwner, RegisteredClient } from '../../../src/host/auth/accounts/account.ts';

export const owner: AccountOwner = { server: 'user settings:user api', url: 'https://api.example/mcp' };
export const otherOwner: AccountOwner = { server: 'user settings:user wiki', url: 'https://wiki.example/' };

export const oauthClient: RegisteredClient = {
  issuer: 'https://issuer.example',
  how: 'registered',
  clientId: 'client-of-this-host',
  clientSecret: 'secret-of-this-client',
  redirectUri: 'http://127.0.0.1:40123/callback',
};

export function accountOf({ server, url }: AccountOwner, changes: Partial<Account> = {}): Account {
  return {
    server,
    url,
    id: `sign-in at ${url}`,
    issuer: oauthClient.issuer,
    oauthClient,
    resource: url,
    tokens: { accessToken: 'first-access-token', type: 'Bearer', refreshToken: 'first-refresh-token' },
    name: 'Ada',
    since: 1,
    ...changes,
  };
}

export function withToken(account: Account, accessToken: string, expiresAt?: number): Account {
  const { tokens } = account;
  return {
    ...account,
    tokens: { ...tokens, accessToken, ...(expiresAt === undefined ? {} : { expiresAt }) },
  };
}
