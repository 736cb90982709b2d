import assert from 'node:assert/strict';
import { suggestName } from '../../../../../src/host/config/edit/suggestName.ts';
import { understand, type Reading } from '../../../../../src/host/config/import/understand.ts';

function readingsOf(typed: string): readonly Reading[] {
  const result = understand(typed, 'linux');
  return 'readings' in result ? result.readings : [];
}

function rowOf({ what, line }: Reading): string {
  return `${what}: ${line}`;
}

/** What is pasted, what the first row says, and the name that is proposed. */
type Line = readonly [typed: string, title: string, name: string];
/** The same where the row says what it does with what is pasted, or with something else. */
type Shown = readonly [typed: string, name: string, shown?: string];

const lineOf =
  (doing: string) =>
  ([typed, name, shown = typed]: Shown): Line => [typed, `${doing}: ${shown}`, name];

const programs: readonly Shown[] = [
  ['npx -y @modelcontextprotocol/server-everything', 'everything'],
  [
    '$ npx -y @modelcontextprotocol/server-filesystem ~/Desktop "/my files"',
    'filesystem',
    'npx -y @modelcontextprotocol/server-filesystem ~/Desktop /my files',
  ],
  ['npx @playwright/mcp@latest', 'playwright'],
  ['npx -y mcp-remote https://mcp.linear.app/sse', 'remote'],
  [
    'npx -y @upstash/context7-mcp --api-key YOUR_API_KEY',
    'context7',
    'npx -y @upstash/context7-mcp --api-key ••••••',
  ],
  ['npx -y figma-developer-mcp --stdio <FIGMA-KEY>', 'figma-developer'],
  ['npx -y firecrawl-mcp', 'firecrawl'],
  ['env FIRECRAWL_API_KEY=fc-KEY npx -y firecrawl-mcp', 'firecrawl', 'npx -y firecrawl-mcp'],
  [
    'BRAVE_API_KEY=abc npx -y @brave/brave-search-mcp-server',
    'brave-search',
    'npx -y @brave/brave-search-mcp-server',
  ],
  ['bunx @supabase/mcp-server-supabase@latest --read-only', 'supabase'],
  ['pnpm dlx @sentry/mcp-server', 'sentry'],
  ['uvx mcp-server-git --repository path/to/git/repo', 'git'],
  ['uvx mcp-server-fetch', 'fetch'],
  ['uvx --from git+https://github.com/oraios/serena serena start-mcp-server', 'serena'],
  ['uvx awslabs.aws-documentation-mcp-server@latest', 'awslabs.aws-documentation'],
  ['uv --directory /ABSOLUTE/PATH/TO/PARENT/FOLDER/weather run weather.py', 'weather'],
  ['uv --directory /repos/notes run server.py', 'notes'],
  ['pipx run markitdown-mcp', 'markitdown'],
  ['python -m mcp_server_time --local-timezone=Europe/Berlin', 'time'],
  ['python3 /opt/weather/server.py', 'weather'],
  ['node /home/me/servers/node_modules/@modelcontextprotocol/server-everything/dist/index.js', 'everything'],
  ['node ./build/index.js', 'node'],
  ['docker run -i --rm -e GITHUB_PERSONAL_ACCESS_TOKEN ghcr.io/github/github-mcp-server', 'github'],
  [
    'docker run -i --rm -e SLACK_BOT_TOKEN=xoxb-123456 mcp/slack',
    'slack',
    'docker run -i --rm -e SLACK_BOT_TOKEN=•••••• mcp/slack',
  ],
  [
    'docker run -i --rm \\ --mount type=bind,src=/tmp,dst=/projects \\ mcp/filesystem /projects',
    'filesystem',
    'docker run -i --rm --mount type=bind,src=/tmp,dst=/projects mcp/filesystem /projects',
  ],
  ['docker mcp gateway run', 'docker'],
  ['go run github.com/mark3labs/mcp-filesystem-server@latest /tmp', 'filesystem'],
  ['/usr/local/bin/gopls mcp', 'gopls'],
  ['`uvx mcp-server-sqlite --db-path ~/test.db`', 'sqlite', 'uvx mcp-server-sqlite --db-path ~/test.db'],
  ['```bash\nnpx -y tavily-mcp@latest\n```', 'tavily', 'npx -y tavily-mcp@latest'],
  ['```npx -y tavily-mcp```', 'tavily', 'npx -y tavily-mcp'],
];

