/** Words for the scopes of one issuer, or of all that follow one specification. */
type Words = Readonly<Record<string, string>>;

/** OpenID Connect Core, 5.4 and 11: these mean the same everywhere. */
const everywhere: Words = {
  openid: 'who you are',
  profile: 'your name and profile',
  email: 'your email address',
  address: 'your postal address',
  phone: 'your telephone number',
  offline_access: 'stays signed in without asking you again',
};

/** GitHub Docs, "Scopes for OAuth apps". */
const github: Words = {
  repo: 'reads and changes all your repositories, private ones, too, with their webhooks and deployments; manages projects, invitations, teams and webhooks of your organizations',
  'repo:status': 'reads and changes commit statuses, in private repositories, too',
  repo_deployment: 'deployment statuses, in private repositories, too',
  public_repo: 'reads and changes public repositories',
  'repo:invite': 'accepts and declines invitations to repositories',
  security_events: 'reads and changes the results of code scanning',
  'admin:repo_hook': 'manages and deletes webhooks of repositories',
  'write:repo_hook': 'reads and changes webhooks of repositories',
  'read:repo_hook': 'reads webhooks of repositories',
  'admin:org': 'manages your organizations, with their teams, projects and members',
  'write:org': 'reads and changes members and projects of your organizations',
  'read:org': 'reads members, teams and projects of your organizations',
  'admin:org_hook': 'manages and deletes webhooks of your organizations',
  'admin:public_key': 'manages your SSH keys',
  'write:public_key': 'reads and adds SSH keys',
  'read:public_key': 'reads your SSH keys',
  'admin:gpg_key': 'manages your GPG keys',
  'write:gpg_key': 'reads and adds GPG keys',
  'read:gpg_key': 'reads your GPG keys',
  gist: 'creates and changes gists',
  notifications: 'reads your notifications and marks them as read; watches repositories',
  user: 'reads and changes your profile, reads your email addresses, follows users',
  'read:user': 'reads your profile',
  'user:email': 'reads your email addresses',
  'user:follow': 'follows and unfollows users',
  project: 'reads and changes projects, yours and those of your organizations',
  'read:project': 'reads projects, yours and those of your organizations',
  delete_repo: 'deletes repositories that you administer',
  'write:packages': 'publishes packages',
  'read:packages': 'downloads packages',
  'delete:packages': 'deletes packages',
  codespace: 'creates and manages codespaces',
  workflow: 'adds and changes workflows of GitHub Actions',
  'read:audit_log': 'reads audit logs',
};

/** Microsoft Graph permissions reference, for permissions that are asked for without a resource. */
const microsoft: Words = {
  'User.Read': 'your profile, and basic information about your organization',
};

const byIssuer: Readonly<Record<string, Words>> = {
  'https://github.com': github,
  'https://login.microsoftonline.com': microsoft,
};

/** What a scope allows, in words; undefined where they aren't known for this issuer. */
export function scopeWords(issuer: string, scope: string): string | undefined {
  const { origin = '' } = URL.parse(issuer) ?? {};
  const own = Object.hasOwn(byIssuer, origin) ? (byIssuer[origin] ?? {}) : {};
  return [own, everywhere].find((words) => Object.hasOwn(words, scope))?.[scope];
}
