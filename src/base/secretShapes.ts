/** A sign of a secret: each quantifier is bounded, so that a long text takes no long time. */
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
/** A place in a list, which is called a token, too. */
const cursorKey = /(?:page|next|cursor|continuation|sync|progress)[_-]?token$/i;

/** Whether what is called so is a secret. */
export function isSecretName(name: string): boolean {
  return secretKey.test(name) && !cursorKey.test(name);
}

/** What kind of secret a text looks as if it had in it, or by its name was; undefined for none. */
export function secretIn(text: string, name: string): string | undefined {
  const shape = shapes.find(({ pattern }) => pattern.test(text));
  if (shape) {
    return shape.what;
  }
  return isSecretName(name) && /^\S{4,4000}$/.test(text.trim()) ? 'a secret, by its name' : undefined;
}
