import { HostError } from '../errors/hostError.ts';
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
  { network, accounts, clock }: Pick<SignInPorts, 'network' | 'accounts' | 'clock'>,
  { owner, options }: ServerAccount,
  { challenge, lacking }: SignInDemand,
  signal: AbortSignal,
): Promise<SignInPlan> {
  const access = await accounts.access();
  if (access === 'reloadNeeded' || access === 'newer') {
    throw new HostError(
      'signInRequired',
      access === 'newer'
        ? 'accounts on this machine were stored by a newer version of MCP Host; update the extension'
        : 'another window has begun to store accounts; reload this window to use them here',
    );
  }
  const discovery = await network.discover(
    owner.url,
    { challenge, issuer: options.issuer, usesRefreshTokens: options.grantType !== 'client_credentials' },
    signal,
  );
  const known = await accounts.client(owner, discovery.issuer);
  return planSignIn({ owner, options, discovery, known, lacking, now: clock.now() });
}
