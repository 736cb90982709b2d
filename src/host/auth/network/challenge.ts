import { visibleText } from '../../../base/text/visibleText.ts';
import { cutTo } from '../../../base/text/words.ts';
import { signInBounds, textBounds } from '../../json/bounds.ts';
import type { Challenge } from './discovery.ts';

/** RFC 9110, 5.6.2 and 11.2: a name, the form of a scheme's credentials that has no parameters, and a quoted string. */
const token = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y;
const token68 = /[A-Za-z0-9\-._~+/]+=*(?=[ \t]*(?:,|$))/y;
const quoted = /"((?:[^"\\]|\\[^])*)"/y;
const space = /[ \t]*/y;
const separators = /[ \t,]*/y;
const equals = /[ \t]*=[ \t]*/y;

interface Scheme {
  readonly name: string;
  readonly parameters: Map<string, string>;
}

/**
 * What a `WWW-Authenticate` header asks for, if it is about a token (`Bearer`, or `DPoP`); undefined otherwise. Of several
 * challenges, the one that names metadata counts, and Bearer before DPoP.
 *
 * The SDK's `extractWWWAuthenticateParams` reads only the scheme at the beginning of the header, and finds parameters
 * within other challenges and quoted strings.
 */
export function parseChallenge(header: string | undefined): Challenge | undefined {
  const known = schemesIn((header ?? '').slice(0, signInBounds.headerCharacters)).filter(({ name }) =>
    ['bearer', 'dpop'].includes(name),
  );
  const byScheme = known.toSorted((a, b) => a.name.localeCompare(b.name));
  const [scheme] = byScheme.toSorted((a, b) => Number(namesMetadata(b)) - Number(namesMetadata(a)));
  const isDpop = known.every(({ name }) => name === 'dpop');
  return scheme && { ...(isDpop && { isDpop }), ...challengeOf(scheme.parameters) };
}

function namesMetadata({ parameters }: Scheme): boolean {
  return parameters.has('resource_metadata');
}

function challengeOf(parameters: ReadonlyMap<string, string>): Challenge {
  const text = (name: string, most: number): string | undefined => {
    const value = parameters.get(name);
    return value === undefined || value === '' || value.length > most ? undefined : value;
  };
  const url = text('resource_metadata', signInBounds.scopeCharacters);
  const scope = text('scope', signInBounds.scopeCharacters);
  const error = text('error', signInBounds.scopeCharacters);
  const description = cutTo(parameters.get('error_description') ?? '', textBounds.words);
  return {
    ...(url !== undefined && URL.canParse(url) && { resourceMetadataUrl: url }),
    ...(scope !== undefined && { scope }),
    ...(error !== undefined && { error: visibleText(cutTo(error, textBounds.words)) }),
    ...(description && { errorDescription: visibleText(description) }),
  };
}

/**
 * The challenges of a header (RFC 9110, 11.6.1), names in lower case. A comma separates challenges as well as parameters:
 * a name is a parameter if `=` follows it. What can't be read ends the list.
 */
function schemesIn(header: string): readonly Scheme[] {
  const schemes: Scheme[] = [];
  let at = 0;
  const next = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(header) ?? undefined;
    at = found ? pattern.lastIndex : at;
    return found;
  };
  for (;;) {
    next(separators);
    const name = next(token)?.[0].toLowerCase();
    if (name === undefined) {
      return schemes;
    }
    const parameters = schemes.at(-1)?.parameters;
    if (parameters && next(equals)) {
      const string = next(quoted);
      const value = string ? string[1]?.replaceAll(/\\([^])/g, '$1') : next(/[^\s,"]+/y)?.[0];
      if (value === undefined) {
        return schemes;
      }
      // The first one counts: a second one is not allowed (RFC 9110, 11.2).
      if (!parameters.has(name)) {
        parameters.set(name, value);
      }
    } else {
      schemes.push({ name, parameters: new Map() });
      next(space);
      next(token68);
    }
  }
}
