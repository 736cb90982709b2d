import { isRecord } from '../../base/values/record.ts';
import { isLoopbackHost } from '../../base/values/loopback.ts';
import { bracedParts, hasBraces, withoutBraces } from './braces.ts';
import {
  flag,
  nonEmptyText,
  oneOf,
  text,
  readFields,
  type FieldType,
  type Fields,
  type Values,
} from './fieldTypes.ts';

// The fields of `oauth` in the definition of a server at an address.

/** The client ID, as RFC 6749, appendix A.1 allows it outside its variables. */
const clientId: FieldType<string> = {
  schema: nonEmptyText.schema,
  read: (written, name, complain) => {
    const id = nonEmptyText.read(written, name, complain);
    return id === undefined || isClientId(withoutBraces(id))
      ? id
      : complain(`"${name}" can have only letters, digits and signs of ASCII.`);
  },
};

function isClientId(id: string): boolean {
  return /^[\x20-\x7e]*$/.test(id);
}

/** A secret, which is never in a file: only a reference to an input. What is written instead is never in a message. */
const secretReference: FieldType<string> = {
  schema: { type: 'string', pattern: '^\\$\\{input:[^{}]+\\}$' },
  read: (written, name, complain) =>
    typeof written === 'string' && isInputReference(written)
      ? written
      : complain(
          `"${name}" must refer to an input, such as "\${input:secret}", so that the secret isn't in this file.`,
          [],
          typeof written === 'string' ? { kind: 'useInput' } : undefined,
        ),
};

/** Whether a text is exactly one reference to an input. */
export function isInputReference(written: string): boolean {
  return /^\$\{input:[^{}]+\}$/.test(written);
}

/** Scopes (RFC 6749, 3.3) as a list, or as a text with spaces between them; none counts as missing. */
const scopes: FieldType<readonly string[]> = {
  schema: { anyOf: [{ type: 'array', items: text.schema }, text.schema] },
  read: (written, name, complain) => {
    const items: readonly unknown[] = Array.isArray(written) ? written : [written];
    if (!items.every((item) => typeof item === 'string')) {
      return complain(`"${name}" must be a list of strings, or a string with spaces between the scopes.`);
    }
    const found = splitScopes(items);
    const wrong = found.find((scope) => !isScope(withoutBraces(scope)));
    if (wrong !== undefined) {
      return complain(`"${name}" has a scope with a character that no scope can have.`);
    }
    return found.length === 0 ? undefined : found;
  },
};

/** The scopes in texts, each once; spaces in a variable separate nothing. */
function splitScopes(items: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const item of items) {
    let scope = '';
    for (const { text: part, inside } of bracedParts(item)) {
      const [first = '', ...rest] = inside === undefined ? part.split(/\s+/) : [part];
      scope += first;
      for (const next of rest) {
        found.add(scope);
        scope = next;
      }
    }
    found.add(scope);
  }
  found.delete('');
  return [...found];
}

function plainScopes(items: readonly string[]): readonly string[] {
  return [...new Set(items.flatMap((item) => item.split(/\s+/)))].filter((scope) => scope !== '');
}

function isScope(scope: string): boolean {
  return /^[\x21\x23-\x5b\x5d-\x7e]*$/.test(scope);
}

interface AddressRule {
  /** What an address must be, as a sentence goes on after "must be". */
  readonly what: string;
  readonly isValid: (url: URL, written: string) => boolean;
}

const addressRules = {
  /** RFC 8414, 2: without query and fragment. */
  issuer: {
    what: 'an https: address without "?" and "#", or an http: address of this machine',
    isValid: (url, written) => isSecure(url) && !written.includes('?'),
  },
  /** 2025-11-25, basic/authorization, client ID metadata documents: https with a path. */
  clientMetadataUrl: {
    what: 'an https: address with a path, and without "." and ".." in it',
    isValid: (url, written) =>
      url.protocol === 'https:' && url.pathname !== '/' && !/\/(?:\.|%2e){1,2}(?:[/?]|$)/i.test(written),
  },
  /** 2025-11-25, basic/authorization, communication security: localhost or https. */
  redirectUri: {
    what: 'an http: address of this machine, such as http://127.0.0.1:3000/callback, or an https: address',
    isValid: isSecure,
  },
} as const satisfies Readonly<Record<string, AddressRule>>;

