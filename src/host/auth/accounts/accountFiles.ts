import { hasTexts, isRecord, type UnknownRecord } from '../../../base/values/record.ts';
import type { AccountOwner, EditorAccount, RegisteredClient, StoredAccount, Tokens } from './account.ts';
import type { FileKind } from './sealedFiles.ts';

/** A registration of this host at an issuer, for one server. */
export interface ServerClient extends AccountOwner {
  readonly oauthClient: RegisteredClient;
}

/** The scopes that the issuer of a server refuses, and that it isn't asked for any longer. */
export interface ServerRefusal extends AccountOwner {
  readonly issuer: string;
  readonly scopes: readonly string[];
}

interface ClientKey extends AccountOwner {
  readonly issuer: string;
}

export const accountFile: FileKind<StoredAccount, AccountOwner> = {
  name: 'account',
  parts: ({ server, url }) => [server, url],
  is: isAccount,
};

export const clientFile: FileKind<ServerClient, ClientKey> = {
  name: 'registration',
  parts: ({ server, url, issuer }) => [server, url, issuer],
  is: isServerClient,
};

export const refusalFile: FileKind<ServerRefusal, AccountOwner> = {
  name: 'refusal',
  parts: ({ server, url }) => [server, url],
  is: isServerRefusal,
};

function isAccount(value: unknown): value is StoredAccount {
  return (
    hasTexts(value, 'server', 'url', 'id') &&
    hasNumber(value, 'since') &&
    ('header' in value ? isSetToken(value) : isSignedIn(value))
  );
}

function isSetToken(value: UnknownRecord): boolean {
  return hasTexts(value, 'header', 'value') && value['tokens'] === undefined && value['editor'] === undefined;
}

function isSignedIn(value: UnknownRecord): boolean {
  return (
    hasTexts(value, 'issuer') &&
    mayHaveTexts(value, 'askedScope', 'name', 'subject') &&
    (isEditorUse(value) || hasOwnTokens(value))
  );
}

/** Whatever has a token isn't an account of the editor's. */
function isEditorUse(value: UnknownRecord): boolean {
  return isEditorAccount(value['editor']) && value['tokens'] === undefined;
}

function isEditorAccount(value: unknown): value is EditorAccount {
  return hasTexts(value, 'provider', 'providerName', 'id', 'label');
}

function hasOwnTokens(value: UnknownRecord): boolean {
  return (
    value['editor'] === undefined &&
    isClient(value['oauthClient']) &&
    isTokens(value['tokens']) &&
    mayHaveTexts(value, 'resource', 'proofKey')
  );
}

function isServerClient(value: unknown): value is ServerClient {
  return hasTexts(value, 'server', 'url') && isClient((value as UnknownRecord)['oauthClient']);
}

function isServerRefusal(value: unknown): value is ServerRefusal {
  if (!hasTexts(value, 'server', 'url', 'issuer')) {
    return false;
  }
  const { scopes } = value as UnknownRecord;
  return Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string');
}

function isClient(value: unknown): value is RegisteredClient {
  return (
    hasTexts(value, 'issuer', 'clientId', 'how') &&
    ['preRegistered', 'metadataDocument', 'registered'].includes(value.how) &&
    mayHaveTexts(value, 'clientSecret', 'redirectUri', 'scope', 'tokenEndpointAuthMethod') &&
    (value['secretExpiresAt'] === undefined || hasNumber(value, 'secretExpiresAt'))
  );
}

function isTokens(value: unknown): value is Tokens {
  return (
    hasTexts(value, 'accessToken', 'type') &&
    mayHaveTexts(value, 'refreshToken', 'scope') &&
    (value['expiresAt'] === undefined || hasNumber(value, 'expiresAt'))
  );
}

function hasNumber(value: UnknownRecord, name: string): boolean {
  return typeof value[name] === 'number';
}

function mayHaveTexts(value: unknown, ...names: readonly string[]): boolean {
  return isRecord(value) && names.every((name) => ['string', 'undefined'].includes(typeof value[name]));
}