const commands: readonly Line[] = [
  [
    'claude mcp add --transport http notion https://mcp.notion.com/mcp',
    "Server 'notion' from 'claude': https://mcp.notion.com/mcp",
    'notion',
  ],
  [
    'claude mcp add airtable --env AIRTABLE_API_KEY=key B=2 -- npx -y airtable-mcp-server',
    "Server 'airtable' from 'claude': npx -y airtable-mcp-server",
    'airtable',
  ],
  [
    'claude mcp add --scope user -t sse asana https://mcp.asana.com/sse -H "X-Key: abc"',
    "Server 'asana' from 'claude': https://mcp.asana.com/sse",
    'asana',
  ],
  [
    `claude mcp add-json weather '{"type":"stdio","command":"weather","args":["--api"]}'`,
    "Server 'weather' from 'claude': weather --api",
    'weather',
  ],
  ['codex mcp add docs -- npx -y docs-mcp', "Server 'docs' from 'codex': npx -y docs-mcp", 'docs'],
  [
    `code --add-mcp '{"name":"playwright","command":"npx","args":["@playwright/mcp@latest"]}'`,
    "Server 'playwright' from 'code': npx @playwright/mcp@latest",
    'playwright',
  ],
];

const addresses: readonly Shown[] = [
  ['https://mcp.sentry.dev/mcp', 'sentry'],
  ['  https://api.githubcopilot.com/mcp/ ', 'githubcopilot', 'https://api.githubcopilot.com/mcp/'],
  ['http://localhost:3000/sse', 'localhost'],
  ['localhost:8080/mcp', 'localhost', 'http://localhost:8080/mcp'],
  ['127.0.0.1:9000', '127-0-0-1', 'http://127.0.0.1:9000'],
  ['mcp.deepwiki.com/mcp', 'deepwiki', 'https://mcp.deepwiki.com/mcp'],
  ['mcp.deepwiki.com', 'deepwiki', 'https://mcp.deepwiki.com'],
  ['https://mcp.exa.ai/mcp?exaApiKey=abcdef', 'exa', 'https://mcp.exa.ai/mcp?exaApiKey=••••••'],
];

const packages: readonly Line[] = [
  [
    '@modelcontextprotocol/server-memory',
    'npm package: @modelcontextprotocol/server-memory — npx -y @modelcontextprotocol/server-memory',
    'memory',
  ],
  [
    '@playwright/mcp@0.0.41',
    'npm package: @playwright/mcp@0.0.41 — npx -y @playwright/mcp@0.0.41',
    'playwright',
  ],
  ['mcp-server-git', 'npm package: mcp-server-git — npx -y mcp-server-git', 'git'],
  [
    'mcp-server-fetch==2025.4.7',
    'PyPI package: mcp-server-fetch==2025.4.7 — uvx mcp-server-fetch==2025.4.7',
    'fetch',
  ],
  ['markitdown-mcp[all]', 'PyPI package: markitdown-mcp[all] — uvx markitdown-mcp[all]', 'markitdown'],
  [
    'npm install -g @scope/tickets-mcp',
    'npm package: @scope/tickets-mcp — npx -y @scope/tickets-mcp',
    'tickets',
  ],
  ['pip install mcp-server-time', 'PyPI package: mcp-server-time — uvx mcp-server-time', 'time'],
];

const git = '{"command":"uvx","args":["mcp-server-git"]}';
const snippets: readonly Line[] = [
  [`{"mcpServers":{"git":${git}}}`, "Server 'git' from JSON: uvx mcp-server-git", 'git'],
  [`{"servers":{"git":${git}},"inputs":[]}`, "Server 'git' from JSON: uvx mcp-server-git", 'git'],
  [`{"mcp":{"servers":{"git":${git}}}}`, "Server 'git' from JSON: uvx mcp-server-git", 'git'],
  [`"mcpServers": {"git": ${git}},`, "Server 'git' from JSON: uvx mcp-server-git", 'git'],
  [`{"mcpHost.servers":{"git":${git}}}`, "Server 'git' from JSON: uvx mcp-server-git", 'git'],
  [`"git": ${git},`, "Server 'git' from JSON: uvx mcp-server-git", 'git'],
  [`{"git": ${git}}`, "Server 'git' from JSON: uvx mcp-server-git", 'git'],
  [git, 'Server from JSON: uvx mcp-server-git', 'git'],
  [
    '{ // ours\n "command": "uvx", "args": ["mcp-server-git",], }',
    'Server from JSON: uvx mcp-server-git',
    'git',
  ],
  [`\`\`\`json\n{"mcpServers":{"git":${git}}}\n\`\`\``, "Server 'git' from JSON: uvx mcp-server-git", 'git'],
  [
    '{"name":"notes","url":"https://n.example/mcp"}',
    "Server 'notes' from JSON: https://n.example/mcp",
    'notes',
  ],
  [
    '{"mcpServers":{"w":{"serverUrl":"https://w.example/mcp"}}}',
    "Server 'w' from JSON: https://w.example/mcp",
    'w',
  ],
];

const lines = [
  ...programs.map(lineOf('Run a program')),
  ...commands,
  ...addresses.map(lineOf('Connect to')),
  ...packages,
  ...snippets,
];

