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
  const listed = plan.discovery.metadata?.scopes_supported;
  const asked = scopesIn(plan.scope);
  const unlisted = listed === undefined ? [] : asked.filter((one) => !listed.includes(one));
  if (canLeaveOut(plan, unlisted)) {
    return leavingOut(plan, unlisted);
  }
  return {
    ...plan,
    refused: {
      scopes: [unlisted, plan.added ?? [], asked].find((some) => some.length > 0) ?? [],
      isLeftOut: false,
    },
  };
}

/**
 * The plan without the scopes that its issuer has refused at an earlier sign-in, unless the issuer lists them now, or a
 * call requires them.
 */
export function withoutEarlierRefused(plan: SignInPlan, earlier: readonly string[]): SignInPlan {
  const listed = plan.discovery.metadata?.scopes_supported ?? [];
  const still = scopesIn(plan.scope).filter((one) => earlier.includes(one) && !listed.includes(one));
  return canLeaveOut(plan, still) ? leavingOut(plan, still) : plan;
}

function canLeaveOut({ options, required = [] }: SignInPlan, scopes: readonly string[]): boolean {
  return options.scopes === undefined && scopes.length > 0 && !required.some((one) => scopes.includes(one));
}

function leavingOut(plan: SignInPlan, scopes: readonly string[]): SignInPlan {
  const rest = (some: readonly string[]): readonly string[] => some.filter((one) => !scopes.includes(one));
  const before = plan.refused?.isLeftOut === true ? plan.refused.scopes : [];
  return {
    ...plan,
    scope: scopeText(rest(scopesIn(plan.scope))),
    ...(plan.added && { added: rest(plan.added) }),
    refused: { scopes: [...before, ...scopes], isLeftOut: true },
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
  if (plan.required) {
    const isOwn = ['preRegistered', 'metadataDocument'].includes(plan.oauthClient.kind);
    return fail(
      isOwn
        ? `${host} refuses the client of the definition these scopes, which the server requires: ${scopes}${words}; add them to that client at ${host}`
        : `${host} refuses these scopes, which the server requires: ${scopes}${words}; ask who runs ${host} to allow them`,
    );
  }
  return fail(
    options.scopes === undefined
      ? `${host} refuses these scopes, which the server asks for: ${scopes}${words}; name others as "scopes" in "oauth" in its definition`
      : `${host} refuses these scopes: ${scopes}${words}; change "scopes" in "oauth" in its definition`,
  );
}
