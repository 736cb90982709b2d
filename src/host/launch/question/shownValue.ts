import { HIDDEN } from '../../../base/logging/redacting.ts';
import type { AnyLaunch, DefinitionOrigin } from '../../config/serverDefinition.ts';
import { signInNames, type SignInField } from '../../config/signInFields.ts';
import { textParts } from '../../config/variables.ts';

/**
 * The value of a variable or header as it may be shown: references as they are written, such as `${env:NAME}`, and the
 * mask for everything else, also for the default of a reference. An empty value stays empty.
 */
export function shownValue(text: string, format: DefinitionOrigin['format'], mask = HIDDEN): string {
  let shown = '';
  let isMasked = false;
  let at = 0;
  for (const part of textParts(text, format)) {
    const end = typeof part === 'string' ? at + part.length : text.indexOf('}', at) + 1;
    const written = text.slice(at, end);
    at = end;
    if (typeof part === 'string' || part.kind === 'unknown') {
      // What is no variable may be anything. Two masks side by side would tell that there are two.
      shown += isMasked ? '' : mask;
      isMasked = true;
    } else if (part.kind === 'environment' && part.default !== undefined && part.default !== '') {
      shown += `${written.slice(0, written.indexOf(':-') + 2)}${mask}}`;
      isMasked = false;
    } else {
      shown += written;
      isMasked = false;
    }
  }
  return shown;
}

/** A variable or header with its value, as they may be shown. */
export function shownPair(
  [name, value]: readonly [string, string],
  format: DefinitionOrigin['format'],
): string {
  return `${name}: ${shownValue(value, format)}`;
}

/**
 * What a definition says about signing in, by its fields, in their order: of secrets, only references. Options that only
 * repeat the default are left out.
 */
export function shownSignIn({
  oauth = {},
  origin: { format },
}: Pick<AnyLaunch, 'oauth'> & { readonly origin: DefinitionOrigin }): Readonly<Record<string, string>> {
  const shown = (field: SignInField): string | undefined => {
    switch (field) {
      case 'clientSecret':
      case 'privateKey':
        return oauth[field] === undefined ? undefined : shownValue(oauth[field], format);
      case 'scopes':
        return oauth.scopes?.join(' ');
      case 'grantType':
        return oauth.grantType === 'client_credentials'
          ? 'client_credentials (the client signs in, without your account)'
          : undefined;
      case 'assumePkce':
        return oauth.assumePkce === true ? "even if the issuer doesn't say that it supports it" : undefined;
      case 'omitResource':
        return oauth.omitResource === true
          ? 'left out: the issuer does not learn which server the token is for'
          : undefined;
      default:
        return oauth[field];
    }
  };
  return Object.fromEntries(
    (Object.keys(signInNames) as SignInField[]).flatMap((field) => {
      const text = shown(field);
      return text === undefined ? [] : [[field, text]];
    }),
  );
}

/** Whether something of a value can be shown. */
export function hasReference(text: string, format: DefinitionOrigin['format']): boolean {
  return textParts(text, format).some((part) => typeof part !== 'string' && part.kind !== 'unknown');
}
