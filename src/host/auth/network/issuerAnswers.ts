import type { FetchLike } from '@modelcontextprotocol/client';
import { isRecord, type UnknownRecord } from '../../../base/values/record.ts';
import { HostError } from '../../errors/hostError.ts';
import { hostText } from './addressCheck.ts';

/** The JSON of a sign-in: metadata of a resource or an issuer, a registration, tokens. */
type AnswerKind = 'metadata' | 'client' | 'tokens';

/** What is read of an answer. Anything else could only make it malformed. */
const readMembers: Readonly<Record<AnswerKind, readonly string[]>> = {
  metadata: `resource authorization_servers scopes_supported issuer authorization_endpoint token_endpoint
    registration_endpoint revocation_endpoint response_types_supported code_challenge_methods_supported
    token_endpoint_auth_methods_supported dpop_signing_alg_values_supported client_id_metadata_document_supported
    authorization_response_iss_parameter_supported`.split(/\s+/),
  client: 'client_id client_secret client_secret_expires_at token_endpoint_auth_method scope'.split(' '),
  tokens: `access_token token_type expires_in refresh_token scope id_token error error_description`.split(
    ' ',
  ),
};

/** What decides whom a token is for, and whether it is safe to get: there, null and empty are wrong, not absent. */
const neverAbsent = ['issuer', 'resource', 'access_token', 'code_challenge_methods_supported'];

/** What the SDK requires, and this host reads from elsewhere, or not at all. */
const defaults: Readonly<Record<AnswerKind, UnknownRecord>> = {
  metadata: {
    response_types_supported: ['code'],
    jwks_uri: 'urn:unused',
    subject_types_supported: [],
    id_token_signing_alg_values_supported: [],
  },
  client: { redirect_uris: [] },
  tokens: {},
};

/** An answer as the SDK can read it: without what isn't read, or is null or empty; undefined if it is no JSON object. */
export function readIssuerAnswer(kind: AnswerKind, text: string): UnknownRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) {
    return undefined;
  }
  const read = Object.entries(value).filter(
    ([name, member]) => readMembers[kind].includes(name) && (neverAbsent.includes(name) || !isEmpty(member)),
  );
  return { ...defaults[kind], ...Object.fromEntries(read) };
}

function isEmpty(member: unknown): boolean {
  return member === null || member === '' || (Array.isArray(member) && member.length === 0);
}

/**
 * A `fetch` whose answers the SDK can read: see `readIssuerAnswer`. Tokens without a type are bearer tokens, unless a proof
 * was sent for them. Throws HostError `unreachable` for a page in place of JSON, which proxies and issuers under
 * maintenance send.
 */
export function reading(kind: 'client' | 'tokens', fetch: FetchLike): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (kind === 'client' && !response.ok) {
      return response;
    }
    const text = await response.text();
    const answer = readIssuerAnswer(kind, text);
    if (!answer) {
      const what = /^\s*</.test(text) ? 'with a page of HTML' : 'with something other than JSON';
      const message = `'${hostText(new URL(url))}' answered ${what} when it was asked to sign you in, which is a temporary failure; try again later`;
      throw new HostError('unreachable', message, { status: response.status });
    }
    const isBound = new Headers(init?.headers).has('dpop');
    const { status, headers } = response;
    return Response.json(isBound || kind === 'client' ? answer : { token_type: 'Bearer', ...answer }, {
      status,
      headers,
    });
  };
}
