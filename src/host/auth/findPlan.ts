import { HostError } from '../errors/hostError.ts';
import { confusedClient } from '../launch/confusedClient.ts';
import { UnreadableAccounts } from './accounts/accountVault.ts';
import { AddressCheck } from './network/addressCheck.ts';
import { discover } from './network/discovery.ts';
import type { ServerAccount } from './serverAccount.ts';
import type { SignInDemand } from './serverAuthorization.ts';
import { planSignIn, type SignInPlan } from './signInPlan.ts';
import type { SignInPorts } from './signInPorts.ts';

/**
 * Finds out how you would sign in to a server.
 *
 * @throws HostError that says why you can't; the reason of the signal.
 */
export async function findPlan(
  { accounts, clock }: Pick<SignInPorts, 'accounts' | 'clock'>,
  { owner, definition, options }: ServerAccount,
  { challenge, lacking }: SignInDemand,
  signal: AbortSignal,
): Promise<SignInPlan> {
  const access = await accounts.access();
  if (access === 'reloadNeeded' || access === 'newer') {
    throw refused(new UnreadableAccounts(access).message);
  }
  const discovery = await discover(
    new AddressCheck(owner.url),
    { challenge, issuer: options.issuer, usesRefreshTokens: options.grantType !== 'client_credentials' },
    signal,
  );
  const confused = confusedClient(definition, discovery.issuer);
  if (confused !== undefined) {
    throw refused(confused);
  }
  const known = await accounts.client(owner, discovery.issuer);
  return planSignIn({ owner, options, discovery, known, lacking, now: clock.now() });
}

/** The sentence as a clause. */
function refused(sentence: string): HostError {
  return new HostError('signInRequired', sentence.replace(/\.$/, ''));
}
