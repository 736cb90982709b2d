/** An issuer that registers no clients, and whose accounts the editor has itself. */
export interface EditorIssuer {
  /** The id of the editor's authentication provider. */
  readonly provider: string;
  /** What people call it. */
  readonly name: string;
  /** The origin of its issuers. */
  readonly issuer: string;
  /** The origins of the servers that may get its tokens: hosts of the issuer's own company, without content of others. */
  readonly servers: readonly string[];
}

/**
 * For which servers an account of the editor's is offered. Any server can name these issuers to get a token that is good
 * for far more than that server, so this list decides, and no setting adds to it. Each host is documented by its company
 * as the address of its MCP server.
 */
export const editorIssuers: readonly EditorIssuer[] = [
  {
    provider: 'github',
    name: 'GitHub',
    issuer: 'https://github.com',
    // github/github-mcp-server, "Remote GitHub MCP Server".
    servers: ['https://api.githubcopilot.com'],
  },
  {
    provider: 'microsoft',
    name: 'Microsoft',
    issuer: 'https://login.microsoftonline.com',
    // Azure DevOps; Microsoft MCP Server for Enterprise.
    servers: ['https://mcp.dev.azure.com', 'https://mcp.svc.cloud.microsoft'],
  },
];

/**
 * The issuer of the list whose token a server at this address may get; undefined for any other server or issuer. Hosts
 * are compared as the network has them, with scheme and port: a host that only looks alike, or one below, is another one.
 */
export function editorIssuerFor(
  server: string,
  issuer: string,
  known: readonly EditorIssuer[],
): EditorIssuer | undefined {
  const [ofServer, ofIssuer] = [originOf(server), originOf(issuer)];
  return known.find(
    (one) => ofServer !== undefined && one.issuer === ofIssuer && one.servers.includes(ofServer),
  );
}

/** Undefined for what isn't an address of the web, and for one with a user name or a password. */
function originOf(address: string): string | undefined {
  const url = URL.parse(address);
  const isPlain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isPlain ? url.origin : undefined;
}

/** Scopes that command the provider itself, such as `VSCODE_CLIENT_ID:…`: no server and no definition may set them. */
const command = /^VSCODE_/i;

export function withoutCommands(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => !command.test(scope));
}

/** Tenants that leave it to you with which account you sign in. */
const anyTenant = ['common', 'organizations', 'consumers'];

/** Scopes as the provider takes them: that of Microsoft gets the tenant of the issuer with them. */
export function scopesForProvider(
  { provider }: Pick<EditorIssuer, 'provider'>,
  issuer: string,
  scopes: readonly string[],
): readonly string[] {
  const [, tenant = ''] = URL.parse(issuer)?.pathname.split('/') ?? [];
  const isOne = provider === 'microsoft' && /^[\w.-]+$/.test(tenant) && !anyTenant.includes(tenant);
  return [...withoutCommands(scopes), ...(isOne ? [`VSCODE_TENANT:${tenant}`] : [])];
}
