import { isRecord } from '../../../base/values/record.ts';
import { secretInput } from '../edit/secrets.ts';
import type { Fields } from '../fieldTypes.ts';
import {
  callbackPort,
  isInputReference,
  isSecretSignInField,
  redirectOf,
  signInFields,
  usersSignInFields,
  type SignInOptions,
} from '../signInFields.ts';

/** What Copilot CLI and Kiro have beside the address instead of in `oauth`. */
const besideUrl = ['oauthClientId', 'oauthGrantType', 'oauthScopes'];
/** Fields that say only that there is a sign-in. */
const withoutMeaning = new Set(['enabled', 'type', 'oauthPublicClient']);

/** The fields of a server that `mapSignIn` reads. */
export const signInSources: readonly string[] = ['oauth', 'auth', 'oauthPublicClient', ...besideUrl];

/**
 * How another program signs in to a server: `oauth` of VS Code, Claude Code, Gemini CLI, Kiro and OpenCode, `auth` of
 * Cursor, and the fields of Copilot CLI. A secret that is written there stays, to become an input; one that comes from
 * somewhere else is asked for. Undefined if nothing is left.
 */
export function mapSignIn(
  server: string,
  value: Readonly<Record<string, unknown>>,
  notes: string[],
): SignInOptions | undefined {
  const beside = Object.entries(value).filter(([name]) => besideUrl.includes(name));
  const written = [...beside, ...['auth', 'oauth'].flatMap((name) => entriesIn(name, value[name], notes))];
  const found: Record<string, unknown> = {};
  for (const [name, held] of written) {
    const field = fieldOf(name);
    const redirectUri = name === callbackPort ? redirectOf(held) : undefined;
    if (redirectUri !== undefined) {
      found['redirectUri'] ??= redirectUri;
    } else if (field === undefined || usersSignInFields.some((one) => one === field)) {
      notes.push(...(isMeaningless(name, held) ? [] : [`"${name}" of the sign-in is not imported.`]));
    } else {
      found[field] = isSecretSignInField(field)
        ? secretOf(server, field, held)
        : fields[field]?.type.read(held, name, (message) => {
            notes.push(`${message.slice(0, -1)}: it is left out.`);
          });
    }
  }
  const entries = Object.entries(found).filter(([, read]) => read !== undefined);
  // Each was read by its own field.
  const options = Object.fromEntries(entries) as SignInOptions;
  if (options.clientId !== undefined && options.redirectUri === undefined && !isOwnSignIn(options)) {
    notes.push(
      'The client ID is registered for another program: its issuer may not accept the address at which the browser returns to MCP Host.',
    );
  }
  return entries.length === 0 ? undefined : options;
}

const fields: Fields = signInFields;

/** The field that a name means, in any spelling. */
function fieldOf(name: string): string | undefined {
  const wanted = name.toLowerCase();
  const [field] =
    Object.entries(fields).find(([own, { aliases = [] }]) =>
      [own, ...aliases].some((one) => one.toLowerCase() === wanted),
    ) ?? [];
  return field;
}

function entriesIn(name: string, held: unknown, notes: string[]): readonly (readonly [string, unknown])[] {
  if (isRecord(held)) {
    return Object.entries(held);
  }
  const isNothing = held === undefined || held === false || held === true || held === 'oauth';
  notes.push(...(isNothing ? [] : [`"${name}" is not imported: the server may ask you to sign in again.`]));
  return [];
}

function isMeaningless(name: string, held: unknown): boolean {
  return withoutMeaning.has(name) || held === false || held === null || (Array.isArray(held) && !held.length);
}

/** A reference to a variable of the environment can't be a secret here: you enter it once instead. */
function secretOf(server: string, field: string, held: unknown): string | undefined {
  if (typeof held !== 'string' || held === '') {
    return undefined;
  }
  return isInputReference(held) || !held.includes('$')
    ? held
    : `\${input:${secretInput(server, field, new Set()).id}}`;
}

/** The client itself signs in: no browser returns. */
function isOwnSignIn({ grantType }: SignInOptions): boolean {
  return grantType === 'client_credentials';
}
