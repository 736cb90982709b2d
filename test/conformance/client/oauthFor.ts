import { isRecord } from '../../../src/base/values/record.ts';
import type { SignInOptions } from '../../../src/host/config/signInFields.ts';

/** What the user writes into `oauth` of the definition in a scenario; `context` is what the scenario tells of it. */
export function oauthFor(scenario: string, context: unknown): SignInOptions | undefined {
  if (scenario === 'auth/basic-cimd') {
    return { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' };
  }
  const text = (name: string): string | undefined => {
    const value = isRecord(context) ? context[name] : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  const [clientId, clientSecret, privateKey] = [
    text('client_id'),
    text('client_secret'),
    text('private_key_pem'),
  ];
  return clientId === undefined
    ? undefined
    : {
        clientId,
        ...(clientSecret !== undefined && { clientSecret }),
        ...(privateKey !== undefined && { privateKey }),
        ...(scenario.startsWith('auth/client-credentials-') && { grantType: 'client_credentials' }),
      };
}
