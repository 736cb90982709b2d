import type { EditorUse, LiveAccount } from '../accounts/account.ts';

/** The scopes of a text (RFC 6749, 3.3), each once, in its order. */
export function scopesIn(text: string | undefined): readonly string[] {
  return [...new Set((text ?? '').split(/\s+/).filter(Boolean))];
}

/** The scopes as a text; undefined for none. */
export function scopeText(scopes: readonly string[]): string | undefined {
  return scopes.length === 0 ? undefined : scopes.join(' ');
}

/** What an account may do: what was granted, or what was asked for if the issuer does not name any (RFC 6749, 5.1). */
export function grantedScopes({ tokens, askedScope }: EditorUse | LiveAccount): readonly string[] {
  return scopesIn(tokens?.scope ?? askedScope);
}

/** The scopes of a challenge that an account was neither granted nor asked for. */
export function missingScopes(challenged: string | undefined, account: LiveAccount): readonly string[] {
  const known = new Set([...grantedScopes(account), ...scopesIn(account.askedScope)]);
  return scopesIn(challenged).filter((scope) => !known.has(scope));
}
