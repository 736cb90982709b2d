import { createHash, createPublicKey, verify, type JsonWebKey } from 'node:crypto';

/** What a proof says (RFC 9449, 4.2). */
export interface ReadProof {
  /** Of the key that signed it. */
  readonly thumbprint: string;
  readonly jti: string;
  readonly nonce: string | undefined;
}

/** Reads a proof for a request; undefined if it is not one for exactly this request and token. */
export function readProof(
  proof: unknown,
  { method, url, token }: { readonly method: string; readonly url: string; readonly token?: string },
): ReadProof | undefined {
  if (typeof proof !== 'string') {
    return undefined;
  }
  const [head = '', body = '', signature = ''] = proof.split('.');
  const header = decoded(head) as { readonly typ?: string; readonly alg?: string; readonly jwk?: JsonWebKey };
  const { jwk = {} } = header;
  const claims = decoded(body) as Readonly<Record<string, string | undefined>>;
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const hash = token === undefined ? undefined : sha256(token);
  const isSound =
    isSigned &&
    header.typ === 'dpop+jwt' &&
    header.alg === 'ES256' &&
    jwk.d === undefined &&
    claims['htm'] === method &&
    claims['htu'] === url &&
    claims['ath'] === hash;
  const { crv, kty, x, y } = jwk;
  return isSound
    ? {
        thumbprint: sha256(JSON.stringify({ crv, kty, x, y })),
        jti: claims['jti'] ?? '',
        nonce: claims['nonce'],
      }
    : undefined;
}

function decoded(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
