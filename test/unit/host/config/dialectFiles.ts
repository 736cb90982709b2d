import type { ImportDialect } from '../../../../src/host/config/import/importLocations.ts';

/** A file as another program writes it, and what is read from it. */
export interface DialectFile {
  readonly what: string;
  readonly dialect: ImportDialect;
  readonly text: string;
  /** What differs from `{ type, args: [], env: {} }` or `{ type, headers: {} }`, by the name of the server. */
  readonly servers: Readonly<Record<string, object>>;
  /** The paths of the notes, with dots. */
  readonly noted?: readonly string[];
  readonly warned?: readonly string[];
  readonly errors?: readonly string[];
}

const password = { type: 'promptString', id: 'key', password: true };
const signIn = { type: 'http', url: 'https://mcp.example.com/mcp' };
const address = '"url": "https://mcp.example.com/mcp"';

function file(
  dialect: ImportDialect,
  what: string,
  text: string,
  servers: DialectFile['servers'],
  problems: Pick<DialectFile, 'noted' | 'warned' | 'errors'> = {},
): DialectFile {
  return { dialect, what, text, servers, ...problems };
}

export const dialectFiles: readonly DialectFile[] = [
  file(
    'vscode',
    'servers with an input',
    `{ "inputs": [{ "type": "promptString", "id": "key", "password": true }],
       "servers": { "search": { "type": "stdio", "command": "npx", "args": ["-y", "search"], "env": { "KEY": "\${input:key}" } } } }`,
    { search: { command: 'npx', args: ['-y', 'search'], env: { KEY: '${input:key}' }, inputs: [password] } },
  ),
  file('vscode', 'a server at an address', `{ "servers": { "docs": { "type": "http", ${address} } } }`, {
    docs: signIn,
  }),
  file(
    'vscode',
    'HTTP+SSE',
    `{ "servers": { "old": { "type": "sse", ${address}, "headers": { "A": "b" } } } }`,
    {
      old: { ...signIn, type: 'sse', headers: { A: 'b' } },
    },
  ),
  file(
    'vscode',
    'a folder, an envFile and variables of the editor',
    `{ "servers": { "tools": { "type": "stdio", "command": "\${userHome}/bin/tools", "cwd": "\${workspaceFolder}/tools",
       "envFile": "\${workspaceFolder}/.env", "env": { "A": "\${env:HOME}" } } } }`,
    {
      tools: {
        command: '${userHome}/bin/tools',
        cwd: '${workspaceFolder}/tools',
        envFile: '${workspaceFolder}/.env',
        env: { A: '${env:HOME}' },
      },
    },
  ),
  file(
    'vscode',
    'what its gallery and its debugger add',
    `{ "servers": { "a": { "type": "stdio", "command": "a", "gallery": "https://registry.example", "version": "1.0.0",
       "dev": { "watch": "src/**", "debug": { "type": "node" } } } } }`,
    { a: { command: 'a' } },
    { noted: ['a.gallery', 'a.version', 'a.dev'] },
  ),
  file(
    'vscode',
    'a sandbox',
    `{ "sandbox": { "network": { "allowedDomains": [] } }, "servers": { "a": { "command": "a", "sandboxEnabled": true } } }`,
    { a: { command: 'a', asksForSandbox: true } },
    { noted: ['sandbox', 'a.sandboxEnabled'] },
  ),
  file(
    'vscode',
    'values that are numbers and null',
    `{ "servers": { "a": { "command": "a", "env": { "PORT": 8080, "DEBUG": true, "NONE": null } } } }`,
    { a: { command: 'a', env: { PORT: '8080', DEBUG: 'true' } } },
  ),
  file(
    'vscode',
    'a client',
    `{ "servers": { "a": { "type": "http", ${address}, "oauth": { "clientId": "abc" } } } }`,
    { a: { ...signIn, oauth: { clientId: 'abc' } } },
  ),
  file(
    'vscode',
    'the file that its migration writes',
    `{ "mcpServers": { "a": { "type": "stdio", "command": "npx", "args": ["a"] }, "b": { "type": "http", ${address} } } }`,
    { a: { command: 'npx', args: ['a'] }, b: signIn },
  ),
  file(
    'vscode',
    'HTTP+SSE as its migration writes it',
    `{ "mcpServers": { "a": { "type": "http", "transport": "sse", ${address} }, "b": { "type": "http", "transport": "http", ${address} } } }`,
    { a: { ...signIn, type: 'sse' }, b: signIn },
    { noted: ['b.transport'] },
  ),
  file('vscode', 'servers without a wrapper', `{ "a": { "command": "a" }, "b": { ${address} } }`, {
    a: { command: 'a' },
    b: signIn,
  }),
  file(
    'vscode',
    'a member without a wrapper that is no server',
    `{ "$schema": "https://example.com/x.json", "a": { "command": "a" }, "notes": { "a": 1 } }`,
    { a: { command: 'a' } },
    { noted: ['notes'] },
  ),
  file(
    'copilotCli',
    'a program, with all tools',
    `{ "mcpServers": { "playwright": { "type": "local", "command": "npx", "args": ["@playwright/mcp@latest"], "env": {}, "tools": ["*"] } } }`,
    { playwright: { command: 'npx', args: ['@playwright/mcp@latest'] } },
  ),
  file(
    'copilotCli',
    'some tools by their names, a folder and a time',
    `{ "mcpServers": { "a": { "type": "local", "command": "a", "cwd": "tools", "tools": ["read", "find_*"], "timeout": 30000 } } }`,
    { a: { command: 'a', cwd: 'tools', tools: ['read', 'find_*'], timeout: 30_000 } },
  ),
  file(
    'copilotCli',
    'no tools',
    `{ "mcpServers": { "a": { "type": "stdio", "command": "a", "tools": [] }, "b": { "command": "b", "tools": "*" } } }`,
    { a: { command: 'a', tools: [] }, b: { command: 'b' } },
  ),
  file(
    'copilotCli',
    'an address with a header from the environment',
    `{ "mcpServers": { "a": { "type": "http", ${address}, "headers": { "Authorization": "Bearer \${TOKEN}" }, "tools": ["*"] } } }`,
    { a: { ...signIn, headers: { Authorization: 'Bearer ${env:TOKEN}' } } },
  ),
  file(
    'copilotCli',
    'a client that was registered before',
    `{ "mcpServers": { "a": { "type": "http", ${address}, "oauthClientId": "abc", "oauthPublicClient": true,
       "oauthGrantType": "client_credentials", "tools": ["*"] } } }`,
    { a: { ...signIn, oauth: { clientId: 'abc', grantType: 'client_credentials' } } },
    { noted: ['a.oauthPublicClient'] },
  ),
  file('copilotCli', 'HTTP+SSE', `{ "mcpServers": { "a": { "type": "sse", ${address}, "tools": ["*"] } } }`, {
    a: { ...signIn, type: 'sse' },
  }),
  file(
    'copilotCli',
    'what only it can do',
    `{ "mcpServers": { "a": { "type": "http", ${address}, "filterMapping": "none", "isDefaultServer": false,
       "deferTools": "auto", "oidc": true, "auth": true, "excludeTools": ["x"], "disableSecretMasking": true } } }`,
    { a: signIn },
    {
      noted: [
        'a.filterMapping',
        'a.isDefaultServer',
        'a.deferTools',
        'a.oidc',
        'a.auth',
        'a.excludeTools',
        'a.disableSecretMasking',
      ],
    },
  ),
  file(
    'copilotCli',
    'scopes, a port for the sign-in, and how long a connection may be slow',
    `{ "mcpServers": { "a": { "type": "http", ${address}, "oauthClientId": "abc", "oauthScopes": ["a", "b"],
       "auth": { "redirectPort": 8080 }, "slowConnectionThresholdMs": 20000, "tools": ["*"] } } }`,
    { a: { ...signIn, oauth: { clientId: 'abc', scopes: ['a', 'b'] } } },
    { noted: ['a.auth.redirectPort', 'a.slowConnectionThresholdMs'] },
  ),
  file(
    'claudeCode',
    'a program without a type',
    `{ "mcpServers": { "db": { "command": "\${ROOT}/db", "args": ["--url", "\${URL}"], "env": { "A": "\${A}" } } } }`,
    { db: { command: '${env:ROOT}/db', args: ['--url', '${env:URL}'], env: { A: '${env:A}' } } },
  ),
  file(
    'claudeCode',
    'variables with a default',
    `{ "mcpServers": { "a": { "type": "http", "url": "\${BASE:-https://mcp.example.com}/mcp" } } }`,
    { a: { type: 'http', url: '${env:BASE}/mcp' } },
  ),
  file(
    'claudeCode',
    'a client, a port and scopes',
    `{ "mcpServers": { "a": { "type": "http", ${address}, "oauth": { "clientId": "abc", "callbackPort": 3118, "scopes": "a b" } } } }`,
    {
      a: {
        ...signIn,
        oauth: { clientId: 'abc', redirectUri: 'http://localhost:3118/callback', scopes: ['a', 'b'] },
      },
    },
  ),
  file(
    'claudeCode',
    'what only it can do',
    `{ "mcpServers": { "a": { "type": "http", ${address}, "headersHelper": "/opt/headers.sh", "alwaysLoad": true, "timeout": 600000,
       "oauth": { "authServerMetadataUrl": "https://login.example.com/x" } } } }`,
    { a: { ...signIn, timeout: 600_000 } },
    { noted: ['a.headersHelper', 'a.alwaysLoad', 'a.oauth.authServerMetadataUrl'] },
  ),
  file(
    'claudeCode',
    'tools that need no question',
    `{ "mcpServers": { "a": { "type": "http", ${address}, "toolPermissions": { "x": "allow" },
       "tools": [{ "name": "x", "permission_policy": "always_allow" }] } } }`,
    { a: signIn },
    { noted: ['a.tools', 'a.toolPermissions'] },
  ),
  file(
    'claudeCode',
    'a server beside its others',
    `{ "mcpServers": { "a": { "command": "a" } }, "b": { "command": "b" } }`,
    { a: { command: 'a' } },
    { noted: ['b'] },
  ),
  file(
    'vscode',
    'a server beside its others',
    `{ "servers": { "a": { "command": "a" } }, "b": { "command": "b" } }`,
    { a: { command: 'a' } },
    { noted: ['b'] },
  ),
  file(
    'claudeCode',
    'a program of Windows',
    `{ "mcpServers": { "a": { "type": "stdio", "command": "cmd", "args": ["/c", "npx", "-y", "a"] } } }`,
    { a: { command: 'cmd', args: ['/c', 'npx', '-y', 'a'] } },
  ),
  file(
    'claudeCode',
    'a web socket',
    `{ "mcpServers": { "a": { "type": "ws", "url": "wss://mcp.example.com/socket" }, "b": { "command": "b" } } }`,
    { b: { command: 'b' } },
    { errors: ['a.type'] },
  ),
  file(
    'cursor',
    'a program with variables',
    `{ "mcpServers": { "a": { "type": "stdio", "command": "python", "args": ["\${workspaceFolder}/a.py", "\${userHome}"],
       "env": { "KEY": "\${env:KEY}" }, "envFile": ".env" } } }`,
    {
      a: {
        command: 'python',
        args: ['${workspaceFolder}/a.py', '${userHome}'],
        env: { KEY: '${env:KEY}' },
        envFile: '.env',
      },
    },
  ),
  file(
    'cursor',
    'an address without a type',
    `{ "mcpServers": { "a": { ${address}, "headers": { "A": "b" } } } }`,
    {
      a: { ...signIn, headers: { A: 'b' } },
    },
  ),
  file(
    'cursor',
    'a client with scopes',
    `{ "mcpServers": { "a": { ${address}, "auth": { "CLIENT_ID": "abc", "scopes": ["read", "write"] } } } }`,
    { a: { ...signIn, oauth: { clientId: 'abc', scopes: ['read', 'write'] } } },
  ),
  file(
    'cursor',
    'tools that need no question, and a server that is off',
    `{ "mcpServers": { "a": { "command": "a", "alwaysAllow": ["x"], "autoApprove": ["x"], "trust": true, "disabled": true },
       "b": { "command": "b", "enabled": false } } }`,
    { a: { command: 'a', disabled: true }, b: { command: 'b', disabled: true } },
    { noted: ['a.alwaysAllow', 'a.autoApprove', 'a.trust'] },
  ),
  file(
    'claudeDesktop',
    'servers beside its own settings',
    `{ "globalShortcut": "", "mcpServers": { "files": { "command": "npx", "args": ["-y", "files", "/Users/me/Desktop"] } } }`,
    { files: { command: 'npx', args: ['-y', 'files', '/Users/me/Desktop'] } },
  ),
  file(
    'claudeDesktop',
    'a container',
    `{ "mcpServers": { "github": { "command": "docker", "args": ["run", "-i", "--rm", "github"], "env": { "LEVEL": "info" } } } }`,
    { github: { command: 'docker', args: ['run', '-i', '--rm', 'github'], env: { LEVEL: 'info' } } },
  ),
  file(
    'cursor',
    'other names of the type and the address',
    `{ "mcpServers": { "a": { "type": "streamable-http", ${address} }, "b": { "transport": "streamable-http", ${address} },
       "c": { "serverUrl": "https://mcp.example.com/mcp" }, "d": { "httpUrl": "https://mcp.example.com/mcp" } } }`,
    { a: signIn, b: signIn, c: signIn, d: signIn },
  ),
  file(
    'vscode',
    'comments and commas at the end',
    `{ // ours\n "mcpServers": { "a": { "command": "a", /* none */ "args": [], }, }, }`,
    { a: { command: 'a' } },
  ),
  file(
    'claudeCode',
    'names in both parts',
    `{ "mcpServers": { "a": { "command": "first" } }, "servers": { "a": { "command": "second" }, "b": { "command": "b" } } }`,
    { a: { command: 'first' } },
    { errors: ['servers.a'], noted: ['servers.b'] },
  ),
  file(
    'claudeCode',
    'a misspelt field and one that nobody knows',
    `{ "mcpServers": { "a": { "command": "a", "evn": {}, "colour": "red" } } }`,
    { a: { command: 'a' } },
    { warned: ['a.evn', 'a.colour'] },
  ),
  file(
    'claudeCode',
    'servers without a command or an address',
    `{ "mcpServers": { "a": { "type": "stdio" }, "b": { "type": "http" }, "c": { "command": "c" } } }`,
    { c: { command: 'c' } },
    { errors: ['a', 'b'] },
  ),
  file(
    'vscode',
    'a variable that no other program has',
    `{ "mcpServers": { "a": { "command": "a", "args": ["\${file}"] }, "b": { "command": "b" } } }`,
    { b: { command: 'b' } },
    { errors: ['a.args.0'] },
  ),
];
