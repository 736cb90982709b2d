// A window that stores accounts: node accountWriter.ts <folder> <secrets> <server> <count>. Prints the number of each
// account once it is stored.
import { AccountStore } from '../../../src/host/auth/accounts/accountStore.ts';
import { accountOf, withToken } from './accounts.ts';
import { SnapshotSecrets } from './secretStores.ts';

const [folder = '', secrets = '', server = '', count = '0'] = process.argv.slice(2);
const store = new AccountStore(folder, new SnapshotSecrets(secrets));
for (let index = 0; index < Number(count); index += 1) {
  await store.save(withToken(accountOf({ server, url: `https://${index % 3}.example/` }), `token ${index}`));
  process.stdout.write(`${index}\n`);
}
store.dispose();
