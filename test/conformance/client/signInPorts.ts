import type { SecretStore } from '../../../src/host/auth/accounts/accountVault.ts';
import type { SignInPorts } from '../../../src/host/auth/signInPorts.ts';

/** Replaces the editor where you sign in: the browser goes to an address, and follows the issuer's redirect. */
export function signInPorts(): Omit<SignInPorts, 'questions' | 'accounts'> {
  return {
    clock: { now: Date.now },
    browser: {
      externalUri: (uri) => Promise.resolve(uri),
      open: (url) => {
        setImmediate(() => {
          visit(url).catch((error: unknown) => console.error(`The browser failed: ${String(error)}`));
        });
        return Promise.resolve(true);
      },
    },
  };
}

async function visit(url: string): Promise<void> {
  const answer = await fetch(url);
  console.error(`browser: ${(await answer.text()).replaceAll(/<[^>]*>|\s+/g, ' ')}`);
}

/** The editor's secrets, for the time of one scenario. */
export function secretsInMemory(): SecretStore {
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
