import type { Challenge } from './network/discovery.ts';

/**
 * The parameters of a `WWW-Authenticate` header (RFC 9110, 11.6.1) for bearer tokens; empty without a header.
 * Undefined if the server wants something else, such as a password.
 */
export function readChallenge(header: string | undefined): Challenge | undefined {
  if (header === undefined) {
    return {};
  }
  const bearer = /(?:^|,)\s*(?:bearer|dpop)(?=\s|,|$)(?<rest>.*)$/is.exec(header)?.groups?.['rest'];
  if (bearer === undefined) {
    return undefined;
  }
  const parameters = new Map<string, string>();
  for (const [, name = '', quoted, token] of bearer.matchAll(
    /([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g,
  )) {
    const key = name.toLowerCase();
    if (!parameters.has(key)) {
      parameters.set(key, quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? '');
    }
  }
  const [resourceMetadataUrl, scope, error, errorDescription] = [
    'resource_metadata',
    'scope',
    'error',
    'error_description',
  ].map((name) => parameters.get(name) || undefined);
  return {
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
    ...(scope !== undefined && { scope }),
    ...(error !== undefined && { error }),
    ...(errorDescription !== undefined && { errorDescription }),
  };
}
