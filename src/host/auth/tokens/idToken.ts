import { isRecord } from '../../../base/values/record.ts';
import { cutTo } from '../../../base/text/words.ts';
import { signInBounds } from '../../json/bounds.ts';
import type { Account } from '../accounts/account.ts';

/**
 * Who is signed in, for display only: what an ID token says (OpenID Connect Core, 2 and 5.1). It came from the token
 * endpoint itself, so that its signature need not be checked (3.1.3.7).
 */
export function nameOf(idToken: string | undefined): Pick<Account, 'name' | 'subject'> {
  const claims = claimsOf(idToken);
  const text = (name: string): string | undefined => {
    const value = claims[name];
    return typeof value === 'string' && value.trim() !== ''
      ? cutTo(value, signInBounds.nameCharacters)
      : undefined;
  };
  const name = text('preferred_username') ?? text('email') ?? text('name');
  const subject = text('sub');
  return { ...(name !== undefined && { name }), ...(subject !== undefined && { subject }) };
}

function claimsOf(idToken: string | undefined): Readonly<Record<string, unknown>> {
  const [, payload] = idToken?.split('.') ?? [];
  if (payload === undefined) {
    return {};
  }
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return isRecord(claims) ? claims : {};
  } catch {
    return {};
  }
}
