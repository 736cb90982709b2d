import { isRecord } from '../../../base/values/record.ts';
import { isNothing } from '../dialects.ts';
import { hasBraces } from '../braces.ts';
import { secretInput } from '../edit/secrets.ts';
import type { Fields } from '../fieldTypes.ts';
import {
  isInputReference,
  isSecretSignInField,
  signInFields,
  usersSignInFields,
  workspaceRedirectProblem,
  type SignInOptions,
} from '../signInFields.ts';

/**
 * How another program signs in to a server. A secret that is written there stays, to become an input; one that comes from
 * somewhere else is asked for. Undefined if nothing is left.
 *
 * @param written `oauth` of the definition in our fields.
 */
export function mapSignIn(server: string, written: unknown, notes: string[]): SignInOptions | undefined {
  if (!isRecord(written)) {
    notes.push(...(written === undefined ? [] : ['"oauth" is not imported.']));
    return undefined;
  }
  const entries = Object.entries(written).flatMap(([name, held]): [string, unknown][] => {
    const type = Object.hasOwn(fields, name) ? fields[name]?.type : undefined;
    if (type === undefined || usersSignInFields.some((one) => one === name)) {
      notes.push(...(isNothing(held) ? [] : [`"${name}" of the sign-in is not imported.`]));
      return [];
    }
    const read = isSecretSignInField(name)
      ? secretOf(server, name, held)
      : type.read(held, name, (message) => {
          notes.push(`${message.slice(0, -1)}: it is left out.`);
        });
    return read === undefined ? [] : [[name, read]];
  });
  // Each was read by its own field.
  const read = Object.fromEntries(entries) as SignInOptions;
  const { redirectUri = '', ...others } = read;
  // Whoever wrote the definition doesn't choose who gets the answer of your sign-in.
  const isRefused = hasBraces(redirectUri) || workspaceRedirectProblem(read) !== undefined;
  const options: SignInOptions = isRefused ? others : read;
  if (isRefused) {
    notes.push('"redirectUri" of the sign-in is not imported: it is no address of this machine.');
  }
  if (options.clientId !== undefined && options.redirectUri === undefined && !isOwnSignIn(options)) {
    notes.push(
      'The client ID is registered for another program: its issuer may not accept the address at which the browser returns to MCP Host.',
    );
  }
  return isNothing(options) ? undefined : options;
}

const fields: Fields = signInFields;

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
