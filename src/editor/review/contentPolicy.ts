/**
 * What a page of a panel may load: the script with that nonce, styles of `cspSource`, and pictures that are in the
 * page itself. Nothing comes from elsewhere, and nothing is sent there.
 */
export function contentPolicy(cspSource: string, nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    'img-src data:',
    `style-src ${cspSource} 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
