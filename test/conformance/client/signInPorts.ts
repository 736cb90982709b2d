import { afterTimeout } from '../../../src/base/time/clock.ts';
import { AccountStore } from '../../../src/host/auth/accounts/accountStore.ts';
import type { SecretStore } from '../../../src/host/auth/accounts/accountVault.ts';
import type { SignInPorts } from '../../../src/host/auth/serverAccount.ts';
import { ServerConnections } from '../../../src/host/auth/network/serverConnections.ts';
import { browser } from './browser.ts';

/** What the editor gives for signing in: accounts in this folder, and a browser. */
export function signInPorts(folder: string): Omit<SignInPorts, 'questions'> {
  return {
    accounts: new AccountStore(folder, secretsInMemory()),
    browser,
    connections: new ServerConnections(),
    clientDocument: '',
    clock: { now: Date.now, after: afterTimeout },
  };
}

/** The editor's secrets, for the time of one scenario. */
function secretsInMemory(): SecretStore {
  const values = new Map<string, string>();
  return {
    get: (key) => Promise.resolve(values.get(key)),
    store: (key, value) => {
      values.set(key, value);
      return Promise.resolve();
    },
    onDidChange: () => ({ dispose: () => {} }),
  };
}
