/** A sign of a secret. Each quantifier is bounded, so that long texts are searched quickly. */
interface Shape {
  readonly what: string;
  readonly pattern: RegExp;
}

const secretName = String.raw`password|passwd|passphrase|secret|api[_-]?key|(?:access|auth|bearer|refresh)[_-]?token|private[_-]?key`;

const shapes: readonly Shape[] = [
  { what: 'a private key', pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/ },
  { what: 'a GitHub token', pattern: /(?<!\w)(?:gh[pousr]_[A-Za-z0-9]{20}|github_pat_\w{20})/ },
  { what: 'a GitLab token', pattern: /(?<!\w)glpat-[\w-]{20}/ },
  { what: 'a Slack token', pattern: /(?<!\w)(?:xox[abeoprs]-[A-Za-z0-9-]{10}|xapp-[A-Za-z0-9-]{10})/ },
  { what: 'an AWS key', pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])/ },
  { what: 'a Google key', pattern: /(?<!\w)AIza[\w-]{35}/ },
  { what: 'an npm token', pattern: /(?<!\w)npm_[A-Za-z0-9]{36}/ },
  { what: 'a Stripe key', pattern: /(?<!\w)[sr]k_(?:live|test)_[A-Za-z0-9]{16}/ },
  { what: 'an API key', pattern: /(?<![\w-])sk-(?=[\w-]{0,40}\d)[\w-]{20}/ },
  { what: 'a signed token (JWT)', pattern: /(?<![\w-])eyJ[\w-]{8,4000}\.eyJ[\w-]{8}/ },
  { what: 'a bearer token', pattern: /\bBearer\s{1,4}(?=\S{0,100}\d)[\w+/.~-]{16}/i },
  { what: 'credentials in an address', pattern: /:\/\/[^\s/?#@:]{0,100}:[^\s/?#@]{1,200}@/ },
  {
    what: 'a password or key',
    // Unquoted, the value has a digit: `password: string` is code.
    pattern: new RegExp(
      String.raw`(?:${secretName})["']?\s{0,8}(?:=(?![=>])|:)\s{0,8}` +
        String.raw`(?:"[^"\n$<{]{6,200}"|'[^'\n$<{]{6,200}'|(?=[^\s(]{0,60}\d)[^\s"'$<{(),;&]{6})`,
      'i',
    ),
  },
];

const secretKey = new RegExp(
  `^(?:.{0,40}[_-])?(?:${secretName}|pwd|token|credentials?)$|(?:Password|Secret|Token|ApiKey)$`,
  'i',
);
/** A position in a list, which is called a token, too. */
const cursorKey = /(?:page|next|cursor|continuation|sync|progress)[_-]?token$/i;

/** Whether the value under this name is a secret. */
function isSecretName(name: string): boolean {
  return secretKey.test(name) && !cursorKey.test(name);
}

/** The kind of secret that a text seems to have in it, or to be by its name; undefined if none. */
export function secretIn(text: string, name: string): string | undefined {
  const shape = shapes.find(({ pattern }) => pattern.test(text));
  if (shape) {
    return shape.what;
  }
  return isSecretName(name) && /^\S{4,4000}$/.test(text.trim()) ? 'a secret, by its name' : undefined;
}

const secretWords = new Set(
  'token secret password passwd passphrase pwd pat apikey credential credentials authorization auth cookie bearer jwt'.split(
    ' ',
  ),
);
const keyKinds = new Set([
  'api',
  'access',
  'private',
  'secret',
  'auth',
  'license',
  'account',
  'encryption',
  'x',
]);
/** The prefixes of well-known kinds of keys. */
const knownBeginnings =
  /^(sk-|sk_|rk_|pk_live|ghp_|gho_|ghu_|ghs_|ghr_|github_pat_|glpat-|xox[abprs]-|xapp-|AKIA|ASIA|AIza|ya29\.|eyJ[\w-]+\.|npm_|pypi-|hf_|ntn_|secret_|lin_api_|figd_|dop_v1_|SG\.|-----BEGIN)/;
/** What stands before a credential in a header. */
export const authScheme = /^(Bearer|Basic|Token|ApiKey)\s+/i;

/** True if a value is probably a secret, by its name and its form. */
export function looksLikeSecret(name: string, value: string): boolean {
  if (value === '' || value.includes('${') || /^\$\w+$/.test(value)) {
    return false;
  }
  if (authScheme.test(value) || knownBeginnings.test(value)) {
    return true;
  }
  const address = URL.parse(value);
  if (address && value.includes('://')) {
    return address.password !== '';
  }
  if (isPath(value) || /^(true|false|yes|no|on|off|\d{1,5}(\.\d+)?)$/i.test(value)) {
    return /^(password|passwd|pwd|passphrase)$/i.test(wordsOf(name).at(-1) ?? '') && !isPath(value);
  }
  return namesSecret(name) || isRandom(value);
}

/** True if a name says that its value is a secret. */
export function namesSecret(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  return (
    secretWords.has(last) || (last === 'key' && (words.length === 1 || keyKinds.has(words.at(-2) ?? '')))
  );
}

/** True for a placeholder in documentation, such as `<YOUR_TOKEN>`. */
export function isPlaceholder(value: string): boolean {
  const bare = value.replace(authScheme, '');
  return /^<.*>$|^\[.*\]$|\b(your|my)[-_ ]?|x{4,}|\.{3}$|…$|^\*+$|replace|changeme|placeholder|_here$/i.test(
    bare,
  );
}

/** Words in the names of variables with secrets, anywhere in the name. */
const secretWord =
  /(?:^|[_-])(?:token|secrets?|pass|passw(?:or)?d|passphrase|credentials?|pat|key)(?:[_-]|$)/i;
const harmlessName = /^(?:OLD)?PWD$|(?:^|[_-])public[_-]?key(?:[_-]|$)/i;

/** Whether an environment variable is a secret by its name; undefined if its value decides. */
export function isSecretVariableName(name: string): boolean | undefined {
  if (harmlessName.test(name)) {
    return false;
  }
  return secretWord.test(name) || namesSecret(name) || isSecretName(name) || undefined;
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
}

function isPath(value: string): boolean {
  return /^(~|\.{0,2})[/\\]|^[A-Za-z]:[/\\]/.test(value) && !/\s/.test(value);
}

/** True for a long text without words: a mix of many different letters and digits. */
function isRandom(value: string): boolean {
  if (value.length < 20 || !/^[\w+/=.-]+$/.test(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value)) {
    return false;
  }
  if (/^[a-z]+([-_./][a-z\d]+)+$/i.test(value) && !/[a-z\d]{16}/i.test(value)) {
    return false;
  }
  const counts = new Map<string, number>();
  for (const character of value) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const bits = [...counts.values()].reduce((sum, count) => {
    const share = count / value.length;
    return sum - share * Math.log2(share);
  }, 0);
  return bits >= 3.3;
}
