import { createHash, generateKeyPairSync, webcrypto } from 'node:crypto';
import type { DpopSession } from '@modelcontextprotocol/client';
import type { Sdk } from '../../sdk/loadSdk.ts';

/** What proofs are signed with (RFC 7518, 3.1): all issuers with DPoP know it. */
export const PROOF_ALGORITHM = 'ES256';

/** A new key that tokens are bound to (RFC 9449), as it is stored: a private JWK. */
export function newProofKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return JSON.stringify(privateKey.export({ format: 'jwk' }));
}

/** Signs proofs with a stored key, and remembers the nonces of issuer and server. */
export async function proofSession(sdk: Sdk, stored: string): Promise<DpopSession> {
  const {
    kty = '',
    crv = '',
    x = '',
    y = '',
    d = '',
  } = JSON.parse(stored) as Readonly<Record<string, string>>;
  const publicJwk = { crv, kty, x, y };
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const [privateKey, publicKey] = await Promise.all([
    webcrypto.subtle.importKey('jwk', { ...publicJwk, d }, algorithm, false, ['sign']),
    webcrypto.subtle.importKey('jwk', publicJwk, algorithm, true, ['verify']),
  ]);
  // RFC 7638, 3: the members in this order.
  const thumbprint = createHash('sha256').update(JSON.stringify(publicJwk)).digest('base64url');
  return sdk.DpopSession.create({
    keyPair: { privateKey, publicKey, publicJwk, thumbprint, alg: PROOF_ALGORITHM },
  });
}
