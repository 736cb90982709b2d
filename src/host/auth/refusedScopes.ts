import { visibleText } from '../../base/text/visibleText.ts';
import { HostError } from '../errors/hostError.ts';
import type { Sdk } from '../sdk/loadSdk.ts';
import { hostOf } from '../addresses/addressKind.ts';
import { scopesIn, scopeText } from './tokens/scopes.ts';
import { boundedText } from './signInFailure.ts';
import type { SignInPlan } from './signInPlan.ts';

/** Whether the issuer refuses what it was asked for (RFC 6749, 4.1.2.1 and 5.2). */
export function isInvalidScope(sdk: Sdk, error: unknown): boolean {
  return error instanceof sdk.OAuthError && error.code === 'invalid_scope';
}

/**
 * The plan after its issuer has refused scopes: without those that the issuer doesn't list. Where that helps nothing, or
 * the definition says what to ask for, it asks for the same, and only the definition can be changed.
 */
export function withoutRefused(plan: SignInPlan): SignInPlan {
  const { options, discovery, scope, required = [] } = plan;
  const listed = discovery.metadata?.scopes_supported;
  const asked = scopesIn(scope);
  const unlisted = listed === undefined ? [] : asked.filter((one) => !listed.includes(one));
  const scopes = unlisted.length > 0 ? unlisted : asked;
  const isLeftOut =
    options.scopes === undefined && unlisted.length > 0 && !required.some((one) => unlisted.includes(one));
  if (!isLeftOut) {
    return { ...plan, refused: { scopes, isLeftOut } };
  }
  const rest = (some: readonly string[]): readonly string[] => some.filter((one) => !unlisted.includes(one));
  return {
    ...plan,
    scope: scopeText(rest(asked)),
    ...(plan.added && { added: rest(plan.added) }),
    refused: { scopes, isLeftOut },
  };
}

/** A failure that says which scopes the issuer of a plan refuses, and what to do. */
export function scopeFailure(error: unknown, plan: SignInPlan): HostError {
  const { options, discovery, refused } = withoutRefused(plan);
  const host = hostOf(discovery.issuer);
  const scopes = visibleText(scopeText(refused?.scopes ?? []) ?? '');
  const words =
    error instanceof Error && error.message !== 'invalid_scope' ? ` (${boundedText(error.message)})` : '';
  const fail = (message: string): HostError =>
    new HostError('signInRequired', message, { cause: error, word: 'scopes refused' });
  if (scopes === '') {
    return fail(
      `${host} wants to be asked for scopes${words}, and the server names none; name them as "scopes" in "oauth" in its definition`,
    );
  }
  if (refused?.isLeftOut === true) {
    return fail(`${host} refuses these scopes: ${scopes}${words}; sign in without them`);
  }
  return fail(
    options.scopes === undefined
      ? `${host} refuses these scopes, which the server asks for: ${scopes}${words}; name others as "scopes" in "oauth" in its definition`
      : `${host} refuses these scopes: ${scopes}${words}; change "scopes" in "oauth" in its definition`,
  );
}
