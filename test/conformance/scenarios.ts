/**
 * Scenarios that are counted, each with how many of its checks succeed at least: one that is passed over is noticed. For
 * authorization, how many there are also depends on how often the client asks.
 */
const counted: Readonly<Record<string, number>> = {
  initialize: 1,
  tools_call: 2,
  'sse-retry': 3,
  'request-metadata': 6,
  'http-standard-headers': 10,
  'http-custom-headers': 18,
  'http-invalid-tool-headers': 12,
  'json-schema-ref-no-deref': 1,
  'json-schema-2020-12-preservation': 9,
  'auth/metadata-default': 16,
  'auth/metadata-var1': 16,
  'auth/metadata-var2': 16,
  'auth/metadata-var3': 16,
  'auth/basic-cimd': 10,
  'auth/scope-from-www-authenticate': 12,
  'auth/scope-from-scopes-supported': 12,
  'auth/scope-omitted-when-undefined': 12,
  'auth/scope-step-up': 22,
  'auth/scope-retry-limit': 9,
  'auth/token-endpoint-auth-basic': 17,
  'auth/token-endpoint-auth-post': 17,
  'auth/token-endpoint-auth-none': 17,
  'auth/pre-registration': 10,
  'auth/2025-03-26-oauth-metadata-backcompat': 11,
  'auth/2025-03-26-oauth-endpoint-fallback': 7,
  'auth/resource-mismatch': 2,
  'auth/offline-access-scope': 13,
  'auth/offline-access-not-supported': 12,
  'auth/authorization-server-migration': 23,
  'auth/iss-supported': 12,
  'auth/iss-not-advertised': 12,
  'auth/iss-supported-missing': 7,
  'auth/iss-wrong-issuer': 7,
  'auth/iss-unexpected': 7,
  'auth/iss-normalized': 7,
  'auth/metadata-issuer-mismatch': 3,
  'auth/client-credentials-jwt': 8,
  'auth/client-credentials-basic': 8,
  'auth/dpop': 10,
  'auth/dpop-nonce': 12,
  'elicitation-sep1034-client-defaults': 5,
  'sep-2322-client-request-state': 5,
};

/** Scenarios that are run and shown, and not counted, by the reason. */
const later: Readonly<Record<string, readonly string[]>> = {
  'it needs an ID token of a company, which nothing here gets': ['auth/enterprise-managed-authorization'],
  'its assertion expires in minutes, and an input is entered once': ['auth/wif-jwt-bearer'],
  'an extension that is not supported': [
    'sep-2640-client-no-prefetch',
    'sep-2640-client-verify-digest',
    'sep-2640-client-verify-size',
    'sep-2640-client-verify-frontmatter',
  ],
};

/** Whether a scenario counts; a reason says why not. */
type Standing =
  | { readonly kind: 'counted'; readonly checks: number }
  | { readonly kind: 'later'; readonly reason: string };

const standings = new Map<string, Standing>([
  ...Object.entries(counted).map(([name, checks]) => [name, { kind: 'counted', checks }] as const),
  ...Object.entries(later).flatMap(([reason, names]) =>
    names.map((name) => [name, { kind: 'later', reason }] as const),
  ),
]);

/** A scenario at one revision; without one, the suite chooses. */
export interface Scenario {
  readonly name: string;
  readonly revision: string | undefined;
  readonly standing: Standing;
}

/** What the suite offers, and where it is not what the table above says. */
export interface Offer {
  /** Those that are counted at each of their revisions, the others at their last. */
  readonly scenarios: readonly Scenario[];
  readonly problems: readonly string[];
}

/** Reads what the suite prints as its list of scenarios: `  - tools_call [2025-06-18,2025-11-25]`. */
export function readOffer(listed: string): Offer {
  const found = [...listed.matchAll(/^ {2}- (\S+) \[(.*)\]$/gm)].map(([, name = '', revisions = '']) => ({
    name,
    revisions: revisions.split(',').filter((one) => one !== 'extension'),
  }));
  const names = new Set(found.map(({ name }) => name));
  const unknown = [...names].filter((name) => !standings.has(name));
  const missing = [...standings.keys()].filter((name) => !names.has(name));
  return {
    scenarios: found.flatMap(({ name, revisions }) => {
      const standing = standings.get(name);
      if (!standing) {
        return [];
      }
      const isAtEach = standing.kind === 'counted' && revisions.length > 0;
      const tried = isAtEach ? revisions : [revisions.at(-1)];
      return tried.map((revision) => ({ name, revision, standing }));
    }),
    problems: [
      ...unknown.map((name) => `'${name}' is a scenario of which nobody has said whether it is counted.`),
      ...missing.map((name) => `'${name}' is no longer a scenario of the suite.`),
    ],
  };
}
