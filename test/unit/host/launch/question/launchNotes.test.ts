import assert from 'node:assert/strict';
import { launchNotes } from '../../../../../src/host/launch/question/launchNotes.ts';
import { launchWarnings } from '../../../../../src/host/launch/warnings/launchWarnings.ts';
import type { ServerDefinition } from '../../../../../src/host/config/serverDefinition.ts';
import { httpServer, stdioServer } from '../../../support/definitions.ts';

interface Documented {
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

const downloads = (runner: string, name: string): string =>
  `${runner} downloads "${name}" at the first start and runs it.`;
const unpinned = 'It has no fixed version: a later start may run a newer one.';
const both = (runner: string, name: string): string[] => [downloads(runner, name), unpinned];

/** Lines as the documents of servers that many people use have them. */
const documented: readonly Documented[] = [
  {
    words: ['npx', '-y', '@modelcontextprotocol/server-filesystem', '/Users/username/Desktop', '/data/other'],
    notes: both('npx', '@modelcontextprotocol/server-filesystem'),
  },
  {
    words: ['npx', '-y', '@modelcontextprotocol/server-memory'],
    env: { MEMORY_FILE_PATH: '/path/to/custom/memory.json' },
    notes: both('npx', '@modelcontextprotocol/server-memory'),
  },
  {
    words: ['npx', '-y', '@modelcontextprotocol/server-everything'],
    notes: both('npx', '@modelcontextprotocol/server-everything'),
  },
  {
    words: ['cmd', '/c', 'npx', '-y', '@modelcontextprotocol/server-sequential-thinking'],
    notes: both('npx', '@modelcontextprotocol/server-sequential-thinking'),
  },
  {
    words: ['uvx', 'mcp-server-git', '--repository', '/path/to/git/repo'],
    notes: both('uvx', 'mcp-server-git'),
  },
  { words: ['uvx', 'mcp-server-fetch'], notes: both('uvx', 'mcp-server-fetch') },
  {
    words: ['uvx', 'mcp-server-time', '--local-timezone=America/New_York'],
    notes: both('uvx', 'mcp-server-time'),
  },
  {
    words: ['uvx', 'awslabs.aws-documentation-mcp-server@latest'],
    env: { FASTMCP_LOG_LEVEL: 'ERROR', AWS_DOCUMENTATION_PARTITION: 'aws' },
    notes: both('uvx', 'awslabs.aws-documentation-mcp-server@latest'),
  },
  { words: ['npx', '@playwright/mcp@latest'], notes: both('npx', '@playwright/mcp@latest') },
  {
    words: ['npx', '-y', '@upstash/context7-mcp', '--api-key', 'YOUR_API_KEY'],
    notes: both('npx', '@upstash/context7-mcp'),
  },
  {
    words: ['npx', '-y', '@notionhq/notion-mcp-server'],
    env: { NOTION_TOKEN: 'ntn_****' },
    notes: both('npx', '@notionhq/notion-mcp-server'),
  },
  {
    words: ['npx', '-y', 'mcp-remote', 'https://mcp.linear.app/sse'],
    notes: both('npx', 'mcp-remote'),
  },
  {
    words: [
      'uvx',
      '--from',
      'git+https://github.com/oraios/serena',
      'serena',
      'start-mcp-server',
      '--context',
      'ide-assistant',
    ],
    notes: [
      'uvx downloads "git+https://github.com/oraios/serena" at the first start and runs it, from that address and not from a registry.',
      unpinned,
    ],
  },
  {
    words: ['docker', 'run', '-i', '--rm', '-e', 'TOKEN', 'mcp/github'],
    env: { TOKEN: '<YOUR_TOKEN>' },
    notes: ['docker downloads the image "mcp/github" at the first start and runs it.', unpinned],
  },
];

function of(definition: ServerDefinition, workingDirectory = '/home/me'): string[] {
  return launchNotes({ definition, workingDirectory }, ['/projects/api']);
}

suite('What is worth knowing of a launch', () => {
  for (const { words, env = {}, notes } of documented) {
    const [command = '', ...args] = words;
    test(`is a note, and no warning, in ${words.join(' ')}`, () => {
      const definition = stdioServer(args, { command, env });
      const launch = { definition, workingDirectory: '/home/me', envFile: undefined };
      assert.deepEqual(launchNotes(launch, ['/projects/api']), notes);
      assert.deepEqual(launchWarnings(launch, ['/projects/api']), []);
    });
  }

  const versions: [readonly string[], readonly string[]][] = [
    [['npx', 'server@^1.2.3'], both('npx', 'server@^1.2.3')],
    [['npx.cmd', '-p', 'server@1', 'run'], both('npx', 'server@1')],
    [['npx', '--registry', 'https://example.org', 'server'], both('npx', 'server')],
    [['pnpm', 'dlx', 'server'], both('pnpm', 'server')],
    [['bunx', 'server'], both('bunx', 'server')],
    [
      ['npx', 'github:owner/server'],
      [
        'npx downloads "github:owner/server" at the first start and runs it, from that address and not from a registry.',
        unpinned,
      ],
    ],
    [
      ['uvx', '--with', 'x==1.0', 'server>=1.0'],
      ['uvx also loads what argument 1 names.', ...both('uvx', 'server>=1.0')],
    ],
    [['uv', 'run', '--with', 'mcp[cli]', 'mcp', 'run', '/x.py'], ['uv also loads what argument 2 names.']],
    [['node', '--import', 'tsx', '/opt/x.ts'], ['node also loads what argument 1 names.']],
    [['node', '/opt/x.ts', '--import', 'tsx'], []],
    [['uv', 'tool', 'run', 'server'], both('uv', 'server')],
    [['pipx', 'run', 'server'], both('pipx', 'server')],
    [['npx', '-y', '@scope/server@1.2.3'], [downloads('npx', '@scope/server@1.2.3')]],
    [['uvx', '--from', 'server==1.0', 'server'], [downloads('uvx', 'server==1.0')]],
    [
      ['docker', 'run', '-i', '-e', 'A=b', 'localhost:5000/server:1.2'],
      ['docker downloads the image "localhost:5000/server:1.2" at the first start and runs it.'],
    ],
    [
      ['docker', 'run', '-i', 'localhost:5000/server:latest'],
      ['docker downloads the image "localhost:5000/server:latest" at the first start and runs it.', unpinned],
    ],
    [['npx', '/opt/server'], []],
    [['npm', 'run', 'server'], []],
    [['docker', 'mcp', 'gateway', 'run'], []],
    [['node', '/opt/server.js'], []],
    [['npx'], []],
  ];
  for (const [words, notes] of versions) {
    const [command = '', ...args] = words;
    test(`is that a program is downloaded, and which version: ${words.join(' ')}`, () => {
      assert.deepEqual(of(stdioServer(args, { command })), notes);
    });
  }

  test('is that a copy in the workspace runs instead, where it is started in the workspace', () => {
    const [first, second] = of(stdioServer(['server@1.2.3'], { command: 'npx' }), '/projects/api/tools');
    assert.equal(first, downloads('npx', 'server@1.2.3'));
    assert.equal(second, 'A copy of it in "node_modules" of the workspace would run instead.');
  });

  test('is nothing at an address', () => {
    assert.deepEqual(of(httpServer('https://example.org/mcp')), []);
  });
});
