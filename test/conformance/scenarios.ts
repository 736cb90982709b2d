/** Scenarios that are counted, each with how many of its checks succeed at least: one that is passed over is noticed. */
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
};

/** Scenarios that are run and shown, and not counted, by the reason. */
const later: Readonly<Record<string, readonly string[]>> = {
  'elicitation comes later': ['elicitation-sep1034-client-defaults', 'sep-2322-client-request-state'],
  'authorization comes later': [
    'auth/metadata-default',
    'auth/metadata-var1',
    'auth/metadata-var2',
    'auth/metadata-var3',
    'auth/basic-cimd',
    'auth/scope-from-www-authenticate',
    'auth/scope-from-scopes-supported',
    'auth/scope-omitted-when-undefined',
    'auth/scope-step-up',
    'auth/scope-retry-limit',
    'auth/token-endpoint-auth-basic',
    'auth/token-endpoint-auth-post',
    'auth/token-endpoint-auth-none',
    'auth/pre-registration',
    'auth/2025-03-26-oauth-metadata-backcompat',
    'auth/2025-03-26-oauth-endpoint-fallback',
    'auth/resource-mismatch',
    'auth/offline-access-scope',
    'auth/offline-access-not-supported',
    'auth/authorization-server-migration',
    'auth/iss-supported',
    'auth/iss-not-advertised',
    'auth/iss-supported-missing',
    'auth/iss-wrong-issuer',
    'auth/iss-unexpected',
    'auth/iss-normalized',
    'auth/metadata-issuer-mismatch',
    'auth/client-credentials-jwt',
    'auth/client-credentials-basic',
  ],
  'an extension that is not supported': [
    'auth/enterprise-managed-authorization',
    'auth/dpop',
    'auth/dpop-nonce',
    'auth/wif-jwt-bearer',
    'sep-2640-client-no-prefetch',
    'sep-2640-client-verify-digest',
    'sep-2640-client-verify-size',
    'sep-2640-client-verify-frontmatter',
  ],
};

/** Whether a scenario counts; a reason says why not. */
type Standing =
  { readonly kind: 'counted'; readonly checks: number } | { readonly kind: 'later'; readonly reason: string };

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
      const tried = standing.kind === 'counted' ? revisions : [revisions.at(-1)];
      return tried.map((revision) => ({ name, revision, standing }));
    }),
    problems: [
      ...unknown.map((name) => `'${name}' is a scenario of which nobody has said whether it is counted.`),
      ...missing.map((name) => `'${name}' is no scenario of the suite any more.`),
    ],
  };
}
