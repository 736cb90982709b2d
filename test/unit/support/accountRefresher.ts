// A window that needs a token: node accountRefresher.ts <folder> <secrets> <issuer>. When the test lets it go on, it
// refreshes the account of `owner` if that has expired, and prints the access token.
import { once } from 'node:events';
import type { Account, Tokens } from '../../../src/host/auth/accounts/account.ts';
import { AccountStore } from '../../../src/host/auth/accounts/accountStore.ts';
import { owner } from './accounts.ts';
import { SnapshotSecrets } from './secretStores.ts';

const [folder = '', secrets = '', issuer = ''] = process.argv.slice(2);
const store = new AccountStore(folder, new SnapshotSecrets(secrets));
await store.get(owner);
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const token = await store.underLock(owner, async (account) => {
  if (!account?.tokens) {
    return 'none';
  }
  return (account.tokens.expiresAt ?? 0) > Date.now()
    ? account.tokens.accessToken
    : refreshed(account, account.tokens.refreshToken ?? '');
});
process.stdout.write(`${token}\n`);
store.dispose();
process.stdin.destroy();

async function refreshed(account: Account, refreshToken: string): Promise<string> {
  const response = await fetch(issuer, { method: 'POST', body: refreshToken });
  if (!response.ok) {
    return `refused ${refreshToken}`;
  }
  const tokens = (await response.json()) as Tokens;
  await store.saveRefreshed({ ...account, tokens });
  return tokens.accessToken;
}
