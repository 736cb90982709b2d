import { machineClock } from '../../../src/base/time/clock.ts';
import type { SignInPorts } from '../../../src/host/auth/signInPorts.ts';
import { SharedAccounts, sdkNetwork } from '../../unit/support/signInBed.ts';

/** Replaces the editor where you sign in: the browser goes to an address, and follows the issuer's redirect. */
export function signInPorts(): Omit<SignInPorts, 'questions'> {
  return {
    accounts: new SharedAccounts().window(),
    network: sdkNetwork,
    clock: { now: Date.now, after: machineClock.after },
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
