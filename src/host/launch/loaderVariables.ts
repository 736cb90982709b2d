import { consistsOf } from '../../base/text/consistsOf.ts';
import { loaderVariables } from './loaderTable.ts';

interface NamePattern {
  readonly name: string;
  readonly pieces: readonly string[];
  readonly decides: string;
}

const exact = new Map<string, string>();
const patterns: NamePattern[] = [];
const harmless: (readonly string[])[] = [];
for (const { decides, names } of loaderVariables) {
  for (const name of names) {
    if (name.startsWith('!')) {
      harmless.push(name.slice(1).split('*'));
    } else if (name.includes('*')) {
      patterns.push({ name, pieces: name.split('*'), decides });
    } else {
      exact.set(name, decides);
    }
  }
}
// `GIT_SSL_*` says more than `GIT_*`.
patterns.sort((one, other) => other.name.length - one.name.length);
/** By the first character of the names that they match; under `*` those that match any. A file has many names. */
const byInitial = new Map(
  [...new Set(patterns.map(({ name }) => name.charAt(0)))].map((initial) => [
    initial,
    patterns.filter(({ name }) => name.startsWith(initial) || name.startsWith('*')),
  ]),
);

/** What a variable decides, as the end of a sentence; undefined for one that decides nothing of the kind. */
export function decidedBy(name: string): string | undefined {
  // Without case: Windows, npm and those that read proxies do so as well, and a look too many does no harm.
  const upper = name.toUpperCase();
  const possible = byInitial.get(upper.charAt(0)) ?? byInitial.get('*') ?? [];
  return (
    exact.get(upper) ??
    (harmless.some((pieces) => consistsOf(upper, pieces))
      ? undefined
      : possible.find(({ pieces }) => consistsOf(upper, pieces))?.decides)
  );
}

export function isLoaderVariable(name: string): boolean {
  return decidedBy(name) !== undefined;
}
