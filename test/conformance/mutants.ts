import type { Mutation } from './bundle.ts';

/** What the extension's client writes where it is made to fail. */
export const failsHere = 'The client is made to fail here.';

const fail = `console.error('${failsHere}'); throw new HostError('signInRequired', 'nobody is signed in');`;

/**
 * Clients that only fail: what they pass shows nothing about a client that doesn't. A text is what follows `node` on the
 * command line; the others are the extension's client, which fails at one step.
 */
export const failingClients: Readonly<Record<string, string | Mutation>> = {
  'does nothing': '-e 0',
  'fails at once': '-e process.exitCode=1',
  'fails when it knows the resource': {
    file: 'host/auth/network/discovery.ts',
    from: 'checkResource(sdk, server, resource.resource);',
    to: fail,
  },
  'fails when it knows the issuer': {
    file: 'host/auth/network/discovery.ts',
    from: 'return await sdk.discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch.fetch });',
    to: `await sdk.discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch.fetch, skipIssuerValidation: true }); ${fail}`,
  },
  'fails when the browser comes back': {
    file: 'host/auth/signInAttempt.ts',
    from: "const iss = parameters.get('iss') ?? undefined;",
    to: fail,
  },
  'fails when more scopes are required': {
    file: 'host/auth/serverAuthorization.ts',
    from: 'const missing = missingScopes(challenge.scope, account);',
    to: fail,
  },
};

/** Believes each answer of the browser. */
const anyIssuer: Mutation = {
  file: 'host/auth/signInAttempt.ts',
  from: "const iss = parameters.get('iss') ?? undefined;",
  to: 'const iss = metadata?.issuer;',
};

function asking(from: string, to: string): Mutation {
  return { file: 'host/auth/network/discovery.ts', from, to };
}

/**
 * Counted scenarios that one of the clients that only fail passes, each with a change of the extension's code with which
 * the suite must fail it.
 */
export const mutants: Readonly<Record<string, Mutation>> = {
  'http-standard-headers': {
    file: 'host/transport/http/nodeFetch.ts',
    from: "'accept-encoding': 'identity' }",
    to: "'accept-encoding': 'identity', 'mcp-method': 'another' }",
  },
  'auth/basic-cimd': {
    file: 'host/auth/signInPlan.ts',
    from: 'metadata?.client_id_metadata_document_supported === true',
    to: 'false',
  },
  'auth/scope-from-www-authenticate': asking('sdk.computeScopeUnion(challenged) ??', ''),
  'auth/scope-from-scopes-supported': asking('...(resource?.scopes_supported ?? [])', "'other'"),
  'auth/scope-omitted-when-undefined': asking(
    '...(resource?.scopes_supported ?? [])',
    "...(resource?.scopes_supported ?? ['other'])",
  ),
  'auth/scope-retry-limit': {
    file: 'host/auth/serverAuthorization.ts',
    from: 'missing.length === 0 || this.#context.hasRefused(missing)',
    to: 'false',
  },
  'auth/resource-mismatch': asking('!isPlain || !isOfServer()', '!isPlain'),
  'auth/offline-access-scope': {
    file: 'host/auth/clientDocument.ts',
    from: "grant_types: ['authorization_code', 'refresh_token']",
    to: "grant_types: ['authorization_code']",
  },
  'auth/offline-access-not-supported': asking(
    "refreshing?.scopes_supported?.includes('offline_access')",
    'true',
  ),
  'auth/metadata-issuer-mismatch': asking(
    '{ fetchFn: fetch.fetch }',
    '{ fetchFn: fetch.fetch, skipIssuerValidation: true }',
  ),
  'auth/iss-supported-missing': anyIssuer,
  'auth/iss-wrong-issuer': anyIssuer,
  'auth/iss-unexpected': anyIssuer,
  'auth/iss-normalized': anyIssuer,
};

/** Those of them that are tried whenever the suite runs, one without signing in and one with it; the others by `npm run mutate`. */
export const everyRun: readonly string[] = ['http-standard-headers', 'auth/iss-wrong-issuer'];
