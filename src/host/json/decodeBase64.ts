/** The bytes of a text in base64 (RFC 4648); undefined for anything else. Node's decoder skips invalid characters. */
export function decodeBase64(data: unknown): Buffer | undefined {
  return typeof data === 'string' && data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data)
    ? Buffer.from(data, 'base64')
    : undefined;
}
