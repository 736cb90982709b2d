/**
 * What a page of a panel may load: the script with that nonce, styles of `cspSource`, and pictures, and sounds where it
 * plays some, that are in the page itself. Nothing comes from elsewhere, and nothing is sent there.
 */
export function contentPolicy(cspSource: string, nonce: string, playsSounds: boolean): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    'img-src data:',
    ...(playsSounds ? ['media-src data:'] : []),
    `style-src ${cspSource} 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