/** In a file of a workspace: the answer of your sign-in goes to no address that others choose. */
const workspaceRedirect: AddressRule = {
  what: 'an address of this machine, such as http://127.0.0.1:3000/callback, unless your user settings define the server',
  isValid: (url) => isSecure(url) && isLoopbackHost(url.hostname),
};

function rulesFor(isUsers: boolean): Readonly<Record<keyof typeof addressRules, AddressRule>> {
  return isUsers ? addressRules : { ...addressRules, redirectUri: workspaceRedirect };
}

/** Why a file of a workspace can't have this redirect address; one with a variable is checked when the server starts. */
export function workspaceRedirectProblem({ redirectUri }: SignInOptions): string | undefined {
  const rule = workspaceRedirect;
  return redirectUri === undefined || hasBraces(redirectUri) || isAddress(redirectUri, rule)
    ? undefined
    : `"oauth.redirectUri" must be ${rule.what}.`;
}

function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}

function isAddress(written: string, { isValid }: AddressRule): boolean {
  const url = URL.parse(written);
  // The parser leaves out spaces at the ends and line breaks; issuers are compared character by character.
  return (
    url !== null &&
    // oxlint-disable-next-line no-control-regex -- An address has none of them.
    !/[\s\x00-\x1f\x7f#]/.test(written) &&
    url.username === '' &&
    url.password === '' &&
    isValid(url, written)
  );
}

/** An address under a rule. If it has a variable, it is checked when the server starts. */
function addressUnder(rule: AddressRule): FieldType<string> {
  return {
    schema: { type: 'string', pattern: '^https?://|\\$\\{' },
    read: (written, name, complain) => {
      const address = nonEmptyText.read(written, name, complain);
      return address === undefined || hasBraces(address) || isAddress(address, rule)
        ? address
        : complain(`"${name}" must be ${rule.what}.`);
    },
  };
}

/** Why the field has no effect in a file that comes with a workspace. */
const isUsersOnly = 'Only in your user settings: has no effect in a file of a workspace.';

export const signInFields = {
  clientId: {
    type: clientId,
    description:
      "The ID under which the issuer knows this client. Needed only if the issuer doesn't register clients automatically.",
    aliases: ['client_id', 'oauthClientId'],
  },
  clientSecret: {
    type: secretReference,
    description: 'The secret of the client: a reference to an input, such as `${input:secret}`.',
    aliases: ['client_secret'],
  },
  privateKey: {
    type: secretReference,
    description:
      'The private key with which the client authenticates, as PEM: a reference to an input, such as `${input:key}`.',
    aliases: ['private_key'],
  },
  scopes: {
    type: scopes,
    description:
      'The scopes to ask for: a list, or a text with spaces between them. The default is what the server asks for.',
    aliases: ['scope', 'oauthScopes'],
  },
  issuer: {
    type: addressUnder(addressRules.issuer),
    description: 'Who signs you in, if the server accepts several issuers. It must be one of them.',
  },
  clientMetadataUrl: {
    type: addressUnder(addressRules.clientMetadataUrl),
    description:
      'The address of a document that describes this client. Issuers that support such documents use the address as the client ID.',
    aliases: ['client_metadata_url'],
  },
  redirectUri: {
    type: addressUnder(addressRules.redirectUri),
    description:
      'The address at which the browser returns after you sign in, exactly as it is registered for the client. The default is a free port of 127.0.0.1.',
    aliases: ['redirect_uri', 'redirectUrl', 'redirect_url'],
  },
  grantType: {
    type: oneOf(['authorization_code', 'client_credentials']),
    description:
      '`authorization_code` (the default) signs you in with the browser. `client_credentials` signs in the client itself, with its secret or private key.',
    aliases: ['grant_type', 'oauthGrantType'],
  },
  assumePkce: {
    type: flag,
    description: `Sign in even if the issuer doesn't say that it supports PKCE. ${isUsersOnly}`,
  },
  omitResource: {
    type: flag,
    description: `Don't tell the issuer which server the token is for: some issuers refuse the parameter \`resource\`. ${isUsersOnly}`,
  },
} as const satisfies Fields;

/** How to sign in to a server, as its definition says; what is missing follows from the server and its issuer. */
export type SignInOptions = Values<typeof signInFields>;

export type SignInField = keyof typeof signInFields;

/** What each field is called where people read it. */
export const signInNames: Readonly<Record<SignInField, string>> = {
  clientId: 'client ID',
  clientSecret: 'client secret',
  privateKey: 'private key',
  scopes: 'list of scopes',
  issuer: 'issuer',
  clientMetadataUrl: 'address of the client metadata',
  redirectUri: 'redirect address',
  grantType: 'grant type',
  assumePkce: 'use of PKCE',
  omitResource: 'use of the resource parameter',
};

/** The fields that a file of a workspace cannot set, because they loosen a check. */
export const usersSignInFields = ['assumePkce', 'omitResource'] as const satisfies readonly SignInField[];

/** The options that a file of a workspace can have. */
export function withoutUsersFields(options: SignInOptions): SignInOptions {
  const { assumePkce: _assumePkce, omitResource: _omitResource, ...rest } = options;
  return rest;
}

export const secretSignInFields = ['clientSecret', 'privateKey'] as const satisfies readonly SignInField[];

export function isSecretSignInField(name: string): name is (typeof secretSignInFields)[number] {
  return secretSignInFields.some((field) => field === name);
}

/** What Claude Code has instead of `redirectUri`. */
export const callbackPort = 'callbackPort';

/** The redirect address for a callback port of Claude Code; undefined for anything that isn't a port. */
export function redirectOf(port: unknown): string | undefined {
  return typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536
    ? `http://localhost:${port}/callback`
    : undefined;
}

/** An object with these fields. Those that are unknown are left out; the reader of the definition reports them. */
export const signIn: FieldType<SignInOptions> = {
  schema: { type: 'object' },
  fields: signInFields,
  read: (written, name, complain) =>
    isRecord(written)
      ? readFields(signInFields, written, complain, `${name}.`)
      : complain(`"${name}" must be an object, such as { "clientId": "…" }.`),
};

/**
 * The options with their variables replaced, which can stand for anything: a text for `scopes` can have several of them.
 *
 * @param isUsers whether your user settings define the server.
 * @param report gets a sentence for each value that can't be used.
 */
export function filledSignIn(
  filled: SignInOptions,
  isUsers: boolean,
  report: (problem: string) => void,
): SignInOptions {
  const check = (field: SignInField, isValid: boolean, what: string): void => {
    if (!isValid) {
      report(`its "oauth.${field}" must be ${what}`);
    }
  };
  for (const field of secretSignInFields) {
    check(field, filled[field] !== '', 'a secret that is not empty');
  }
  for (const [field, rule] of Object.entries(rulesFor(isUsers))) {
    const written = filled[field as keyof typeof addressRules];
    check(field as SignInField, written === undefined || isAddress(written, rule), rule.what);
  }
  const { clientId: id, scopes: written } = filled;
  check('clientId', id === undefined || (id !== '' && isClientId(id)), 'a text of ASCII that is not empty');
  const found = written && plainScopes(written);
  check(
    'scopes',
    found === undefined || found.every(isScope),
    'scopes without quotation marks and backslashes',
  );
  return { ...filled, ...(found && { scopes: found }) };
}