suite('What is typed into Add Server', () => {
  for (const [typed, title, name] of lines) {
    test(`is understood: ${typed}`, () => {
      const result = understand(typed, 'linux');
      assert.ok('readings' in result, JSON.stringify(result));
      const [first] = result.readings;
      assert.equal(first && rowOf(first), title);
      const draft = first?.servers[0]?.draft;
      assert.ok(draft);
      assert.equal(draft.name || suggestName(draft.launch, new Set()), name);
    });
  }

  test('is understood on Windows, with its paths', () => {
    const lines: readonly [string, readonly string[]][] = [
      [
        '"C:\\Program Files\\nodejs\\node.exe" "C:\\my servers\\notes\\index.js"',
        ['C:\\Program Files\\nodejs\\node.exe', 'C:\\my servers\\notes\\index.js'],
      ],
      [
        'cmd /c npx -y @modelcontextprotocol/server-memory',
        ['cmd', '/c', 'npx', '-y', '@modelcontextprotocol/server-memory'],
      ],
      ['C:\\tools\\weather.exe --port 1', ['C:\\tools\\weather.exe', '--port', '1']],
    ];
    for (const [typed, words] of lines) {
      const result = understand(typed, 'win32');
      const launch = 'readings' in result ? result.readings[0]?.servers[0]?.draft?.launch : undefined;
      assert.deepEqual(launch?.type === 'stdio' && [launch.command, ...launch.args], words);
    }
  });

  test('says what is wrong with a text that nothing can read', () => {
    for (const [text, problem] of [
      ['x'.repeat(200_001), 'This text has more than 200,000 characters.'],
      ['npx a\0b', 'This text has the character NUL, which ends a text.'],
      [`{"a":${'['.repeat(50_000)}`, /^This is not valid JSON: it is nested too deeply/],
    ] as const) {
      const result = understand(text, 'linux');
      const said = 'problem' in result ? result.problem : '';
      assert.ok(typeof problem === 'string' ? said === problem : problem.test(said), said);
    }
  });

  test('shows no argument of a command with many secrets', () => {
    const secrets = Array.from({ length: 101 }, (_, index) => `--token=s3cret-${index}`);
    const [row] = readingsOf(`npx a ${secrets.join(' ')}`);
    assert.equal(row?.line, 'npx ••••••');
  });

  test('gives a row for each registry that may have a package, and one for a program', () => {
    const result = understand('mcp-server-git', 'linux');
    assert.deepEqual('readings' in result && result.readings.map(rowOf), [
      'npm package: mcp-server-git — npx -y mcp-server-git',
      'PyPI package: mcp-server-git — uvx mcp-server-git',
      'Run a program: mcp-server-git',
    ]);
  });

  test('gives several servers in one row, and a row for each', () => {
    const result = understand(
      `{"mcpServers":{"git":${git},"web":{"url":"https://w.example"},"bad":{"type":"ws"}}}`,
      'linux',
    );
    assert.deepEqual(
      'readings' in result && result.readings.map((reading) => [rowOf(reading), reading.servers.length]),
      [
        ['2 servers from JSON: git, web', 2],
        ["Server 'git' from JSON: uvx mcp-server-git", 1],
        ["Server 'web' from JSON: https://w.example", 1],
      ],
    );
  });

  test('keeps the options in the command of another program', () => {
    const result = understand('claude mcp add shop -e A=1 B=2 -- npx -y shop --flag', 'linux');
    assert.deepEqual('readings' in result && result.readings[0]?.servers[0]?.draft?.launch, {
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'shop', '--flag'],
      env: { A: '1', B: '2' },
    });
    const remote = understand(
      'claude mcp add -t http shop https://s.example/mcp --header "X-Key: abc"',
      'linux',
    );
    assert.deepEqual('readings' in remote && remote.readings[0]?.servers[0]?.draft?.launch, {
      type: 'http',
      url: 'https://s.example/mcp',
      headers: { 'X-Key': 'abc' },
    });
  });

  const nonsense: readonly [string, RegExp][] = [
    ['', /a command line, an address/],
    ['   ', /a command line, an address/],
    ['npx', /needs the name of what to run/],
    ['{"mcpServers":{}}', /not a definition of a server/],
    ['{"a":', /not valid JSON: .* at its end/],
    ['{"command":"x" "args":[]}', /not valid JSON: .* at '"args":\[\]}'/],
    ['ws://localhost:3000', /Addresses that begin with ws:/],
    ['https://', /not complete/],
    ['https://a b', /not complete/],
    ['node a.js | tee log', /No shell/],
    ['claude mcp list', /names no server/],
    ['node "a', /is not closed/],
  ];
  for (const [typed, problem] of nonsense) {
    test(`has a message about what is wrong: ${JSON.stringify(typed)}`, () => {
      const result = understand(typed, 'linux');
      assert.ok('problem' in result, JSON.stringify(result));
      assert.match(result.problem, problem);
    });
  }
});
