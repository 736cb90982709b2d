import { visibleText } from '../../base/text/visibleText.ts';
import { cutTo } from '../../base/text/words.ts';
import { HostError, messageOf, type HostErrorOptions } from '../errors/hostError.ts';
import type { Sdk } from '../sdk/loadSdk.ts';
import { hostOf } from '../addresses/addressKind.ts';
import { networkCode } from '../transport/http/networkFailure.ts';
import { refusalWords } from '../transport/http/refusalWords.ts';

/** Whether the issuer has refused the refresh token for good (RFC 6749, 5.2). */
export function isInvalidGrant(sdk: Sdk, error: unknown): boolean {
  return codeOf(sdk, error) === 'invalid_grant';
}

/** Whether the issuer no longer knows the client, or its secret. */
export function isUnknownClient(sdk: Sdk, error: unknown): boolean {
  return ['invalid_client', 'unauthorized_client'].includes(codeOf(sdk, error) ?? '');
}

/** Whether the issuer refuses what it was asked for. */
export function isInvalidScope(sdk: Sdk, error: unknown): boolean {
  return codeOf(sdk, error) === 'invalid_scope';
}

/** The error code of an issuer (RFC 6749, 4.1.2.1 and 5.2). */
function codeOf(sdk: Sdk, error: unknown): string | undefined {
  return error instanceof sdk.OAuthError ? error.code : undefined;
}

/**
 * Turns what a sign-in at an issuer threw into a failure that says what to do: `unreachable` if another try may help,
 * else `signInRequired`. Texts of the issuer are bounded and visible; `iss` of a wrong answer and its
 * `error_description` are never in it (RFC 9207, 2.4). `help` says what to do where it registers nobody.
 */
export function signInFailure(sdk: Sdk, error: unknown, issuer: string, help?: string): HostError {
  if (error instanceof HostError) {
    return error;
  }
  const host = hostOf(issuer);
  const required = (message: string, more: Pick<HostErrorOptions, 'word' | 'needs'> = {}): HostError =>
    new HostError('signInRequired', message, { cause: error, ...more });
  const unreachable = (message: string): HostError => new HostError('unreachable', message, { cause: error });
  if (error instanceof sdk.IssuerMismatchError) {
    return required(
      `the answer in the browser does not come from ${host}, so it was not used; sign in again, and if that repeats, ask who runs the server`,
    );
  }
  if (error instanceof sdk.RegistrationRejectedError) {
    const words = refusalWords(error.body);
    return required(
      `${host} did not register MCP Host (status ${error.status}${words === undefined ? '' : `: ${words}`}); ${help ?? 'if you have a client ID there, add it to "oauth" in the definition'}`,
      { needs: 'definition' },
    );
  }
  if (error instanceof sdk.InsecureTokenEndpointError) {
    return required(`${host} wants its tokens to be requested without encryption, which is not allowed`);
  }
  if (isUnknownClient(sdk, error)) {
    const word = 'not registered there';
    return required(`${host} does not know MCP Host, or refuses its secret; register again`, { word });
  }
  if (error instanceof sdk.OAuthError) {
    switch (error.code) {
      case 'access_denied':
        return required(`access was denied at ${host}`, { word: 'access denied' });
      case 'server_error':
      case 'temporarily_unavailable':
        return unreachable(`${host} could not handle the sign-in; try again later`);
      default:
        return required(`${host} refused: ${boundedText(error.message)} (${boundedText(error.code)})`);
    }
  }
  const code = networkCode(error);
  return code === undefined
    ? required(`signing in at ${host} failed: ${boundedText(messageOf(error))}`)
    : unreachable(`${host} could not be reached to sign in (${code})`);
}

/** A text of an issuer in one line of at most 300 characters. */
export function boundedText(text: string): string {
  const line = visibleText(text.replaceAll(/\s+/g, ' ').trim());
  return cutTo(line, 300);
}
